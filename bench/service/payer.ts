import { createWalletClient, http } from "viem";
import { estimateFeesPerGas, getTransactionCount, sendTransaction } from "viem/actions";

import { planSteps } from "../../packages/sdk/src/index.ts";
import type { Quote } from "../../packages/protocol/src/index.ts";
import { describeChain } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/index.ts";

/** Gas limit, above the gas of a deposit. */
const DEPOSIT_GAS = 100_000n;

/** Sends the deposit of a native currency quote from the user's account. */
export type Pay = (quote: Pick<Quote, "steps">) => Promise<void>;

export async function createPayer(origin: { readonly id: number; readonly rpcUrl: string }): Promise<Pay> {
  const wallet = createWalletClient({
    account: localAccounts.user,
    chain: describeChain(origin.id, origin.rpcUrl),
    transport: http(origin.rpcUrl),
  });
  // Sets all fields, so that a deposit is one RPC request and the wallet adds no delay.
  let nonce = await getTransactionCount(wallet, { address: localAccounts.user.address });
  const fees = await estimateFeesPerGas(wallet);
  const terms = {
    gas: DEPOSIT_GAS,
    maxFeePerGas: fees.maxFeePerGas * 4n,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  };
  let sent = Promise.resolve();
  return async ({ steps }) => {
    const [deposit] = planSteps(steps, origin.id);
    if (deposit?.kind !== "transaction") throw new Error("the quote has no deposit");
    const { to, data, value } = deposit;
    // Sends deposits in sequence, because a node with automine accepts only the next nonce.
    sent = sent.then(async () => {
      await sendTransaction(wallet, { to, data, value, ...terms, nonce: nonce++ });
    });
    await sent;
  };
}
