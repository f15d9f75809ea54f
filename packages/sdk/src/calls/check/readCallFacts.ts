import {
  type Address,
  BaseError,
  type Client,
  concatHex,
  erc20Abi,
  erc4626Abi,
  getAddress,
  type Hex,
  hexToBigInt,
  HttpRequestError,
  isAddress,
  numberToHex,
  padHex,
  size,
  slice,
  SocketClosedError,
  TimeoutError,
  WebSocketRequestError,
} from "viem";
import { getBlock, getCode } from "viem/actions";

import { call, isEvmNative, readContract } from "@crosscall/protocol/chains";

import { listOperations } from "./listOperations.ts";
import {
  type AccountFacts,
  type CallFacts,
  CHECK_OPTIONS,
  type CheckedContracts,
  type Permit2Allowance,
  type RouterAllowance,
  type TokenFacts,
} from "./parameters.ts";
import { decodeCalls } from "../decode/decodeCalls.ts";
import { rejectMisspelledOptions, rejectUnknownNestedOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { abortable, ChainError } from "@crosscall/protocol/core";
import type { Call } from "@crosscall/protocol/common";

const push = (value: Hex): Hex => concatHex([`0x${(0x5f + size(value)).toString(16)}`, value]);
const MSTORE: Hex = "0x52";
const RETURNDATASIZE: Hex = "0x3d";
const RETURN: Hex = "0xf3";
const GAS_AND_CALL: Hex = "0x5af1";

const SELECTOR: Hex = "0x095ea7b3";
const CALL_LENGTH: Hex = "0x44";
/** Memory offsets of the results, one word each. */
const FIRST = { answer: "0x80", isOk: "0xa0" } as const;
const SECOND = { answer: "0xc0", isOk: "0xe0" } as const;
const FIRST_SIZE: Hex = "0x0100";
const RESPONSE_LENGTH = 5 * 32;

/**
 * Tests a token's `approve` with an `eth_call` that creates a contract. The contract approves 1, then 2, and returns
 * both results. Changes nothing, and does not depend on state.
 * @returns undefined if the first approval fails, because the second result is then unknown
 */
async function probeApprove(
  client: Client,
  token: Address,
  spender: Address,
): Promise<{ readonly refusesAllowanceChange: boolean; readonly approveReturnsNothing: boolean } | undefined> {
  const data = await call(client, undefined, probeOf(token, spender));
  if (size(data) !== RESPONSE_LENGTH) return undefined;
  const wordAt = (index: number): bigint => hexToBigInt(slice(data, 32 * index, 32 * (index + 1)));
  const approveReturnsNothing = wordAt(4) === 0n;
  // Some tokens return false instead of reverting.
  const succeeds = (answer: bigint, isOk: bigint): boolean => isOk === 1n && (approveReturnsNothing || answer !== 0n);
  if (!succeeds(wordAt(0), wordAt(1))) return undefined;
  return { refusesAllowanceChange: !succeeds(wordAt(2), wordAt(3)), approveReturnsNothing };
}

function probeOf(token: Address, spender: Address): Hex {
  const store = (value: Hex, offset: Hex): Hex => concatHex([push(value), push(offset), MSTORE]);
  const approve = (amount: Hex, place: typeof FIRST | typeof SECOND): Hex =>
    concatHex([
      store(amount, "0x24"),
      // Result length and offset, call data length and offset, no value, the token.
      ...(["0x20", place.answer, CALL_LENGTH, "0x00", "0x00", token] as const).map(push),
      GAS_AND_CALL,
      push(place.isOk),
      MSTORE,
    ]);
  return concatHex([
    store(padHex(SELECTOR, { dir: "right", size: 32 }), "0x00"),
    store(spender, "0x04"),
    approve("0x01", FIRST),
    RETURNDATASIZE,
    push(FIRST_SIZE),
    MSTORE,
    approve("0x02", SECOND),
    push(numberToHex(RESPONSE_LENGTH)),
    push(FIRST.answer),
    RETURN,
  ]);
}

export interface ReadCallFactsParameters {
  readonly txs: readonly Call[];
  readonly contracts: CheckedContracts;
  /** Accounts to check for contracts that exist only on the origin chain. */
  readonly origin?: {
    /** A viem client of the origin chain. */
    readonly client: Client;
    /** For example, the recipient or the user. */
    readonly accounts: readonly string[];
  };
  readonly signal?: AbortSignal;
}

interface Allowed {
  readonly token: Address;
  readonly spender: Address;
}

/**
 * Reads facts for `checkCalls` from the destination chain: code of targets, assets of vaults, the router's allowances,
 * and the decimals and `approve` behavior of approved tokens. Reads the state of the latest block, and omits facts that
 * a contract does not report.
 *
 * @param client a viem client of the destination chain
 * @throws {@link ChainError} when the endpoint cannot be reached
 * @throws {@link AbortedError} when the signal aborts
 */
export async function readCallFacts(client: Client, parameters: ReadCallFactsParameters): Promise<CallFacts> {
  rejectMisspelledOptions(parameters, ["txs", "contracts", "origin", "signal"]);
  rejectUnknownNestedOptions(parameters, { contracts: CHECK_OPTIONS.contracts, origin: { client: 1, accounts: 1 } });
  const { txs, contracts, origin, signal } = parameters;
  const reads = Promise.all([
    readFacts(client, txs, contracts),
    origin === undefined ? undefined : listMissing(client, origin),
  ]);
  const [facts, missingAccounts] = await abortable(reads, signal, "reading facts about the calls");
  return { ...facts, ...(missingAccounts === undefined ? {} : { missingAccounts }) };
}

/**
 * Prefix of a delegating account's code (EIP-7702). Such an account is controlled by a key, so it exists on every
 * chain.
 */
const DELEGATION = "0xef0100";

async function listMissing(
  client: Client,
  { client: originClient, accounts }: NonNullable<ReadCallFactsParameters["origin"]>,
): Promise<readonly Address[]> {
  const found = await Promise.all(
    unique(accounts).map(async (address) => {
      const read = (chain: Client) => ask(chain, async () => ({ code: await getCode(chain, { address }) }));
      const [there, here] = await Promise.all([read(originClient), read(client)]);
      const isContract = there?.code !== undefined && !there.code.startsWith(DELEGATION);
      return isContract && here !== undefined && here.code === undefined ? [address] : [];
    }),
  );
  return found.flat();
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
  // The vaults' assets make more operations recognizable.
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
  const permit2Uses = operations.flatMap((operation) =>
    operation.kind === "take" && operation.through !== undefined && operation.token !== undefined
      ? uniquePairs([{ token: operation.token, spender: operation.through }]).map((pair) => ({
          ...pair,
          permit2: getAddress(operation.spender),
        }))
      : [],
  );
  const [allowances, permit2Allowances, tokenFacts] = await Promise.all([
    Promise.all(allowed.map((pair) => readAllowance(client, router, pair))),
    Promise.all(permit2Uses.map((use) => readPermit2Allowance(client, router, use))),
    Promise.all(tokens.map((token) => readToken(client, token, router))),
  ]);
  return {
    accounts,
    tokens: tokenFacts,
    allowances: allowances.filter((allowance) => allowance !== undefined),
    permit2Allowances: permit2Allowances.filter((allowance) => allowance !== undefined),
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

async function readPermit2Allowance(
  client: Client,
  router: Address,
  { permit2, token, spender }: Allowed & { readonly permit2: Address },
): Promise<Permit2Allowance | undefined> {
  const read = {
    address: permit2,
    abi: permit2Abi,
    functionName: "allowance",
    args: [router, token, spender],
  } as const;
  const found = await ask(client, () => readContract(client, read));
  return found === undefined ? undefined : { token, spender, amount: found[0], expiration: BigInt(found[1]) };
}

const permit2Abi = [
  {
    type: "function",
    name: "allowance",
    stateMutability: "view",
    inputs: ["user", "token", "spender"].map((name) => ({ name, type: "address" as const })),
    outputs: [
      { name: "amount", type: "uint160" },
      { name: "expiration", type: "uint48" },
      { name: "nonce", type: "uint48" },
    ],
  },
] as const;

async function readToken(client: Client, address: Address, spender: Address): Promise<TokenFacts> {
  const [decimals, behavior] = await Promise.all([
    ask(client, () => readContract(client, { address, abi: erc20Abi, functionName: "decimals" })),
    ask(client, () => probeApprove(client, address, spender)),
  ]);
  return { address, ...(decimals === undefined ? {} : { decimals }), ...behavior };
}

/** Returns undefined for an error, because these functions are optional. */
async function ask<Answer>(client: Client, read: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const failure = error.walk(isUnreachable);
    if (failure === null) return undefined;
    throw new ChainError({
      message: `facts about the calls could not be read from chain ${client.chain?.id ?? "unknown"}`,
      hint: "Check the destination chain's RPC URL and that the node responds, or check without facts.",
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
