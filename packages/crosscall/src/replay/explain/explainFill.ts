import { type Abi, type Address, getAddress, size, encodeFunctionData, slice } from "viem";
import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import { readAmount } from "@crosscall/sdk/kit";
import type { FailReason } from "@crosscall/protocol/request";
import { classifyRevert, isMaskingError } from "@crosscall/protocol/reverts";
import { destinationProxyAbi } from "@crosscall/protocol/abi";

import { type CallFrame, readFrame } from "../trace/callFrame.ts";
import { type FillTransaction, type FillPlan, encodeFill } from "../fillPlan.ts";
import type { Fork } from "../fork/fork.ts";
import type { PreparedFill } from "../prepare/preparedFill.ts";
import { createAbiIndex } from "../trace/abiIndex.ts";
import { describeFailure } from "../trace/readTrace.ts";
import { type NumberedCalls, numberCalls } from "../trace/orderCalls.ts";
import type { FailedCondition, Verdict } from "../verdict.ts";
import { explainCause, failsForOther } from "./explainCause.ts";
import { findHint, generalHint } from "./hints.ts";
import { conditionOfError, type ErrorCondition } from "./errorConditions.ts";
import { type Cause, findCause } from "./findCause.ts";
import { contractOf, ownFrames } from "./placeOf.ts";
import {
  readNativeShortage,
  readOutputCondition,
  findRejectedTransfer,
  readShortage,
  readStandingAllowance,
} from "./stateConditions.ts";
import { toRpcCall, traceTransaction } from "../fork/runTransaction.ts";
import { callFork, readStateChanges, type StateChanges } from "../fork/readState.ts";

interface ExplainFillParameters {
  readonly prepared: Pick<PreparedFill, "fork" | "execution" | "before"> & Partial<Pick<PreparedFill, "original">>;
  readonly plan: FillPlan;
  /** ABIs of called contracts, to decode their errors. */
  readonly abis?: readonly Abi[];
}

interface Reason {
  readonly failReason: FailReason;
  readonly condition: FailedCondition | undefined;
  /** Frames from the root to the one whose error states the condition; undefined if it is read from the state. */
  readonly stated?: readonly CallFrame[];
}

interface Failure {
  readonly fork: Fork;
  readonly plan: FillPlan;
  readonly root: CallFrame;
  readonly cause: Cause;
  readonly numbered: NumberedCalls;
  /** Depth of the multicall's calls in the call tree; undefined if the cause is elsewhere. */
  readonly depth: number | undefined;
  readonly transaction: FillTransaction;
}

/** Size limit of a transaction on most nodes, in bytes. */
const TRANSACTION_SIZE_MAX = 131_072;

/** Reasons that only state that a call failed. */
const GENERAL: ReadonlySet<FailReason> = new Set(["EXECUTION_REVERTED", "MISSING_REVERT_DATA"]);

/**
 * Returns the cause of a failed fill: failReason, failed call of the order, numbers and hint. If an error does not
 * contain the numbers, reads them from the fork's state at the time of the call.
 */
export async function explainFill(parameters: ExplainFillParameters): Promise<Verdict> {
  const { prepared } = parameters;
  const { execution, original } = prepared;
  const bytes = size(execution.frame.input);
  if (original === undefined && bytes > TRANSACTION_SIZE_MAX) return tooLarge(bytes);
  return execution.success ? { outcome: "success" } : prepared.before(() => explainFailure(parameters));
}

/** Returns the verdict for a transaction of this size, which nodes reject, although a fork can run it. */
function tooLarge(bytes: number): Verdict {
  const failReason = "TRANSACTION_TOO_LARGE";
  return {
    outcome: "failure",
    failReason,
    txIndex: undefined,
    error: `${bytes} bytes of call data`,
    condition: { kind: "callDataBytes", needed: BigInt(bytes), had: BigInt(TRANSACTION_SIZE_MAX) },
    path: [],
    hint: generalHint(failReason),
    explanation: {
      kind: "input",
      cause: `the transaction has ${bytes} bytes of call data, and nodes accept ${TRANSACTION_SIZE_MAX}`,
      isCertain: true,
      source: undefined,
    },
  };
}

async function explainFailure({ prepared, plan, abis }: ExplainFillParameters): Promise<Verdict> {
  const { fork, execution } = prepared;
  const root = execution.frame;
  const numbered = numberCalls(root, plan);
  const cause = findCause(root);
  const above = numbered.frame === undefined ? -1 : cause.frames.indexOf(numbered.frame);
  const depth = above >= 0 && cause.path.length > above ? above + 1 : undefined;
  const { from, to = EVM_NATIVE_CURRENCY, input: data, value } = root;
  const failure: Failure = { fork, plan, root, cause, numbered, depth, transaction: { from, to, data, value } };
  const call = depth === undefined ? undefined : cause.frames[depth];
  const txIndex = call && numbered.indexes.get(call);
  const { failReason, condition, stated } = seenFrom(failure, call, await findReason(failure));
  const { explanation, toDo } = await explainCause({ fork, plan, cause, condition, stated, abis });
  // Uncertain numbers must not become a hint.
  const known = explanation.isCertain ? condition : undefined;
  return {
    outcome: "failure",
    failReason,
    txIndex,
    error: describeFailure(cause.frame, createAbiIndex(abis)) ?? "",
    condition,
    path: cause.path,
    hint: await findHint(fork, { plan, failReason, condition: known, txIndex, cause, call, numbered, toDo }),
    explanation,
  };
}

