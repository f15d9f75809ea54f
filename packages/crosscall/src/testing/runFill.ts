import {
  type Address,
  type TransactionReceipt,
  type Abi,
  formatTransactionReceipt,
  type Hash,
  type Hex,
  type RpcTransactionReceipt,
  getAddress,
  slice,
} from "viem";
import { EVM_NATIVE_CURRENCY, isEvmNative } from "@crosscall/protocol/chains";
import { TransactionFailedError } from "@crosscall/protocol/core";

import type { CallFrame } from "../replay/trace/callFrame.ts";
import { type FillPlan, encodeFill, type FillTransaction } from "../replay/fillPlan.ts";
import type { ReplayFinding, AllowanceChange, BalanceChange } from "../replay/replayReport.ts";
import type { Verdict } from "../replay/verdict.ts";
import {
  compareHoldings,
  listProxies,
  listTouched,
  readHoldings,
  type TouchedBalance,
} from "../replay/effects/effects.ts";
import { type Execution, toRpcCall, traceIncluded, traceTransaction } from "../replay/fork/runTransaction.ts";
import { explainFill } from "../replay/explain/explainFill.ts";
import { findLeftovers } from "../replay/explain/findings.ts";
import type { Fork } from "../replay/fork/fork.ts";
import { createDeal } from "../replay/deal.ts";

/** Result of a fill on a test's chain, for the matchers. */
export interface Fill {
  readonly plan: FillPlan;
  /** Delivered amount, in the smallest unit of the plan's currency. */
  readonly amount: bigint;
  /** Whether the fill works, and the cause if it fails. */
  readonly verdict: Verdict;
  /** Receipt of the fill's transaction, even if it reverted. */
  readonly receipt: TransactionReceipt;
  /** The call tree of the fill. */
  readonly trace: CallFrame;
  /** Balances of the fill's accounts, including unchanged balances. */
  readonly balances: readonly BalanceChange[];
  /** Allowances that the fill set or used. */
  readonly allowances: readonly AllowanceChange[];
  /** Called proxies and executors, which must end without funds, like the router. */
  readonly proxies: readonly Address[];
  /** Remaining funds on the router and the proxies. */
  readonly leftovers: readonly ReplayFinding[];
}

interface RunFillParameters {
  readonly plan: FillPlan;
  /** Delivered amount in the smallest unit. */
  readonly amount: bigint;
  /** Additional contracts that must end without funds. */
  readonly proxies: readonly Address[];
  readonly accounts: readonly Address[];
  readonly tokens: readonly Address[];
  readonly holders: readonly Address[];
  /** ABIs of called contracts, to decode their errors. */
  readonly abis: readonly Abi[];
}

/** Native balance of the solver in wei, enough for any fill. */
const SOLVER_BALANCE = 10n ** 30n;

/** Delivers the amount, sends the fill, and reads its effects. The effects stay on the chain. */
export async function runFill(fork: Fork, parameters: RunFillParameters): Promise<Fill> {
  const { plan, amount } = parameters;
  const transaction = encodeFill(plan, amount);
  await deliver(fork, parameters);
  // Runs a trial first, because only a trial shows which balances change.
  const { frame: trial } = await traceTransaction(fork, transaction, plan.gas);
  const proxies = listProxies(trial, plan, parameters.proxies);
  const touched = {
    balances: listWatched(trial, {
      accounts: [plan.router, plan.recipient, plan.refundTo, ...proxies, ...parameters.accounts],
      currencies: [plan.currency, ...parameters.tokens],
    }),
    allowances: listTouched(trial, plan, proxies).allowances,
  };
  const before = await readHoldings(fork, touched);
  const receipt = await sendFill(fork, transaction, plan.gas);
  const after = await readHoldings(fork, touched);
  const execution = await traceIncluded(fork, receipt.transactionHash);
  const effects = compareHoldings({ touched, before, after, root: execution.frame, plan });
  return {
    plan,
    amount,
    verdict: await explain(fork, parameters, execution),
    receipt,
    trace: execution.frame,
    ...effects,
    proxies,
    leftovers: execution.success ? findLeftovers({ plan, effects, proxies, delivered: amount }) : [],
  };
}

async function deliver(fork: Fork, { plan, amount, holders }: RunFillParameters): Promise<void> {
  const deal = createDeal(fork);
  await deal({ account: plan.solver, currency: EVM_NATIVE_CURRENCY, amount: SOLVER_BALANCE });
  if (isEvmNative(plan.currency)) return;
  await deal({ account: plan.router, currency: plan.currency, amount, holders });
}

