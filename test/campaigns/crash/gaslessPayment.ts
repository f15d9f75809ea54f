import { createWalletClient, encodeFunctionData, erc20Abi, type Hex, http, maxUint256, parseEther, toHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";

import { PERMIT2_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/index.ts";
import { authorize, callsOf, signBatch } from "../../integration/gasless/batches.ts";
import { accountOf, signOperation } from "../../integration/gasless/operations.ts";
import { permitStepOf } from "../../integration/gasless/support.ts";
import type { CampaignChain } from "./accounting.ts";
import { API_KEY } from "./service.ts";

/** Ways to pay for a request without gas. */
export type GaslessMethod = "permit" | "userOperation" | "authorization";

/** Request body of the payment. The service may be killed before it responds. */
export interface GaslessPost {
  readonly path: string;
  readonly body: unknown;
}

/** Returns the key of a user that pays for one request only. */
export function ownerOf(index: number): PrivateKeyAccount {
  return privateKeyToAccount(toHex(BigInt(index) + 0xfee1000000n, { size: 32 }));
}

/** Returns the account that pays: the owner, or its ERC-4337 account for a user operation. */
export async function payerOf(chain: CampaignChain, method: GaslessMethod, owner: PrivateKeyAccount): Promise<Hex> {
  return method === "userOperation" ? accountOf(chain, owner) : owner.address;
}

/** Funds a payer with exactly the input of its request, and sets the allowance that Permit2 needs. */
export async function fundPayer(
  { id, rpcUrl }: Pick<CampaignChain, "id" | "rpcUrl">,
  { token, payer, amount, owner }: { token: Hex; payer: Hex; amount: bigint; owner: PrivateKeyAccount | undefined },
): Promise<void> {
  const chain = describeChain(id, rpcUrl);
  const options = { chain, transport: http(rpcUrl), pollingInterval: 20 };
  const user = createWalletClient({ ...options, account: localAccounts.user });
  const mint = encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [payer, amount] });
  await waitForTransactionReceipt(user, { hash: await sendTransaction(user, { to: token, data: mint }) });
  if (owner === undefined) return;
  const gas = await sendTransaction(user, { to: owner.address, value: parseEther("0.1") });
  await waitForTransactionReceipt(user, { hash: gas });
  const hash = await writeContract(createWalletClient({ ...options, account: owner }), {
    address: token,
    abi: erc20Abi,
    functionName: "approve",
    args: [PERMIT2_ADDRESS, maxUint256],
  });
  await waitForTransactionReceipt(user, { hash });
}

/** Signs the payment for a quote. */
export async function signPayment(
  chain: CampaignChain,
  method: GaslessMethod,
  owner: PrivateKeyAccount,
  quote: Quote,
): Promise<GaslessPost> {
  const requestId = quote.steps[0]?.requestId;
  const executed = (to: Hex, data: Hex, more: object = {}): GaslessPost => ({
    path: "/execute",
    body: { executionKind: "rawCalls", data: { chainId: chain.id, to, data, value: "0", ...more }, requestId },
  });
  switch (method) {
    case "permit": {
      const { body, ...message } = permitStepOf(quote);
      const signature = await owner.signTypedData(message);
      return { path: `/execute/permits?signature=${signature}`, body };
    }
    case "userOperation":
      return executed(chain.contracts.entryPoint, await signOperation(owner, chain, callsOf(quote)));
    case "authorization": {
      const authorizationList = [await authorize(owner, chain)];
      return executed(owner.address, await signBatch(owner, chain, callsOf(quote)), { authorizationList });
    }
  }
}

/** Posts gasless payments. */
export interface Poster {
  add(requestId: Hex, payment: GaslessPost): void;
  /**
   * Posts payments without waiting for responses. If the service is killed before it responds, the next instance
   * receives the payment again.
   */
  post(url: string): Promise<void>;
}

export function createPoster(): Poster {
  const open = new Map<Hex, GaslessPost & { isRepeated: boolean }>();
  return {
    add: (requestId, payment) => void open.set(requestId, { ...payment, isRepeated: false }),
    async post(url) {
      await Promise.all(
        [...open].map(async ([requestId, payment]) => {
          const answer = await tryPost(`${url}${payment.path}`, payment.body);
          if (answer === undefined) {
            payment.isRepeated = true;
            return;
          }
          // A payment is accepted only once, so this rejection means that the response to an earlier post was lost.
          const isKnown = payment.isRepeated && answer.status === 400;
          if (answer.status !== 200 && !isKnown) throw new Error(`${payment.path}: ${answer.status} ${answer.text}`);
          open.delete(requestId);
        }),
      );
    },
  };
}

/** Returns undefined if the service was killed or lost its database. */
async function tryPost(url: string, body: unknown): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": API_KEY },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return response.status === 503 ? undefined : { status: response.status, text };
  } catch {
    return undefined;
  }
}
