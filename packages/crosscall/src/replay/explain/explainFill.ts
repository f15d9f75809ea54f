import { type Abi, type Address, getAddress, size } from "viem";

import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import { readAmount } from "@crosscall/sdk/kit";
import type { FailReason } from "@crosscall/protocol/request";
import { classifyRevert, isMaskingError } from "@crosscall/protocol/reverts";
import type { CallFrame } from "../callFrame.ts";
import type { FillTransaction } from "../encodeFill.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { Fork } from "../fork/fork.ts";
import type { PreparedFill } from "../prepare/preparedFill.ts";
import { createAbiIndex } from "../trace/abiIndex.ts";
import { describeFailure } from "../trace/describeItem.ts";
import { type NumberedCalls, numberCalls } from "../trace/numberCalls.ts";
import type { FailedCondition, Verdict } from "../verdict.ts";
import { hintFor } from "./hintFor.ts";
import { generalHint } from "./generalHint.ts";
import { conditionOfError, type ErrorCondition } from "./errorConditions.ts";
import { type Cause, findCause } from "./findCause.ts";
import { explainGas } from "./gasCause.ts";
import { readHint } from "./hints.ts";
import { readNativeShortage } from "./nativeCondition.ts";
import { readOutputCondition } from "./outputCondition.ts";
import { readProxyToken } from "./readProxyToken.ts";
import { stateAtCall } from "./stateAtCall.ts";
import { findRefusal, readShortage, readStandingAllowance } from "./tokenCondition.ts";
import { worksWithoutGasPrice } from "./worksWithoutGasPrice.ts";

export interface ExplainFillParameters {
  readonly prepared: Pick<PreparedFill, "fork" | "execution" | "before"> & Partial<Pick<PreparedFill, "original">>;
  readonly plan: FillPlan;
  /** ABIs of called contracts, to name their errors. */
  readonly abis?: readonly Abi[];
}

interface Reason {
  readonly failReason: FailReason;
  readonly condition: FailedCondition | undefined;
}

interface Failure {
  readonly fork: Fork;
  readonly plan: FillPlan;
  readonly root: CallFrame;
  readonly cause: Cause;
  readonly numbered: NumberedCalls;
  /** Number of frames above the multicall's calls; undefined if the cause is elsewhere. */
  readonly depth: number | undefined;
  readonly transaction: FillTransaction;
}

/** Most nodes' limit of a transaction, in bytes. */
const TRANSACTION_SIZE_MAX = 131_072;

/** Reasons that only say that something failed. */
const GENERAL: ReadonlySet<FailReason> = new Set(["EXECUTION_REVERTED", "MISSING_REVERT_DATA"]);

/**
 * The cause as a failReason (spec 1, section 2.6), with the failed call of the order, the numbers, and a hint. What
 * errors do not contain is read from the fork's state at the time of the call.
 */
export async function explainFill(parameters: ExplainFillParameters): Promise<Verdict> {
  const { prepared } = parameters;
  const { execution, original } = prepared;
  const bytes = size(execution.frame.input);
  if (original === undefined && bytes > TRANSACTION_SIZE_MAX) return tooLarge(bytes);
  return execution.success ? { outcome: "success" } : prepared.before(() => explainFailure(parameters));
}

/** Nodes reject such a transaction, although it may run here. */
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
  const { failReason, condition } = seenFrom(failure, call, await findReason(failure));
  const specificHint = await readHint(fork, { failReason, condition, cause, call, numbered, plan });
  return {
    outcome: "failure",
    failReason,
    txIndex,
    error: describeFailure(cause.frame, createAbiIndex(abis)) ?? "",
    condition,
    path: cause.path,
    hint: hintFor({ plan, failReason, condition, txIndex, specificHint }),
  };
}

async function findReason(failure: Failure): Promise<Reason> {
  const { fork, root, cause, transaction } = failure;
  if (cause.frame.error === "out of gas") {
    return explainGas(fork, transaction, { frame: cause.frame, limit: root.gas });
  }
  const reported = reportedReason(cause);
  const condition = await reportedCondition(failure);
  if (condition !== undefined) return { failReason: reported, condition };
  const read = await readReason(failure, reported);
  if (read !== undefined) return read;
  const isPriced = GENERAL.has(reported) && (await worksWithoutGasPrice(fork, transaction, root.gas));
  return { failReason: isPriced ? "TRANSACTION_REVERTED" : reported, condition: undefined };
}

