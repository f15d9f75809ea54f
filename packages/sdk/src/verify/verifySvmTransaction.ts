import { stringToHex } from "viem";

import type { PlannedSvmTransaction } from "@crosscall/protocol/quote/rules";
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  isDerivedAddress,
  MEMO_PROGRAM,
  SVM_PROGRAMS,
  svmKeyOf,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "@crosscall/protocol/vms/svmPrograms";
import type { ReportDraft } from "./quoteReport.ts";
import type { QuoteTerms } from "./terms.ts";
import type { ItemEffect } from "./transactionParts.ts";
import type { OrderTerms } from "./verifyOrder.ts";

/** Data of `deposit_native` or `deposit_token`: the instruction, the amount and the id. */
const DEPOSIT = /^(?:(0d9e0ddf5fd51c06)|0b9c60da27a3b413)(.{16})(.{64})$/u;

/** Data of the compute budget: a limit of heap (1), units (2) or loaded bytes (4), or a unit's price in millionths. */
const BUDGET = /^(?:0[14].{8}|02(.{8})|03(.{16}))$/u;

/** Maximum compute units of a transaction without a limit: 1,400,000. */
const UNITS = "c05c1500";

/** Maximum priority fee: 0.01 of the native currency. */
const FEE_MAX = 10_000_000n;

/**
 * Checks that an SVM transaction makes the order's deposit from the user. With the user's accounts, its other
 * instructions can only write memos, and create token accounts of the user and the depository.
 */