/** Explains a failed fill on the current state, which the failure left unchanged. */
function explain(fork: Fork, { plan, abis }: RunFillParameters, execution: Execution): Promise<Verdict> {
  const before = <Result>(read: () => Promise<Result>): Promise<Result> => read();
  return explainFill({ prepared: { fork, execution, before }, plan, abis });
}

/** Error fields in which nodes return the hash of an included transaction. */
const HASH_FIELDS = ["transactionHash", "txHash"] as const;

/**
 * Sends from an account without a known key, and waits for inclusion, even if it reverts.
 *
 * @throws {@link TransactionFailedError} if the transaction is not included
 */
async function sendFill(
  fork: Fork,
  transaction: FillTransaction,
  gas: bigint = fork.environment.gasLimit,
): Promise<TransactionReceipt> {
  const { from } = transaction;
  await fork.request("hardhat_impersonateAccount", [from]);
  const hash = await send(fork, toRpcCall(transaction, gas, fork.environment.baseFeePerGas));
  await fork.request("hardhat_stopImpersonatingAccount", [from]);
  const raw = (await receiptOf(fork, hash)) ?? (await mineAndRead(fork, hash));
  if (raw !== null) return formatTransactionReceipt(raw);
  throw new TransactionFailedError({
    message: `the fill ${hash} is not in a block`,
    hint: "Make sure that the test's chain has no other pending transactions.",
    chainId: fork.chainId,
    txHash: hash,
  });
}

async function send(fork: Fork, transaction: Readonly<Record<string, Hex>>): Promise<Hash> {
  try {
    return (await fork.request("eth_sendTransaction", [transaction])) as Hash;
  } catch (error) {
    // Hardhat's node throws for a transaction that reverts, although it includes the transaction.
    const hash = hashIn(error);
    if (hash !== undefined) return hash;
    throw new TransactionFailedError({
      message: "the node rejects the fill",
      hint: "See the cause of this error. The test's chain must allow impersonation.",
      chainId: fork.chainId,
      cause: error,
    });
  }
}

async function mineAndRead(fork: Fork, hash: Hash): Promise<RpcTransactionReceipt | null> {
  await fork.request("evm_mine");
  return receiptOf(fork, hash);
}

async function receiptOf(fork: Fork, hash: Hash): Promise<RpcTransactionReceipt | null> {
  return (await fork.request("eth_getTransactionReceipt", [hash])) as RpcTransactionReceipt | null;
}

function hashIn(value: unknown): Hash | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const field of HASH_FIELDS) {
    const hash: unknown = (value as Readonly<Record<string, unknown>>)[field];
    if (typeof hash === "string") return hash as Hash;
  }
  const { data, cause } = value as { readonly data?: unknown; readonly cause?: unknown };
  return hashIn(data) ?? hashIn(cause);
}

/** Accounts to watch in addition to those in the calls. */
interface WatchedParties {
  readonly accounts: readonly Address[];
  readonly currencies: readonly Address[];
}

/** Matches an address in a word. Numbers are rarely in this range. */
const ADDRESS_WORD = /^0x0{24}(?!0{24})[0-9a-f]{40}$/iu;

/**
 * Lists the balances that a fill can change. Every contract that emits logs counts as a token, including NFTs and
 * lenders, and every account in the topics counts as a holder, because tokens log transfers in several ways.
 */
function listWatched(trace: CallFrame, parties: WatchedParties): readonly TouchedBalance[] {
  const accounts = new Set(parties.accounts.map((account) => getAddress(account)));
  const tokens = new Set(parties.currencies.map((currency) => getAddress(currency)));
  const paid = new Set(accounts);
  const follow = ({ value, from, to, logs, calls }: CallFrame): void => {
    if (value > 0n && to !== undefined) paid.add(from).add(to);
    for (const { address, topics } of logs) {
      tokens.add(getAddress(address));
      topics
        .slice(1)
        .flatMap(accountIn)
        .forEach((account) => accounts.add(account));
    }
    calls.forEach(follow);
  };
  follow(trace);
  return [
    ...[...paid].map((account) => ({ account, currency: EVM_NATIVE_CURRENCY })),
    ...[...tokens]
      .filter((token) => !isEvmNative(token))
      .flatMap((currency) => [...accounts].map((account) => ({ account, currency }))),
  ];
}

function accountIn(topic: Hex): Address[] {
  return ADDRESS_WORD.test(topic) ? [getAddress(slice(topic, 12))] : [];
}
