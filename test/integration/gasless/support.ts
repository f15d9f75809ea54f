import { type Address, encodeFunctionData, type Hex, parseAbi, parseEther, parseSignature } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { parseData, type QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { SignatureDataSchema } from "../../../packages/protocol/src/quote/step.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { chainTokens } from "../../../packages/crosscall/src/localnet/devchain/tokens.ts";
import type { Localnet, LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { getQuote } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { onNode } from "../support/requests.ts";
import { type Answer, post } from "../support/serviceCalls.ts";
import { userWallet } from "../support/parties.ts";

const PERMIT_ABI = parseAbi([
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
]);

const WRAPPED_ABI = parseAbi(["function deposit() payable"]);

/** Currency on local chains for each kind of permit. */
export const PERMIT_CURRENCIES = { eip3009: "USDC", eip2612: "TKN", permit2: "USDT" } as const;

export type PermitKind = keyof typeof PERMIT_CURRENCIES;

export const PERMIT_KINDS = Object.keys(PERMIT_CURRENCIES) as PermitKind[];

/** Amounts that tests pay in each token, in the token's smallest unit. */
const AMOUNTS: Readonly<Record<string, bigint>> = { USDC: 50_000_000n, TKN: parseEther("50"), USDT: 50_000_000n };

/** Returns a quote request for a permit, from a token on the origin chain to dollars on the destination chain. */
export function permitRequest(network: Localnet, kind: PermitKind, change: Partial<QuoteRequest> = {}): QuoteRequest {
  const [origin, destination] = network.chains;
  const symbol = PERMIT_CURRENCIES[kind];
  const currency = chainTokens(origin.contracts).find((one) => one.symbol === symbol);
  return {
    user: network.accounts.user.address,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: currency?.address ?? "",
    destinationCurrency: destination.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: (AMOUNTS[symbol] ?? 0n).toString(),
    usePermit: true,
    ...change,
  };
}

export function quotePermit(network: Localnet, kind: PermitKind, change: Partial<QuoteRequest> = {}): Promise<Quote> {
  const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  return getQuote(client, permitRequest(network, kind, change));
}

/** Funds the user with the amounts that a test's permits spend. */
export async function fundPermits(network: Localnet, times = 20n): Promise<void> {
  const [origin] = network.chains;
  const wallet = userWallet(network, origin);
  const { dollar, token, tether, wrappedNative } = origin.contracts;
  const user = network.accounts.user.address;
  const mint = (amount: bigint): Hex =>
    encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [user, amount] });
  for (const transaction of [
    { to: dollar, data: mint((AMOUNTS.USDC ?? 0n) * times) },
    { to: token, data: mint((AMOUNTS.TKN ?? 0n) * times) },
    { to: tether, data: mint((AMOUNTS.USDT ?? 0n) * times) },
    {
      to: wrappedNative,
      data: encodeFunctionData({ abi: WRAPPED_ABI, functionName: "deposit" }),
      value: parseEther("10"),
    },
  ]) {
    await waitForTransactionReceipt(wallet, { hash: await sendTransaction(wallet, transaction) });
  }
}

/** EIP-712 message of a quote's signature step, in viem's format. */
export interface PermitStep {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export function permitStepOf(quote: Quote): PermitStep {
  const data = quote.steps.find(({ kind }) => kind === "signature")?.items[0]?.data;
  const { sign, post: posted } = parseData(SignatureDataSchema, data, "the step");
  return {
    domain: sign.domain as PermitStep["domain"],
    types: sign.types as PermitStep["types"],
    primaryType: sign.primaryType ?? "",
    message: sign.value as PermitStep["message"],
    body: posted.body as PermitStep["body"],
  };
}

/** Returns the token call with which any account can use a signature. */
export function rivalCall(quote: Quote, signature: Hex): { readonly to: Address; readonly data: Hex } {
  const { primaryType, message, domain } = permitStepOf(quote);
  const { r, s, yParity } = parseSignature(signature);
  const { from, owner, to, spender, value, validAfter, validBefore, deadline, nonce } = message;
  const number = (member: unknown): bigint => BigInt(String(member));
  const v = yParity + 27;
  return {
    to: domain.verifyingContract as Address,
    data:
      primaryType === "Permit"
        ? encodeFunctionData({
            abi: PERMIT_ABI,
            args: [owner as Address, spender as Address, number(value), number(deadline), v, r, s],
          })
        : encodeFunctionData({
            abi: localDollarAbi,
            functionName: "transferWithAuthorization",
            args: [
              from as Address,
              to as Address,
              number(value),
              number(validAfter),
              number(validBefore),
              nonce as Hex,
              v,
              r,
              s,
            ],
          }),
  };
}

/** Returns the user's signature for the step, or for a changed message. */
export function signPermit(
  network: Localnet,
  { domain, types, primaryType, message }: Omit<PermitStep, "body">,
  account: Localnet["accounts"]["user"] = network.accounts.user,
): Promise<Hex> {
  return account.signTypedData({ domain, types, primaryType, message });
}

export function postPermit(network: Localnet, body: unknown, signature: string): Promise<Answer> {
  return post(network, `/execute/permits?signature=${signature}`, body);
}

/**
 * Makes every call to a contract revert.
 *
 * @returns a function that restores the contract's code
 */
export async function breakContract(chain: LocalnetChain, address: Address): Promise<() => Promise<unknown>> {
  const code = await onNode(chain, "eth_getCode", address, "latest");
  await onNode(chain, "hardhat_setCode", address, "0x60006000fd");
  return () => onNode(chain, "hardhat_setCode", address, code);
}

/** Fees that give a transaction priority over the service's transactions. */
export const PREFERRED_FEES = {
  maxFeePerGas: 200_000_000_000n,
  maxPriorityFeePerGas: 100_000_000_000n,
  gas: 500_000n,
} as const;

/**
 * Orders a rival's transaction before the transactions that the service sends because of a call. No block is mined
 * until both are pending.
 *
 * @param call makes the service send a transaction on the origin chain
 * @param rival sends a transaction with {@link PREFERRED_FEES}, without waiting for its block
 */
export async function outrun(
  network: Localnet,
  call: () => Promise<unknown>,
  rival: () => Promise<unknown>,
): Promise<void> {
  const [origin] = network.chains;
  const pending = async (): Promise<number> =>
    ((await onNode(origin, "eth_pendingTransactions")) as readonly unknown[]).length;
  await onNode(origin, "evm_setAutomine", false);
  try {
    await call();
    await until(async () => (await pending()) > 0, { what: "the service's transaction" });
    await rival();
  } finally {
    await onNode(origin, "evm_mine");
    await onNode(origin, "evm_setAutomine", true);
  }
}
