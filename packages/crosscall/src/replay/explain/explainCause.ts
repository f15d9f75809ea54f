import { type Abi, type Address, getAddress, type Hex, isAddress, padHex, size, slice } from "viem";
import { DELEGATION_PREFIX, EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import type { FailReason } from "@crosscall/protocol/request";
import { classifyRevert } from "@crosscall/protocol/reverts";

import {
  type CauseKind,
  describeEntry,
  describeToDo,
  findEntries,
  type FoundEntry,
  isCertainIn,
  isRaisedIn,
  type RaisedIn,
} from "../causes/catalog.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { Fork } from "../fork/fork.ts";
import { readAllowance, readBalance, readCode } from "../fork/readState.ts";
import { type AbiIndex, createAbiIndex } from "../trace/abiIndex.ts";
import type { CallFrame } from "../trace/callFrame.ts";
import { describeCondition, type Explanation, type FailedCondition } from "../verdict.ts";
import type { Cause } from "./findCause.ts";
import { toDoFor } from "./hints.ts";
import { contractOf, placeOf } from "./placeOf.ts";
import { findFalseTransfer, findRejectedTransfer, type RejectedTransfer } from "./stateConditions.ts";

interface ExplainCauseParameters {
  readonly fork: Fork;
  readonly plan: FillPlan;
  readonly cause: Cause;
  readonly condition: FailedCondition | undefined;
  /** Frames from the root to the one whose error states the condition; undefined if it is read from the state. */
  readonly stated: readonly CallFrame[] | undefined;
  readonly abis?: readonly Abi[] | undefined;
}

interface ExplainedCause {
  readonly explanation: Explanation;
  /** What to do, if the explanation determines it. */
  readonly toDo: string | undefined;
}

/** Gas that Solidity's `transfer` and `send` pass to the recipient. */
const STIPEND = 2_300n;

/** Maximum nesting of errors in other errors' data. */
const WRAPS_MAX = 8;

/**
 * Explains the cause of a failed fill: from the numbers of its condition, from the catalog of errors, or from the call
 * itself. An error that no entry describes stays unknown, with the call that raised it.
 */
export async function explainCause(parameters: ExplainCauseParameters): Promise<ExplainedCause> {
  const explained = await explainFrame(parameters);
  const { explanation } = explained;
  const other = findOtherReason(parameters.cause, createAbiIndex(parameters.abis));
  if (other === undefined || !explanation.isCertain || explanation.cause.includes(other)) return explained;
  const cause = `${explanation.cause}; after that, its caller fails for its own reason: ${other}`;
  return { explanation: { ...explanation, cause, isCertain: false }, toDo: undefined };
}

/** Returns the caller's own reason, if it is listed: the caller may have ignored the failed call. */
function findOtherReason({ frames, frame }: Cause, index: AbiIndex): string | undefined {
  const outer = frames.slice(0, -1);
  const output = outer.at(-1)?.output ?? "0x";
  const isPassed = frame.output !== "0x" && output.includes(frame.output.slice(2));
  if (outer.length === 0 || frame.error === "out of gas" || isPassed) return undefined;
  const place = placeOf(outer);
  const listed = findIn(output, place, index).filter(({ entry }) => isCertainIn(entry, place));
  const own = listed.find(({ entry }) => !TOKEN_KINDS.has(entry.kind));
  return own && describeEntry(own);
}

async function explainFrame({
  fork,
  plan,
  cause,
  condition,
  stated,
  abis,
}: ExplainCauseParameters): Promise<ExplainedCause> {
  const index = createAbiIndex(abis);
  const listed = findListed(cause, index);
  if (condition !== undefined) {
    const [entry, ...others] = listed?.found ?? [];
    const source = others.length === 0 ? sourceOf(entry) : undefined;
    // The times of an order and of a sale have the same kinds of conditions.
    const isTime = condition.kind === "startTime" || condition.kind === "endTime";
    const kind = (isTime ? entry?.entry.kind : undefined) ?? KIND_OF_CONDITION[condition.kind];
    const described = describeCondition(condition);
    const doubt = stated === undefined ? doubtOfFalse(cause, index) : doubtOfStated(stated);
    const text = doubt === undefined ? described : `${doubt}, ${described}`;
    return { explanation: { kind, cause: text, isCertain: doubt === undefined, source }, toDo: undefined };
  }
  const silent = readFalse(cause, index) ?? readGas(cause);
  if (silent !== undefined) return silent;
  const isOwn = listed?.frame === cause.frame;
  const rejected = isOwn ? undefined : await readRejectedValue(fork, cause);
  if (rejected !== undefined) return rejected;
  // An outer error that only states that a call failed explains nothing.
  if (listed === undefined || (!isOwn && listed.found[0]?.entry.kind === "inner"))
    return (await readRefusal(fork, cause)) ?? readUnknown(plan, cause, index);
  const explained = await withDelegation(fork, listed, readListed(plan, listed, cause));
  return isOwn ? explained : withInner(explained, cause, index);
}

const KIND_OF_CONDITION = {
  allowance: "allowance",
  nonZeroAllowance: "allowance",
  balance: "balance",
  nftBalance: "balance",
  supply: "limit",
  walletLimit: "limit",
  input: "slippage",
  output: "slippage",
  swapInput: "slippage",
  swapOutput: "slippage",
  payment: "payment",
  deadline: "deadline",
  startTime: "paused",
  endTime: "paused",
  gas: "gas",
  programGas: "gas",
  callDataBytes: "input",
} as const satisfies Record<FailedCondition["kind"], CauseKind>;

interface Listed {
  readonly found: readonly FoundEntry[];
  readonly frame: CallFrame;
  /** Frames from the root to the frame. */
  readonly frames: readonly CallFrame[];
  readonly place: RaisedIn;
}

/** Finds the deepest error in the catalog. Errors that only state that another call failed come last. */
function findListed({ frames }: Cause, index: AbiIndex): Listed | undefined {
  let inner: Listed | undefined;
  for (let depth = frames.length - 1; depth >= 0; depth -= 1) {
    const frame = frames[depth];
    if (frame === undefined) continue;
    const outer = frames.slice(0, depth + 1);
    const place = placeOf(outer);
    const found = findIn(frame.output, place, index);
    if (found.length === 0) continue;
    const listed = { found, frame, frames: outer, place };
    if (found.some(({ entry }) => entry.kind !== "inner")) return listed;
    inner ??= listed;
  }
  return inner;
}

/** Finds the entries for revert data, or for the error that it contains. */
function findIn(data: Hex, place: RaisedIn, index: AbiIndex, wraps = 0): readonly FoundEntry[] {
  if (size(data) < 4) return [];
  const item = index.readError(data);
  const text = item?.signature === "Error(string)" ? String(item.args[0]?.value) : undefined;
  const found = findEntries(data, text, place);
  if (item === undefined || text !== undefined || wraps >= WRAPS_MAX) return found;
  // An error can have a reason and another call's error, which can be empty or unknown.
  const inner = item.args.toReversed().map(({ type, value }) => {
    if (type === "bytes") return findIn(value as Hex, place, index, wraps + 1);
    return type === "string" ? findEntries("0x", String(value), place) : [];
  });
  return inner.find((each) => each.length > 0) ?? found;
}

/** Returns the account that called the contract of the last frame. */
function callerOf(frames: readonly CallFrame[]): Address {
  const frame = frames.findLast(({ kind }) => kind !== "DELEGATECALL" && kind !== "CALLCODE");
  return getAddress(frame?.from ?? EVM_NATIVE_CURRENCY);
}

function nameOfCaller({ router, solver }: FillPlan, caller: Address): string {
  if (isSameAddress(caller, router)) return "the router";
  return isSameAddress(caller, solver) ? "the solver" : caller;
}

function readListed(plan: FillPlan, { found, frames, place }: Listed, cause: Cause): ExplainedCause {
  const first = found.find((each) => isCertainIn(each.entry, place)) ?? found[0];
  if (first === undefined) throw new RangeError("no entry");
  const { entry } = first;
  const described = describeEntry(first);
  const isShared = found.some((other) => describeEntry(other) !== described);
  const isCertain = !isShared && isCertainIn(entry, place);
  const texts = isShared
    ? found.map((each) => `in ${each.entry.project}, ${describeEntry(each)}`).join("; ")
    : isCertain
      ? described
      : `${doubtOf(found)}, ${described}`;
  const caller = callerOf(frames);
  const isAccess = entry.kind === "access" || /\bthe caller\b/u.test(entry.cause);
  const isOther = isAccess && !isSameAddress(caller, plan.recipient);
  const named = isOther ? `${texts}: the caller is ${nameOfCaller(plan, caller)}, not the user` : texts;
  const isRouter = isSameAddress(caller, plan.router);
  return {
    explanation: {
      kind: isShared && found.some((other) => other.entry.kind !== entry.kind) ? "unknown" : entry.kind,
      cause: [named, ...noteStarved(cause)].join("; "),
      isCertain,
      source: isShared ? undefined : sourceOf(first),
    },
    toDo: isCertain ? toDoOf(first, frames, { isRouter, isOwn: isRaisedIn(entry, place) }) : undefined,
  };
}

function toDoOf(
  { entry }: FoundEntry,
  frames: readonly CallFrame[],
  { isRouter, isOwn }: { readonly isRouter: boolean; readonly isOwn: boolean },
): string {
  if (isRouter && entry.isGrant) return toDoFor(entry.kind === "access" ? "access" : "allowance", { isRouter });
  return describeToDo(entry, isOwn ? valuesOf(frames, callerOf(frames)) : {}) ?? toDoFor(entry.kind, { isRouter });
}

function valuesOf(frames: readonly CallFrame[], caller: Address): Readonly<Record<string, unknown>> {
  const input = frames.at(-1)?.input ?? "0x";
  const args = size(input) < 4 ? [] : (createAbiIndex().readCall(input)?.args ?? []);
  return { caller, ...Object.fromEntries(args.map(({ name, value }) => [`call.${name}`, value])) };
}

function sourceOf(found: FoundEntry | undefined): string | undefined {
  return found && `${found.entry.project}: ${found.entry.repository}, ${found.entry.files}`;
}

/** A contract can catch a call that ran out of gas, and then fail for another reason. */
function noteStarved({ frame }: Cause): readonly string[] {
  const starved = frame.calls.find(({ error }) => error === "out of gas");
  return starved === undefined
    ? []
    : [`before that, a call to ${String(starved.to)} ran out of its ${starved.gas} gas, and its caller continued`];
}

/**
 * Explains a token that returned false, which its caller treats as a failure. A caller with an unknown reason may have
 * ignored the result.
 */
function readFalse(cause: Cause, index: AbiIndex): ExplainedCause | undefined {
  const silent = findFalseTransfer(cause);
  const reason = readOwnReason(cause, index);
  if (silent === undefined || reason === "other") return undefined;
  const returned = `${silent.token} returned false from ${silent.name} instead of a reason`;
  const isCertain = reason !== "unknown";
  return {
    explanation: {
      kind: "transfer",
      cause: isCertain
        ? `${returned}, and ${contractOf(cause.frame)} treats this as a failure`
        : `${returned}, and after that ${describeRaise(cause, index)}`,
      isCertain,
      source: undefined,
    },
    toDo: isCertain
      ? "Check the balance, the allowance, and whether the token blocks an account: it returns false without a reason."
      : undefined,
  };
}

/** Kinds of errors that a caller raises because a token failed. */
const TOKEN_KINDS: ReadonlySet<CauseKind> = new Set(["transfer", "inner"]);

/** Returns the failed frame's own reason: none, a failure of a token or an inner call, another one, or an unknown one. */
function readOwnReason({ frame, frames }: Cause, index: AbiIndex): "none" | "token" | "other" | "unknown" {
  if (size(frame.output) < 4) return "none";
  const found = findIn(frame.output, placeOf(frames), index);
  if (found.length === 0) return "unknown";
  return found.some(({ entry }) => TOKEN_KINDS.has(entry.kind)) ? "token" : "other";
}

/** Kinds of errors that a transfer can raise because a balance or an allowance is too small. */
const SHORTAGE_KINDS: ReadonlySet<CauseKind> = new Set([...TOKEN_KINDS, "allowance", "balance", "math", "payment"]);

/** Returns whether a transfer fails for a reason other than a balance or an allowance that is too small. */
export function failsForOther(cause: Cause, { to, token }: RejectedTransfer, index: AbiIndex): boolean {
  if (findFalseTransfer(cause) !== undefined) return readOwnReason(cause, index) === "other";
  const { output } = cause.frame;
  const place = placeOf(cause.frames);
  const listed = findIn(output, place, index).filter(({ entry }) => isCertainIn(entry, place));
  const reported = KIND_OF_REASON[classifyRevert({ data: output }).failReason];
  const kinds = listed.length > 0 ? listed.map(({ entry }) => entry.kind) : reported === undefined ? [] : [reported];
  // Vaults have the same function as wrapped native currency, and other reasons.
  const isUnwrapping = isSameAddress(to, token);
  return kinds.length > 0 ? !kinds.some((kind) => SHORTAGE_KINDS.has(kind)) : isUnwrapping && output !== "0x";
}

/** Returns the doubt about a balance or allowance, if the caller of a token that returned false fails with an unknown reason. */
function doubtOfFalse(cause: Cause, index: AbiIndex): string | undefined {
  return findFalseTransfer(cause) !== undefined && readOwnReason(cause, index) === "unknown"
    ? `if ${contractOf(cause.frame)} fails because the token returned false`
    : undefined;
}

/** Returns the doubt about numbers of an error, if it may be from a contract of another project. */
function doubtOfStated(frames: readonly CallFrame[]): string | undefined {
  const place = placeOf(frames);
  const found = findEntries(frames.at(-1)?.output ?? "0x", undefined, place);
  return found.some(({ entry }) => isCertainIn(entry, place)) ? undefined : doubtOf(found);
}

function doubtOf(found: readonly FoundEntry[]): string {
  const projects = new Set(found.map(({ entry }) => entry.project));
  return `if the contract is from ${[...projects].join(" or ")}`;
}

function readGas({ frame, frames }: Cause): ExplainedCause | undefined {
  if (frame.error !== "out of gas" || (frame.value > 0n && frame.gas <= STIPEND)) return undefined;
  const caller = frames.at(-2);
  const share = caller === undefined ? "" : `: its caller passed on ${frame.gas} of its ${caller.gas}`;
  return {
    explanation: {
      kind: "gas",
      cause: `${String(frame.to)} ran out of gas${share}`,
      isCertain: true,
      source: undefined,
    },
    toDo: undefined,
  };
}

/** Explains a recipient of native currency that fails without a reason in the catalog. */
async function readRejectedValue(fork: Fork, { frame }: Cause): Promise<ExplainedCause | undefined> {
  const { value, input, to, gas, error } = frame;
  if (value === 0n || input !== "0x" || to === undefined || error === undefined) return undefined;
  const delegate = await readDelegate(fork, to);
  const needs = error === "out of gas" ? `needs more than the ${gas} gas that it gets` : "does not accept it";
  return {
    explanation: {
      kind: "recipient",
      cause:
        delegate === undefined
          ? `native currency is sent to ${to}, which ${needs}`
          : `native currency is sent to ${to}, an account that delegates to ${delegate} (EIP-7702), whose code ${needs}`,
      isCertain: true,
      source: undefined,
    },
    toDo: undefined,
  };
}

/** Returns the contract whose code an account runs (EIP-7702), or undefined. */
async function readDelegate(fork: Fork, account: Address): Promise<Address | undefined> {
  const code = await readCode(fork, account);
  return size(code) === 23 && code.startsWith(DELEGATION_PREFIX) ? getAddress(slice(code, 3)) : undefined;
}

/** Adds that a rejected recipient is an account with delegated code, which tokens treat as a contract. */
async function withDelegation(fork: Fork, listed: Listed, explained: ExplainedCause): Promise<ExplainedCause> {
  if (explained.explanation.kind !== "recipient") return explained;
  const values = Object.values(listed.found[0]?.values ?? {});
  const named = values.find((value): value is Address => typeof value === "string" && isAddress(value));
  const account = named ?? listed.frame.calls.at(-1)?.to;
  const delegate = account === undefined ? undefined : await readDelegate(fork, account);
  if (account === undefined || delegate === undefined) return explained;
  const { explanation } = explained;
  const note = `${account} is an account that delegates to ${delegate} (EIP-7702), so that its code must accept the token`;
  return { ...explained, explanation: { ...explanation, cause: `${explanation.cause}; ${note}` } };
}

/** Adds the error that an outer error replaced. */
function withInner(explained: ExplainedCause, cause: Cause, index: AbiIndex): ExplainedCause {
  const { explanation } = explained;
  const inner = `inside, ${describeRaise(cause, index)}`;
  return { ...explained, explanation: { ...explanation, cause: `${explanation.cause}; ${inner}` } };
}

/** Explains a token that rejects a transfer without a reason, although its balance and allowance are sufficient. */
async function readRefusal(fork: Fork, cause: Cause): Promise<ExplainedCause | undefined> {
  const { output, error, calls } = cause.frame;
  const refused = output === "0x" && error === "reverted" && calls.length === 0 && findRejectedTransfer(cause);
  if (!refused) return undefined;
  const { token, from, to, spender } = refused;
  // Wrapped native currency is not transferred when it is unwrapped. NFTs have no allowances, and other contracts no balances.
  if (isSameAddress(token, to) || (await readBalance(fork, token, from)) === undefined) return undefined;
  if (spender !== undefined && (await readAllowance(fork, { token, owner: from, spender })) === undefined)
    return undefined;
  return {
    explanation: {
      kind: "transfer",
      cause: `${token} rejects the transfer from ${from} to ${to} without a reason, although the balance is sufficient`,
      isCertain: true,
      source: undefined,
    },
    toDo: "Check whether the token is paused, or blocks the sender or the recipient.",
  };
}

/** Describes the call that failed, if its error is unknown. */
function readUnknown(plan: FillPlan, cause: Cause, index: AbiIndex): ExplainedCause {
  const { output } = cause.frame;
  const caller = callerOf(cause.frames);
  const isAboutCaller = size(output) >= 36 && output.includes(padHex(caller).slice(2).toLowerCase());
  const parts = [
    `${describeRaise(cause, index)}, called by ${nameOfCaller(plan, caller)}`,
    ...(isAboutCaller ? ["the error names this caller"] : []),
    ...noteStarved(cause),
  ];
  const kind = KIND_OF_REASON[classifyRevert({ data: output }).failReason] ?? "unknown";
  return { explanation: { kind, cause: parts.join("; "), isCertain: false, source: undefined }, toDo: undefined };
}

/** Kinds of the reasons that the service derives from an error that is not in the catalog. */
const KIND_OF_REASON: Partial<Record<FailReason, CauseKind>> = {
  CONTRACT_PAUSED: "paused",
  DESTINATION_TOKEN_TRANSFER_REJECTED: "recipient",
  ERC_1155_TOO_MANY_REQUESTED: "limit",
  INCORRECT_PAYMENT: "payment",
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: "payment",
  INSUFFICIENT_POOL_LIQUIDITY: "liquidity",
  INVALID_GAS_PRICE: "gas",
  INVALID_NONCE: "nonce",
  INVALID_SENDER: "sender",
  INVALID_SIGNATURE: "signature",
  INVALID_SIGNER: "signature",
  MINT_NOT_ACTIVE: "paused",
  MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET: "limit",
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY: "limit",
  ORDER_ALREADY_FILLED: "order",
  ORDER_IS_CANCELLED: "order",
  SEAPORT_INVALID_FULFILLER: "order",
  SIGNATURE_EXPIRED: "deadline",
  SLIPPAGE: "slippage",
  TOKEN_NOT_TRANSFERABLE: "transfer",
  TOO_LITTLE_RECEIVED: "slippage",
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE: "allowance",
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: "balance",
  TRANSFER_FAILED: "transfer",
  TRANSFER_FROM_FAILED: "transfer",
  ZERO_SELL_AMOUNT: "amount",
};

/** Describes which contract raised the error, in which function, and how deep in the call tree. */
function describeRaise({ frame, path }: Cause, index: AbiIndex): string {
  const { output, input, error, value } = frame;
  const name = size(input) < 4 ? undefined : (index.readCall(input)?.item.name ?? slice(input, 0, 4));
  const place =
    name === undefined ? (value > 0n ? "when it received native currency" : "without a function") : `in ${name}`;
  const what =
    error === "other"
      ? "stopped without a revert"
      : output === "0x"
        ? "reverted without data"
        : index.readError(output) === undefined
          ? `raised the unknown error ${size(output) < 4 ? output : slice(output, 0, 4)}`
          : "raised this error";
  return `${contractOf(frame)} ${what} ${place}, ${depthOf(path.length)}`;
}

function depthOf(calls: number): string {
  return calls === 1 ? "1 call deep" : `${calls} calls deep`;
}
