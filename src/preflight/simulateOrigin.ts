import {
  type Address,
  decodeEventLog,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  type Log,
  numberToHex,
  toEventSelector,
  zeroAddress,
} from "viem";

import { depositoryAbi } from "@crosscall/sdk/internal/abi/depository.generated";
import { isEvmNative, isSameAddress } from "@crosscall/sdk/internal/chains/address";
import { parseAmount } from "@crosscall/sdk/internal/core/amounts";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { minimumOutput, quotedInput } from "@crosscall/sdk/internal/protocol/quote/minimumOutput";
import { originChainIdOf, type PlannedTransaction, planSteps } from "@crosscall/sdk/internal/protocol/quote/planSteps";
import type { Quote } from "@crosscall/sdk/internal/protocol/quote/quote";
import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { mostInput, readTerms } from "@crosscall/sdk/internal/verify/terms";
import { isTrusted, serviceTrust, type ServiceTrust } from "@crosscall/sdk/internal/verify/trust";
import type { Fork } from "../replay/fork/fork.ts";
import { openFork } from "../replay/fork/openFork.ts";
import type { PreflightFinding } from "./originFinding.ts";

export interface SimulateOriginParameters {
  readonly request: QuoteRequest;
  readonly quote: Quote;
  /** JSON-RPC endpoint of the origin chain. It is only read. */
  readonly rpcUrl: string;
  /** Pinned addresses: only their depositories can record the deposit. */
  readonly trust?: ServiceTrust;
  readonly signal?: AbortSignal | undefined;
}

const TRANSFER = toEventSelector("Transfer(address,address,uint256)");

interface Receipt {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly logs: readonly Log[];
}

/** Accounts' balances and allowances that the steps could change. */
interface Holdings {
  readonly native: bigint;
  readonly output: bigint;
  readonly tokens: ReadonlyMap<Address, bigint>;
  /** By token and spender. */
  readonly allowances: ReadonlyMap<string, bigint>;
}

interface OriginFacts extends SimulateOriginParameters {
  readonly before: Holdings;
  readonly after: Holdings;
  readonly logs: readonly Log[];
  /** Wei. */
  readonly gas: bigint;
  /** Most of the input that may leave the user. */
  readonly most: bigint;
}

/**
 * Executes the transactions of a quote's steps on a fork of the origin chain, from the user's account and in order, and
 * finds what they do beyond what was asked for.
 *
 * @throws {@link InvalidInputError} when a step is no EVM transaction
 * @throws {@link ChainError} when the chain does not respond
 * @throws {@link WrongChainError} when the endpoint serves another chain
 * @throws {@link AbortedError} when the signal fires
 */
export async function simulateOrigin(parameters: SimulateOriginParameters): Promise<readonly PreflightFinding[]> {
  const { request, quote, rpcUrl, signal } = parameters;
  const transactions = planSteps(quote.steps, originChainIdOf(quote)).map(requireTransaction);
  const fork = await openFork({ rpcUrl, chainId: request.originChainId, signal });
  try {
    return await simulate(fork, parameters, transactions);
  } finally {
    await fork.close();
  }
}

async function simulate(
  fork: Fork,
  parameters: SimulateOriginParameters,
  transactions: readonly PlannedTransaction[],
): Promise<readonly PreflightFinding[]> {
  const { request } = parameters;
  const run = await fork.isolate(async () => {
    const receipts: Receipt[] = [];
    for (const transaction of transactions) {
      const receipt = await execute(fork, transaction);
      if (receipt?.status !== "0x1") return transaction;
      receipts.push(receipt);
    }
    const logs = receipts.flatMap((receipt) => receipt.logs);
    const touched = tokensOf(logs, request.user as Address);
    return { receipts, logs, touched, after: await readHoldings(fork, request, touched) };
  });
  if ("stepId" in run) {
    return [{ code: "TRANSACTION_REVERTED", reason: `the transaction of step ${run.stepId} to ${run.to} reverts` }];
  }
  const before = await readHoldings(fork, request, run.touched);
  const gas = run.receipts.reduce(
    (sum, { gasUsed, effectiveGasPrice }) => sum + hexToBigInt(gasUsed) * hexToBigInt(effectiveGasPrice),
    0n,
  );
  const { trust = serviceTrust, quote } = parameters;
  const most = mostInput(readTerms({ request, quote, trust, limits: {}, now: 0 }));
  const facts: OriginFacts = { ...parameters, ...run, before, gas, most };
  return [...findLosses(facts), ...findAllowances(facts), ...findOutput(facts)];
}

function requireTransaction(action: ReturnType<typeof planSteps>[number]): PlannedTransaction {
  if (action.kind === "transaction") return action;
  throw new InvalidInputError({
    field: "quote.steps",
    value: action.kind,
    reason: "only EVM transactions can be simulated",
    hint: "Verify the quote, and decide about this step yourself.",
  });
}

/** Undefined if the node does not take it. */
async function execute(fork: Fork, { from, to, data, value, gas }: PlannedTransaction): Promise<Receipt | undefined> {
  await fork.request("hardhat_impersonateAccount", [from]);
  const transaction = {
    from,
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(gas ?? 10_000_000n),
  };
  const hash = await fork.request("eth_sendTransaction", [transaction]).catch(() => undefined);
  if (hash === undefined) return undefined;
  return (await fork.request("eth_getTransactionReceipt", [hash])) as Receipt;
}

interface TouchedTokens {
  readonly tokens: ReadonlySet<Address>;
  readonly approvals: readonly { readonly token: Address; readonly spender: Address }[];
}