async function findReason(failure: Failure): Promise<Reason> {
  const { fork, root, cause, transaction } = failure;
  if (cause.frame.error === "out of gas") {
    return explainGas(fork, transaction, { frame: cause.frame, limit: root.gas });
  }
  const reported = reportedReason(cause);
  const numbers = await reportedCondition(failure);
  if (numbers !== undefined) return { failReason: reported, ...numbers };
  const read = await readReason(failure, reported);
  if (read !== undefined) return read;
  const isPriced = GENERAL.has(reported) && (await worksWithoutGasPrice(fork, transaction, root.gas));
  return { failReason: isPriced ? "TRANSACTION_REVERTED" : reported, condition: undefined };
}

/**
 * Returns the outermost specific reason. An error that replaces an inner error counts only if no inner error is
 * specific.
 */
function reportedReason({ frames }: Cause): FailReason {
  const reasons = frames.map(({ output }) => ({
    failReason: classifyRevert({ data: output }).failReason,
    isMasking: isMaskingError(output),
  }));
  const specific = reasons.filter(({ failReason }) => !GENERAL.has(failReason));
  const found = specific.find(({ isMasking }) => !isMasking) ?? specific[0] ?? reasons[0];
  return found?.failReason ?? "EXECUTION_REVERTED";
}

/** Returns the condition of the deepest error that contains numbers. */
async function reportedCondition({ fork, cause }: Failure): Promise<Required<Omit<Reason, "failReason">> | undefined> {
  const index = createAbiIndex();
  for (const [depth, frame] of [...cause.frames.entries()].toReversed()) {
    const item = index.readError(frame.output);
    const contract = contractOf(frame);
    const around = { contract, value: frame.value, timestamp: fork.environment.timestamp };
    const reported = item && conditionOfError(item, around);
    if (reported === undefined) continue;
    return { condition: await resolveCurrency(fork, contract, reported), stated: cause.frames.slice(0, depth + 1) };
  }
  return undefined;
}

/** Determines the reason from the fork and the trace. */
async function readReason(failure: Failure, reported: FailReason): Promise<Reason | undefined> {
  const { fork, plan, root, cause, numbered, depth } = failure;
  const call = depth === undefined ? undefined : cause.frames[depth];
  const place = call === undefined ? undefined : numbered.places.get(call);
  const changes = place === undefined ? undefined : await stateAtCall(fork, plan, numbered, root, place);
  // Starts from the state before the failed call, or before the whole fill.
  const followed = changes === undefined ? 0 : (depth ?? 0);
  const rejected = findRejectedTransfer(cause);
  const isShort = rejected !== undefined && !failsForOther(cause, rejected, createAbiIndex());
  const shortage = isShort ? await readShortage(fork, root, rejected, { changes, depth: followed }) : undefined;
  if (shortage !== undefined) {
    const short =
      shortage.kind === "allowance" ? "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE" : "TRANSFER_AMOUNT_EXCEEDS_BALANCE";
    return { failReason: GENERAL.has(reported) ? short : reported, condition: shortage };
  }
  const standing = await readStandingAllowance(fork, cause, changes);
  if (standing !== undefined) return { failReason: reported, condition: standing };
  const native = await readNativeShortage(fork, root, cause);
  if (native !== undefined) {
    const failReason = GENERAL.has(reported) ? "INSUFFICIENT_NATIVE_TOKENS_SUPPLIED" : reported;
    return { failReason, condition: native };
  }
  if (reported === "TOO_LITTLE_RECEIVED" || reported === "SLIPPAGE") {
    const condition = await readOutputCondition(fork, cause.frames, changes);
    return condition && { failReason: reported, condition };
  }
  const late = reported === "SIGNATURE_EXPIRED" ? readDeadline(cause, fork.environment.timestamp) : undefined;
  return late && { failReason: reported, condition: late };
}

/** Reads the deadline from the arguments of the contract that rejects it, if the error does not contain it. */
function readDeadline({ frames }: Cause, timestamp: bigint): FailedCondition | undefined {
  const index = createAbiIndex();
  const raised = frames.findLastIndex(
    ({ output }) => classifyRevert({ data: output }).failReason === "SIGNATURE_EXPIRED",
  );
  for (const { input } of ownFrames(frames.slice(0, raised + 1)).own.toReversed()) {
    const args = size(input) < 4 ? undefined : index.readCall(input)?.args;
    const had = args && (readAmount(args, "deadline") ?? readAmount(args, "params.deadline"));
    if (had !== undefined && had < timestamp) {
      return { kind: "deadline", needed: timestamp, had };
    }
  }
  return undefined;
}