export function verifySvmTransaction(
  draft: ReportDraft,
  { request, origin, inputAmount }: QuoteTerms,
  order: OrderTerms | undefined,
  { data, stepId }: PlannedSvmTransaction,
  path: string,
): ItemEffect {
  const { user, originCurrency, depositFeePayer = user } = request;
  const { depositories = [], programs = [], lookupTables = [] } = origin ?? {};
  const { amount = inputAmount, currency = originCurrency, orderId } = order ?? {};
  const at = `${path}.instructions`;
  const signers = [user, depositFeePayer];
  const pinned = [...depositories, ...programs];
  const { instructions: list, addressLookupTableAddresses, ...others } = data;
  const instructions = listOf(list).map(readInstruction);
  const deposits = instructions.filter(({ programId }) => depositories.includes(programId));
  // Another pinned program swaps before the deposit. Only a simulation shows how.
  const isPlain = instructions.every(({ programId }) => [...depositories, ...SVM_PROGRAMS].includes(programId));
  let isBound = Object.keys(others).length === 0;
  let [units, price] = [UNITS, "00"];
  const check: ReportDraft["check"] = (...claim) => draft.check(...claim);
  const isTokenAccount = (account = "", owner = "", program = ""): boolean =>
    [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].includes(program) &&
    isDerivedAddress(account, [owner, program, currency].map(svmKeyOf), ASSOCIATED_TOKEN_PROGRAM);

  const verifyDeposit = ({ programId, accounts, signs, bytes }: Instruction, here: string): void => {
    const [state = "", sender, depositor, vault = "", paid, source, target, program, ...rest] = accounts;
    const [isRead, native, value, id] = DEPOSIT.exec(bytes) ?? [];
    const isOwn = sender === user && depositor === user && signs.every((one, index) => one === (index === 1));
    check("DEPOSITOR", `${here}.keys`, isOwn, user, [sender, depositor]);
    const isNative = native !== undefined;
    const isPaid = paid === currency && isNative === (currency === SYSTEM_PROGRAM);
    check("DEPOSIT_CURRENCY", here, isPaid && (!isPlain || currency === originCurrency), currency, paid);
    const isComplete = isNative
      ? accounts.length === 5
      : isTokenAccount(source, user, program) &&
        isTokenAccount(target, vault, program) &&
        String(rest) === String([ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM]);
    const isOfDepository =
      isDerivedAddress(state, [stringToHex("relay_depository")], programId) &&
      isDerivedAddress(vault, [stringToHex("vault")], programId);
    check("SVM_DEPOSIT", `${here}.keys`, isComplete && isOfDepository, "accounts of user and depository", accounts);
    const seen = isRead === undefined ? undefined : littleEndian(value);
    check("DEPOSIT_AMOUNT", `${here}.data`, seen === amount, amount, seen);
    check("DEPOSIT_ID", `${here}.data`, `0x${id}` === orderId, orderId, id);
  };

  const createsAccount = ({ programId, accounts, bytes }: Instruction): boolean => {
    const [, account, owner, , , program] = accounts;
    // The program rejects any other mint.
    return (
      programId === ASSOCIATED_TOKEN_PROGRAM &&
      /^(?:0[01])?$/u.test(bytes) &&
      [user, deposits[0]?.accounts[3]].includes(owner) &&
      isTokenAccount(account, owner, program)
    );
  };

  check("SVM_DEPOSIT", at, deposits.length === 1, "one deposit", deposits.length);
  check("STEP_ID", `${path.slice(0, path.indexOf("."))}.id`, stepId !== "approve", "an id other than approve", stepId);
  for (const [index, instruction] of instructions.entries()) {
    const { programId, accounts, signs, bytes } = instruction;
    const here = `${at}[${index}]`;
    check("SVM_PROGRAM", `${here}.programId`, pinned.includes(programId), pinned, programId);
    const strangers = accounts.filter((account, position) => signs[position] !== false && !signers.includes(account));
    check("SVM_DEPOSIT", `${here}.keys`, strangers.length === 0, signers, strangers);
    const budget = programId === COMPUTE_BUDGET_PROGRAM ? BUDGET.exec(bytes) : null;
    if (depositories.includes(programId)) {
      verifyDeposit(instruction, here);
    } else if (budget !== null) {
      units = budget[1] ?? units;
      price = budget[2] ?? price;
    } else if (programId !== MEMO_PROGRAM && !createsAccount(instruction)) {
      isBound = false;
      const used = accounts.filter((account) => signers.includes(account));
      check("SVM_INSTRUCTION", here, !isPlain || used.length === 0, "no account of the user", used);
    }
  }
  const fee = (littleEndian(units) * littleEndian(price)) / 1_000_000n;
  check("TRANSACTION_FEE", at, fee <= FEE_MAX, `at most ${FEE_MAX}`, fee);
  const tables = listOf(addressLookupTableAddresses).map(textOf);
  const isKnown = !isPlain || tables.every((table) => lookupTables.includes(table));
  check("SVM_PROGRAM", `${path}.addressLookupTableAddresses`, isKnown, lookupTables, tables);
  const effect = isPlain
    ? ["deposits ", { amount: String(amount), currency }, ` for order ${orderId}`]
    : [`calls ${instructions.map(({ programId }) => programId).join(", ")}`];
  return { effect, isBound, isPayment: true };
}

interface Instruction {
  readonly programId: string;
  readonly accounts: readonly string[];
  /** Whether each account signs. */
  readonly signs: readonly unknown[];
  /** Hex without 0x. */
  readonly bytes: string;
}

function readInstruction(value: unknown): Instruction {
  const { programId, keys, data } = toRecord(value);
  const accounts = listOf(keys).map(toRecord);
  return {
    programId: textOf(programId),
    accounts: accounts.map(({ pubkey }) => textOf(pubkey)),
    signs: accounts.map(({ isSigner }) => isSigner),
    bytes: /^(?:0x)?((?:[0-9a-f]{2})*)$/u.exec(textOf(data).toLowerCase())?.[1] ?? "?",
  };
}

function littleEndian(hex = ""): bigint {
  return BigInt(`0x${(hex.match(/../gu) ?? []).toReversed().join("")}`);
}

/** A wallet can interpret a value that is not text as another account. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "?";
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return { ...(value as object) };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