function tokensOf(logs: readonly Log[], user: Address): TouchedTokens {
  const tokens = new Set<Address>();
  const approvals: { token: Address; spender: Address }[] = [];
  for (const log of logs) {
    const event = tryDecode(log);
    // Tokens of ERC-721 have the same event, with an indexed id, and the same balance function.
    const [topic, from] = log.topics;
    if (topic === TRANSFER && from !== undefined && hexToBigInt(from) === hexToBigInt(user)) tokens.add(log.address);
    if (event?.eventName === "Approval" && isSameAddress(event.args.owner, user)) {
      approvals.push({ token: log.address, spender: event.args.spender });
    }
  }
  return { tokens, approvals };
}

function tryDecode({ data, topics }: Log) {
  try {
    return decodeEventLog({ abi: erc20Abi, data, topics });
  } catch {
    return undefined;
  }
}

async function readHoldings(
  fork: Fork,
  { user, recipient = user, destinationCurrency, originCurrency }: QuoteRequest,
  { tokens, approvals }: TouchedTokens,
): Promise<Holdings> {
  const balances = new Map<Address, bigint>();
  const read = isEvmNative(originCurrency) ? tokens : new Set([...tokens, originCurrency as Address]);
  for (const token of read) balances.set(token, await balanceOf(fork, token, user as Address));
  const allowances = new Map<string, bigint>();
  for (const { token, spender } of approvals) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [user as Address, spender] });
    allowances.set(`${token} ${spender}`, hexToBigInt(await call(fork, token, data)));
  }
  return {
    native: await balanceOf(fork, zeroAddress, user as Address),
    output: await balanceOf(fork, destinationCurrency as Address, recipient as Address).catch(() => 0n),
    tokens: balances,
    allowances,
  };
}

async function balanceOf(fork: Fork, token: Address, account: Address): Promise<bigint> {
  if (isEvmNative(token)) return hexToBigInt((await fork.request("eth_getBalance", [account, "latest"])) as Hex);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
  return decodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", data: await call(fork, token, data) });
}

async function call(fork: Fork, to: Address, data: Hex): Promise<Hex> {
  return (await fork.request("eth_call", [{ to, data }, "latest"])) as Hex;
}

function findLosses({ request, most, before, after, gas }: OriginFacts): PreflightFinding[] {
  const { originCurrency } = request;
  const findings: PreflightFinding[] = [];
  const isNative = isEvmNative(originCurrency);
  const native = before.native - after.native - gas;
  if (native > (isNative ? most : 0n)) {
    const code = isNative ? "INPUT_EXCEEDED" : "OTHER_FUNDS_LEFT";
    findings.push({
      code,
      reason: `${native} wei leave the user beside gas, and ${isNative ? most : 0n} were asked for`,
    });
  }
  for (const [token, balance] of before.tokens) {
    const lost = balance - (after.tokens.get(token) ?? 0n);
    const isInput = isSameAddress(token, originCurrency);
    if (lost > (isInput ? most : 0n)) {
      const code = isInput ? "INPUT_EXCEEDED" : "OTHER_FUNDS_LEFT";
      findings.push({ code, reason: `${lost} of ${token} leave the user, and ${isInput ? most : 0n} were asked for` });
    }
  }
  return findings;
}

/** A swap with a fixed output may leave the part of its approval that it did not need. */
function findAllowances({ request, quote, most, before, after }: OriginFacts): PreflightFinding[] {
  return [...after.allowances].flatMap(([key, left]) => {
    const was = before.allowances.get(key) ?? 0n;
    const [token = "", spender = ""] = key.split(" ");
    const tolerance = isSameAddress(token, request.originCurrency) ? most - quotedInput(quote) : 0n;
    if (left <= was || left <= tolerance) return [];
    return [{ code: "ALLOWANCE_LEFT" as const, reason: `${spender} may take ${left} of ${token} afterwards` }];
  });
}

function findOutput({
  request,
  quote,
  trust = serviceTrust,
  before,
  after,
  logs,
  gas,
}: OriginFacts): PreflightFinding[] {
  const { orderId, orderData } = quote.protocol?.v2 ?? {};
  if (request.originChainId === request.destinationChainId) {
    // Calls spend the output.
    if ((request.txs ?? []).length > 0) return [];
    const { user, recipient = user, destinationCurrency } = request;
    const least = minimumOutput(quote);
    const paysGas = isEvmNative(destinationCurrency) && isSameAddress(user, recipient);
    const gained = after.output - before.output + (paysGas ? gas : 0n);
    return gained >= least
      ? []
      : [{ code: "OUTPUT_MISSING", reason: `the recipient gains ${gained}, less than ${least}` }];
  }
  if (request.useDepositAddress === true) return [];
  const amount = parseAmount(orderData?.inputs?.[0]?.payment?.amount, "protocol.v2.orderData.inputs[0].payment.amount");
  const depositories = trust[request.originChainId]?.depositories;
  const isDeposited = logs.some((log) => {
    // Any contract can emit the event.
    const event = isTrusted(depositories, log.address) ? tryDecodeDeposit(log) : undefined;
    return event !== undefined && event.id.toLowerCase() === orderId?.toLowerCase() && event.amount >= amount;
  });
  if (isDeposited) return [];
  return [{ code: "DEPOSIT_MISSING", reason: `no deposit of ${amount} for order ${orderId} is recorded` }];
}

function tryDecodeDeposit({ data, topics }: Log): { readonly id: Hex; readonly amount: bigint } | undefined {
  try {
    const { eventName, args } = decodeEventLog({ abi: depositoryAbi, data, topics });
    if (eventName !== "RelayNativeDeposit" && eventName !== "RelayErc20Deposit") return undefined;
    return { id: args.id, amount: args.amount };
  } catch {
    return undefined;
  }
}