/** Adjusts the reason if one of the solver's own calls failed. */
function seenFrom({ numbered, depth }: Failure, call: CallFrame | undefined, reason: Reason): Reason {
  if (call === undefined || depth === undefined || numbered.indexes.has(call)) return reason;
  const isSolvers = numbered.places.has(call);
  if (!isSolvers) return GENERAL.has(reason.failReason) ? { ...reason, failReason: "TRANSFER_FAILED" } : reason;
  if (reason.failReason === "TRANSFER_AMOUNT_EXCEEDS_BALANCE")
    return { ...reason, failReason: "SOLVER_BALANCE_TOO_LOW" };
  return reason.failReason === "INVALID_NONCE" ? { ...reason, failReason: "ORDER_ALREADY_FILLED" } : reason;
}

/** Adds a proxy's input or output currency to its condition. */
async function resolveCurrency(fork: Fork, proxy: Address, condition: ErrorCondition): Promise<FailedCondition> {
  if (condition.kind !== "proxyInput" && condition.kind !== "proxyOutput") return condition;
  const isInput = condition.kind === "proxyInput";
  const currency = await readProxyToken(fork, proxy, isInput ? "inputToken" : "outputToken");
  return { kind: isInput ? "input" : "output", needed: condition.needed, had: condition.had, currency };
}

/** Reads a token of a proxy. Returns undefined if the contract is not a proxy of the kit. */
async function readProxyToken(
  fork: Fork,
  proxy: Address,
  functionName: "inputToken" | "outputToken",
): Promise<Address | undefined> {
  const data = encodeFunctionData({ abi: destinationProxyAbi, functionName });
  const result = await callFork(fork, { to: proxy, data });
  return result === undefined || size(result) !== 32 ? undefined : getAddress(slice(result, 12));
}

/**
 * Runs only the multicall's earlier calls and returns their state changes. Native currency that they leave stays on the
 * router.
 *
 * @param place index of the call in the multicall, from 0
 * @returns undefined if the solver does not call the router directly, because then the calls cannot be run
 */
async function stateAtCall(
  fork: Fork,
  plan: FillPlan,
  { frame, multicall }: NumberedCalls,
  root: CallFrame,
  place: number,
): Promise<StateChanges | undefined> {
  if (multicall === undefined || frame !== root) return undefined;
  const { routerVersion, nftRecipient, calls } = multicall;
  const part = { ...plan, routerVersion, nftRecipient, calls: calls.slice(0, place), refundTo: plan.router };
  return readStateChanges(fork, { ...encodeFill(part, 0n), from: root.from, value: root.value });
}

/** Gas that Solidity's `transfer` and `send` pass to the recipient. */
const STIPEND = 2_300n;

interface GasCause {
  readonly failReason: FailReason;
  readonly condition: FailedCondition | undefined;
}

/**
 * Runs the transaction with the whole block's gas, to distinguish a low gas limit from endless recursion or loops.
 *
 * @param limit gas limit of the transaction
 */
async function explainGas(
  fork: Fork,
  transaction: FillTransaction,
  { frame, limit }: { readonly frame: CallFrame; readonly limit: bigint },
): Promise<GasCause> {
  if (frame.value > 0n && frame.gas <= STIPEND) {
    return { failReason: "TRANSFER_FAILED", condition: undefined };
  }
  if (limit < fork.environment.gasLimit) {
    const works = async (gas: bigint): Promise<boolean> => (await traceTransaction(fork, transaction, gas)).success;
    if (await works(fork.environment.gasLimit)) {
      const needed = await findSmallest(limit, fork.environment.gasLimit, works);
      return {
        failReason: "QUOTED_GAS_LIMIT_EXCEEDED",
        condition: { kind: "gas", needed, had: limit },
      };
    }
  }
  return { failReason: "SWAP_USES_TOO_MUCH_GAS", condition: undefined };
}

/** Finds the smallest working number by bisection between a failing and a working number. */
async function findSmallest(
  fails: bigint,
  works: bigint,
  isWorking: (value: bigint) => Promise<boolean>,
): Promise<bigint> {
  if (works - fails <= 1n) return works;
  const middle = (fails + works) / 2n;
  return (await isWorking(middle)) ? findSmallest(fails, middle, isWorking) : findSmallest(middle, works, isWorking);
}

/** Returns whether the transaction works without a gas price, as in a gas estimate. */
async function worksWithoutGasPrice(fork: Fork, transaction: FillTransaction, gas: bigint): Promise<boolean> {
  const call = toRpcCall(transaction, gas, 0n);
  const raw = await fork.request("debug_traceCall", [call, "latest", { tracer: "callTracer" }]);
  return readFrame(raw).error === undefined;
}
