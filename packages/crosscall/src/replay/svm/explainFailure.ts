import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "@crosscall/protocol/vms";
import { isObject } from "@crosscall/protocol/schema";
import { FRAMEWORK_ERRORS, type KnownError } from "./programErrors.ts";
import type { LoggedCall } from "./readLogs.ts";
import { findInstructionError, findTransactionError } from "./runtimeErrors.ts";
import { currencyText, type HeldToken, type SvmCall, type SvmCurrency, type SvmFailure } from "./svmReport.ts";
import { findProgram } from "./svmPrograms.ts";

interface FailureFacts {
  /** As the node reports it; null if the transaction succeeded. */
  readonly error: unknown;
  /** The call that failed first in the logs, and its place if the node recorded it. */
  readonly failed: { readonly log: LoggedCall; readonly path: readonly number[] | undefined } | undefined;
  readonly instructions: readonly SvmCall[];
  readonly keys: readonly string[];
  /** In lamports. */
  readonly preBalances: readonly number[];
  readonly tokens: ReadonlyMap<string, HeldToken>;
  readonly currencies: readonly SvmCurrency[];
  readonly rentExemptMinimum: bigint | undefined;
}

const UNKNOWN = "This version does not know the error.";
const READ_LOGS = "Read the logs, and the documentation of the program.";

/** Explains why a transaction failed. Returns undefined if it succeeded. */
export function explainFailure(facts: FailureFacts): SvmFailure | undefined {
  const { error } = facts;
  if (error === null) return undefined;
  const [kind, details] = nameAndDetails(error);
  if (kind === "InstructionError" && Array.isArray(details)) {
    const [index, reason] = details as unknown[];
    if (Number.isSafeInteger(index)) return explainInstruction(facts, Number(index), reason);
  }
  const [name, meaning, hint] = (kind === undefined ? undefined : findTransactionError(kind)) ?? [
    kind,
    UNKNOWN,
    READ_LOGS,
  ];
  const account = isObject(details) ? details.account_index : undefined;
  const rent =
    kind === "InsufficientFundsForRent" && typeof account === "number" ? rentText(facts, account) : undefined;
  const duplicate = kind === "DuplicateInstruction" && Number.isSafeInteger(details) ? [Number(details)] : [];
  return { error, path: duplicate, program: undefined, number: undefined, name, reason: rent ?? meaning, hint };
}

/** Splits `"Name"` and `{"Name": details}`. */
function nameAndDetails(error: unknown): readonly [name: string | undefined, details: unknown] {
  if (typeof error === "string") return [error, undefined];
  return isObject(error) ? (Object.entries(error)[0] ?? [undefined, undefined]) : [undefined, undefined];
}

function explainInstruction(facts: FailureFacts, index: number, reason: unknown): SvmFailure {
  const { error, failed, instructions } = facts;
  const isPlaced = failed !== undefined && (failed.path === undefined || failed.path[0] === index);
  const path = (isPlaced ? failed.path : undefined) ?? [index];
  const call = findCall(instructions, path);
  // Without logs, a program that the instruction calls can have failed, with its own number.
  const program = isPlaced ? failed.log.program : call?.calls.length === 0 ? call.program : undefined;
  const lines = isPlaced ? failed.log.lines : [];
  const [name, details] = nameAndDetails(reason);
  if (name !== "Custom" || !Number.isSafeInteger(details)) {
    const known =
      (name === undefined ? undefined : findInstructionError(name)) ?? ([name, UNKNOWN, READ_LOGS] as const);
    return { error, path, program, number: undefined, name: known[0], reason: known[1], hint: known[2] };
  }
  const number = Number(details);
  const logged = findLoggedError(lines, number);
  const known = findNumbered(program, number, logged !== undefined);
  const place = logged?.account === undefined ? "" : `Account ${logged.account}: `;
  const amounts = amountsText(facts, { program, number, lines, call });
  return {
    error,
    path,
    program,
    number,
    name: known?.[0] ?? logged?.name,
    reason: `${place}${known?.[1] ?? logged?.text ?? UNKNOWN}${amounts === undefined ? "" : ` ${amounts}`}`,
    hint: known?.[2] ?? READ_LOGS,
  };
}