/** The outermost specific error. One that replaces another counts only if nothing below it is specific. */
function reportedReason({ frames }: Cause): FailReason {
  const reasons = frames.map(({ output }) => ({
    failReason: classifyRevert({ data: output }).failReason,
    isMasking: isMaskingError(output),
  }));
  const specific = reasons.filter(({ failReason }) => !GENERAL.has(failReason));
  const found = specific.find(({ isMasking }) => !isMasking) ?? specific[0] ?? reasons[0];
  return found?.failReason ?? "EXECUTION_REVERTED";
}

/** The deepest error with numbers wins. */
async function reportedCondition({ fork, cause }: Failure): Promise<FailedCondition | undefined> {
  const index = createAbiIndex();
  for (const frame of cause.frames.toReversed()) {
    const item = index.readError(frame.output);
    const contract = contractOf(frame);
    const around = { contract, value: frame.value, timestamp: fork.environment.timestamp };
    const reported = item && conditionOfError(item, around);
    if (reported !== undefined) return resolveCurrency(fork, contract, reported);
  }
  return undefined;
}

/** Read from the fork and the trace. */
async function readReason(failure: Failure, reported: FailReason): Promise<Reason | undefined> {
  const { fork, plan, root, cause, numbered, depth } = failure;
  const call = depth === undefined ? undefined : cause.frames[depth];
  const place = call === undefined ? undefined : numbered.places.get(call);
  const changes = place === undefined ? undefined : await stateAtCall(fork, plan, numbered, root, place);
  // The state before the call, or before the whole fill.
  const followed = changes === undefined ? 0 : (depth ?? 0);
  const refusal = findRefusal(cause);
  const shortage = refusal && (await readShortage(fork, root, refusal, { changes, depth: followed }));
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
  const late = reported === "SIGNATURE_EXPIRED" ? readDeadline(cause.frames, fork.environment.timestamp) : undefined;
  return late && { failReason: reported, condition: late };
}

/** The deadline argument of the call, if the error does not contain it. */
function readDeadline(frames: readonly CallFrame[], timestamp: bigint): FailedCondition | undefined {
  const index = createAbiIndex();
  for (const { input } of frames.toReversed()) {
    const args = size(input) < 4 ? undefined : index.readCall(input)?.args;
    const had = args && (readAmount(args, "deadline") ?? readAmount(args, "params.deadline"));
    if (had !== undefined && had < timestamp) {
      return { kind: "deadline", needed: timestamp, had };
    }
  }
  return undefined;
}

/** Failures of the solver's own calls have reasons of their own. */
function seenFrom({ numbered, depth }: Failure, call: CallFrame | undefined, reason: Reason): Reason {
  if (call === undefined || depth === undefined || numbered.indexes.has(call)) return reason;
  const isSolvers = numbered.places.has(call);
  if (!isSolvers) return GENERAL.has(reason.failReason) ? { ...reason, failReason: "TRANSFER_FAILED" } : reason;
  if (reason.failReason === "TRANSFER_AMOUNT_EXCEEDS_BALANCE")
    return { ...reason, failReason: "SOLVER_BALANCE_TOO_LOW" };
  return reason.failReason === "INVALID_NONCE" ? { ...reason, failReason: "ORDER_ALREADY_FILLED" } : reason;
}

/** Resolves a proxy's input or output currency. */
async function resolveCurrency(fork: Fork, proxy: Address, condition: ErrorCondition): Promise<FailedCondition> {
  if (condition.kind !== "proxyInput" && condition.kind !== "proxyOutput") return condition;
  const isInput = condition.kind === "proxyInput";
  const currency = await readProxyToken(fork, proxy, isInput ? "inputToken" : "outputToken");
  return { kind: isInput ? "input" : "output", needed: condition.needed, had: condition.had, currency };
}

/** A delegated call runs for its caller. */
function contractOf({ kind, from, to }: CallFrame): Address {
  return getAddress(kind === "DELEGATECALL" || to === undefined ? from : to);
}
