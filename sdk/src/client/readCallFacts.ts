import {
  type Address,
  BaseError,
  type Client,
  erc20Abi,
  erc4626Abi,
  getAddress,
  HttpRequestError,
  isAddress,
  SocketClosedError,
  TimeoutError,
  WebSocketRequestError,
} from "viem";
import { getBlock, getCode, readContract } from "viem/actions";

import { listOperations } from "../calls/check/listOperations.ts";
import type {
  AccountFacts,
  RouterAllowance,
  CallFacts,
  CheckedContracts,
  TokenFacts,
} from "../calls/check/parameters.ts";
import { decodeCalls } from "../calls/decode/decodeCalls.ts";
import { abortable } from "../core/abort.ts";
import { ChainError } from "../core/errors.ts";
import type { Call } from "../protocol/common/call.ts";
import { probeApprove } from "./probeApprove.ts";
import { isEvmNative } from "../chains/address.ts";

export interface ReadCallFactsParameters {
  readonly txs: readonly Call[];
  readonly contracts: CheckedContracts;
  readonly signal?: AbortSignal;
}

interface Allowed {
  readonly token: Address;
  readonly spender: Address;
}

/**
 * Reads from the destination chain what `checkCalls` can use: code of targets, assets of vaults, allowances of the
 * router, and the decimals and `approve` behavior of approved tokens. Reads the latest block and leaves out what a
 * contract does not report.
 *
 * @param client a viem client of the destination chain
 * @throws {@link ChainError} when the endpoint cannot be reached
 * @throws {@link AbortedError} when the signal fires
 */
export async function readCallFacts(
  client: Client,
  { txs, contracts, signal }: ReadCallFactsParameters,
): Promise<CallFacts> {
  const reads = readFacts(client, txs, contracts);
  return abortable(reads, signal, "reading facts about the calls");
}

async function readFacts(client: Client, txs: readonly Call[], contracts: CheckedContracts): Promise<CallFacts> {
  const calls = decodeCalls(txs);
  const router = getAddress(contracts.router);
  const targets = unique(
    listOperations(calls, { contracts, facts: {} }).flatMap((operation) =>
      operation.kind === "call" ? [operation.call.to] : [],
    ),
  );
  const [accounts, block] = await Promise.all([
    Promise.all(targets.map((address) => readAccount(client, address))),
    ask(client, () => getBlock(client, { includeTransactions: false })),
  ]);
  // With the vaults' assets, more operations are recognized.
  const operations = listOperations(calls, { contracts, facts: { accounts } });
  const pairs = operations.flatMap((operation) =>
    operation.kind === "approve" || (operation.kind === "take" && operation.token !== undefined)
      ? [{ token: operation.token ?? "", spender: operation.spender }]
      : [],
  );
  const allowed = uniquePairs(pairs);
  // A call to an account without code succeeds.
  const empty = accounts.filter(({ hasCode }) => hasCode === false).map(({ address }) => address);
  const tokens = unique(allowed.map(({ token }) => token)).filter((token) => !empty.includes(token));
  const [allowances, tokenFacts] = await Promise.all([
    Promise.all(allowed.map((pair) => readAllowance(client, router, pair))),
    Promise.all(tokens.map((token) => readToken(client, token, router))),
  ]);
  return {
    accounts,
    tokens: tokenFacts,
    allowances: allowances.filter((allowance) => allowance !== undefined),
    ...(block === undefined ? {} : { timestamp: block.timestamp }),
  };
}

async function readAccount(client: Client, address: Address): Promise<AccountFacts> {
  const [answer, asset] = await Promise.all([
    ask(client, async () => ({ code: await getCode(client, { address }) })),
    ask(client, () => readContract(client, { address, abi: erc4626Abi, functionName: "asset" })),
  ]);
  return {
    address,
    ...(answer === undefined ? {} : { hasCode: answer.code !== undefined }),
    ...(asset === undefined ? {} : { asset }),
  };
}

async function readAllowance(client: Client, router: Address, pair: Allowed): Promise<RouterAllowance | undefined> {
  const { token, spender } = pair;
  const read = { address: token, abi: erc20Abi, functionName: "allowance", args: [router, spender] } as const;
  const amount = await ask(client, () => readContract(client, read));
  return amount === undefined ? undefined : { ...pair, amount };
}

async function readToken(client: Client, address: Address, spender: Address): Promise<TokenFacts> {
  const [decimals, behaviour] = await Promise.all([
    ask(client, () => readContract(client, { address, abi: erc20Abi, functionName: "decimals" })),
    ask(client, () => probeApprove(client, address, spender)),
  ]);
  return { address, ...(decimals === undefined ? {} : { decimals }), ...behaviour };
}

/** Undefined for an error, since these functions are optional. */
async function ask<Answer>(client: Client, read: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const failure = error.walk(isUnreachable);
    if (failure === null) return undefined;
    throw new ChainError({
      message: `chain ${client.chain?.id ?? "of unknown id"} could not be read for facts about the calls`,
      hint: "Check the RPC URL of the destination chain and that the node responds, or check without facts.",
      chainId: client.chain?.id,
      cause: error,
    });
  }
}

function isUnreachable(error: unknown): boolean {
  return (
    error instanceof HttpRequestError ||
    error instanceof TimeoutError ||
    error instanceof WebSocketRequestError ||
    error instanceof SocketClosedError
  );
}

function unique(accounts: readonly string[]): Address[] {
  const addresses = accounts.filter((account) => isAddress(account, { strict: false }) && !isEvmNative(account));
  return [...new Set(addresses.map((address) => getAddress(address)))];
}

function uniquePairs(pairs: readonly { token: string; spender: string }[]): Allowed[] {
  const byKey = pairs.flatMap(({ token, spender }): [string, Allowed][] => {
    const [tokenAddress] = unique([token]);
    const [spenderAddress] = unique([spender]);
    if (tokenAddress === undefined || spenderAddress === undefined) return [];
    return [[`${tokenAddress} ${spenderAddress}`, { token: tokenAddress, spender: spenderAddress }]];
  });
  return [...new Map(byKey).values()];
}