function findNumbered(program: string | undefined, number: number, isOfFramework: boolean): KnownError | undefined {
  const { errors = {} } = (program === undefined ? undefined : findProgram(program)) ?? {};
  return errors[number] ?? (isOfFramework ? FRAMEWORK_ERRORS[number] : undefined);
}

/** Log line of the framework Anchor. */
const LOGGED =
  /^Program log: AnchorError (?:caused by account: (\w+)\. |[^.]{1,200}?(?:\.rs:\d+)?\. |occurred\. )?Error Code: (\w+)\. Error Number: (\d+)\. Error Message: (.*?)\.?$/su;

function findLoggedError(lines: readonly string[], number: number) {
  for (const line of lines) {
    const [, account, name, logged, text] = LOGGED.exec(line) ?? [];
    if (Number(logged) === number) return { account, name, text };
  }
  return undefined;
}

function findCall(calls: readonly SvmCall[], [index = 0, ...rest]: readonly number[]): SvmCall | undefined {
  const call = calls[index];
  return call === undefined || rest.length === 0 ? call : findCall(call.calls, rest);
}

const INSUFFICIENT = 1;

interface FailedCall {
  readonly program: string | undefined;
  readonly number: number;
  readonly lines: readonly string[];
  readonly call: SvmCall | undefined;
}

/** Describes what an account has and needs, if its balance is too low. */
function amountsText(
  { tokens, currencies }: FailureFacts,
  { program, number, lines, call }: FailedCall,
): string | undefined {
  if (number !== INSUFFICIENT) return undefined;
  if (program === SYSTEM_PROGRAM) {
    const [, has, needs] =
      /^Transfer: insufficient lamports (\d{1,20}), need (\d{1,20})$/mu.exec(lines.join("\n")) ?? [];
    if (has === undefined || needs === undefined) return undefined;
    const text = (lamports: string): string => currencyText(BigInt(lamports), SYSTEM_PROGRAM, currencies);
    return `It has ${text(has)}, and needs ${text(needs)}.`;
  }
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return undefined;
  const held = tokens.get(call?.accounts.find(({ name }) => name === "source")?.address ?? "");
  const needs = call?.arguments.find(({ name }) => name === "amount")?.value;
  // Earlier instructions can have changed the balance.
  if (held === undefined || needs === undefined || held.before >= BigInt(needs)) return undefined;
  const text = (amount: bigint): string => currencyText(amount, held.mint, currencies);
  return `It has ${text(held.before)}, and needs ${text(BigInt(needs))}.`;
}

function rentText(facts: FailureFacts, index: number): string {
  const { keys, instructions, preBalances, currencies, rentExemptMinimum } = facts;
  const account = keys[index] ?? `unknown account ${index}`;
  const received = receivedBy(account, instructions);
  const had = preBalances[index];
  const text = (lamports: bigint): string => currencyText(lamports, SYSTEM_PROGRAM, currencies);
  const has =
    had === undefined ? `receives ${text(received)}` : `would have ${text(BigInt(Math.trunc(had)) + received)}`;
  const minimum =
    rentExemptMinimum === undefined ? "" : ` An account without data must have ${text(rentExemptMinimum)}.`;
  return `Account ${account} ${has}, less than its rent requires.${minimum}`;
}

/** Returns what transfers of native currency add to an account, in lamports. */
function receivedBy(account: string, calls: readonly SvmCall[]): bigint {
  return calls.reduce((sum, { program, name, accounts, arguments: args, calls: inner }) => {
    const [source, target] = accounts;
    const lamports = BigInt(args.find((each) => each.name === "lamports")?.value ?? 0);
    const isTransfer = program === SYSTEM_PROGRAM && (name === "transfer" || name === "createAccount");
    const change = (target?.address === account ? lamports : 0n) - (source?.address === account ? lamports : 0n);
    return sum + (isTransfer ? change : 0n) + receivedBy(account, inner);
  }, 0n);
}
