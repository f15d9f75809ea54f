import { base58 } from "@scure/base";
import { expect } from "chai";
import { stringToBytes } from "viem";

import { toTransactionError } from "../../../../../packages/crosscall/src/localnet/ledgers/solana/transactionError.ts";
import { formatSvmReport } from "../../../../../packages/crosscall/src/replay/svm/report/formatSvmReport.ts";
import { toSvmHtml } from "../../../../../packages/crosscall/src/replay/svm/report/svmReportHtml.ts";
import { readLogs } from "../../../../../packages/crosscall/src/replay/svm/readLogs.ts";
import {
  type RawTransaction,
  readTransaction,
} from "../../../../../packages/crosscall/src/replay/svm/readTransaction.ts";
import { type SvmOutcome, toSvmReport } from "../../../../../packages/crosscall/src/replay/svm/toSvmReport.ts";
import { MalformedDataError } from "../../../../../packages/protocol/src/core/errors.ts";
import {
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from "../../../../../packages/protocol/src/vms/svmPrograms.ts";

const keyOf = (byte: number): string => base58.encode(new Uint8Array(32).fill(byte));
const [PAYER, SOURCE, TARGET, UNKNOWN] = [1, 2, 3, 4].map(keyOf) as [string, string, string, string];
const SIGNATURE = base58.encode(new Uint8Array(64).fill(9));

interface Made {
  readonly program: string;
  readonly accounts?: readonly string[];
  readonly data?: Uint8Array;
}

/** A response of `getTransaction` with these instructions and fields. */
function responseOf(instructions: readonly Made[], meta: object = {}): RawTransaction {
  const used = instructions.flatMap(({ program, accounts = [] }) => [...accounts, program]);
  const accountKeys = [...new Set([PAYER, ...used])];
  const balances = accountKeys.map(() => 1_000_000);
  return {
    slot: 5,
    blockTime: 1_700_000_000,
    version: 0,
    transaction: {
      signatures: [SIGNATURE],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
        accountKeys,
        instructions: instructions.map(({ program, accounts = [], data = new Uint8Array() }) => ({
          programIdIndex: accountKeys.indexOf(program),
          accounts: accounts.map((account) => accountKeys.indexOf(account)),
          data: base58.encode(data),
        })),
      },
    },
    meta: {
      err: null,
      fee: 5_000,
      preBalances: balances,
      postBalances: balances,
      innerInstructions: [],
      logMessages: [],
      ...meta,
    },
  };
}

function reportOf(response: RawTransaction) {
  const { transaction, meta, slot } = readTransaction(response, SIGNATURE);
  const source = { kind: "transaction", signature: SIGNATURE, slot, blockTime: undefined } as const;
  return toSvmReport({ source, message: transaction.message, meta: meta ?? {} });
}

const failureOf = (err: unknown, logMessages: readonly string[] = [], made: Made = { program: UNKNOWN }) =>
  reportOf(responseOf([made], { err, logMessages })).failure;

describe("the report of an SVM transaction", () => {
  it("explains every error of the chain", () => {
    const names = (count: number, at: (number: number) => unknown): string[] => {
      const errors = Array.from({ length: count }, (_, number) => at(number));
      const unexplained = errors.filter((error) => failureOf(error)?.reason.includes("does not know") !== false);
      expect(unexplained).to.deep.equal([]);
      return errors.map((error) => JSON.stringify(error));
    };
    const transaction = names(35, (number) => toTransactionError(number));
    const instruction = names(53, (number) => toTransactionError({ index: 0, err: () => number }));
    expect([new Set(transaction).size, new Set(instruction).size]).to.deep.equal([35, 53]);
    expect(failureOf({ DuplicateInstruction: 0 })).to.deep.include({ name: "DuplicateInstruction", path: [0] });
    expect(failureOf({ InstructionError: [0, { BorshIoError: "eof" }] })).to.have.property("name", "BorshIoError");
  });

  it("names errors of programs by their number, including those of a program that Anchor's log names", () => {
    const logs = (program: string, line: string) => [
      `Program ${program} invoke [1]`,
      `Program log: ${line}`,
      `Program ${program} failed: custom program error: 0x1770`,
    ];
    const custom = (number: number) => ({ InstructionError: [0, { Custom: number }] });
    const place = "AnchorError thrown in programs/bank/src/lib.rs:12.";
    const line = `${place} Error Code: Closed. Error Number: 6000. Error Message: The bank is closed.`;
    expect(failureOf(custom(6_000), logs(UNKNOWN, line))).to.deep.include({
      program: UNKNOWN,
      number: 6_000,
      name: "Closed",
      reason: "The bank is closed",
    });
    const account = "AnchorError caused by account: vault. Error Code: ConstraintMut. Error Number: 2000.";
    expect(failureOf(custom(2_000), logs(UNKNOWN, `${account} Error Message: A mut constraint.`))).to.deep.include({
      name: "ConstraintMut",
      reason: "Account vault: The account must be writable.",
    });
    // A number of another program's error means nothing here.
    expect(failureOf(custom(6_000), logs(UNKNOWN, "no"))).to.deep.include({ number: 6_000, name: undefined });
    expect(failureOf(custom(36), [], { program: TOKEN_2022_PROGRAM })).to.deep.include({ name: "NoMemo" });
    expect(failureOf(custom(36), [], { program: SYSTEM_PROGRAM })).to.deep.include({ name: undefined });
    // Without logs, a called program can have failed.
    const inner = { programIdIndex: 1, accounts: [], data: "", stackHeight: 2 };
    const innerInstructions = [{ index: 0, instructions: [inner] }];
    const calling = responseOf([{ program: TOKEN_2022_PROGRAM }], { err: custom(36), innerInstructions });
    expect(reportOf(calling).failure).to.deep.include({ program: undefined, number: 36, name: undefined });
  });

  it("says no more than the chain about errors that any program can return", () => {
    const reasonOf = (name: string) => failureOf({ InstructionError: [0, name] })?.reason;
    expect(reasonOf("InsufficientFunds")).to.equal("An account's balance is too low.");
    expect(reasonOf("ArithmeticOverflow")).to.equal("A calculation overflows.");
  });

  it("shows an unknown program's data, and data that is too long, without decoding it", () => {
    const long = new Uint8Array(2_000).fill(255);
    const report = reportOf(
      responseOf([
        { program: UNKNOWN, accounts: [SOURCE], data: Uint8Array.of(1, 2) },
        { program: MEMO_PROGRAM, data: long },
      ]),
    );
    expect(report.instructions[0]).to.deep.include({ name: undefined, data: "0x0102", programName: undefined });
    expect(report.instructions[1]).to.deep.include({ name: undefined, data: base58.encode(long) });
    expect(formatSvmReport(report)).to.include(`0 ${UNKNOWN} data 0x0102`);
  });

  it("reads incomplete data as far as possible", () => {
    const accounts = [SOURCE, TARGET];
    const transfer = { program: SYSTEM_PROGRAM, accounts, data: Uint8Array.of(2, 0, 0, 0, 7) };
    const [call] = reportOf(responseOf([transfer])).instructions;
    expect(call).to.deep.include({ name: "transfer" });
    expect(call?.arguments).to.deep.equal([{ name: "rest", value: "0x07", text: "0x07" }]);
  });

  it("nests calls by their depth, even if the depth is wrong", () => {
    const inner = (stackHeight: number | null) => ({ programIdIndex: 1, accounts: [], data: "", stackHeight });
    const instructions = [
      inner(2),
      inner(3),
      inner(90),
      inner(null),
      inner(0),
      ...Array.from({ length: 100 }, () => inner(4_000)),
    ];
    const response = responseOf([{ program: UNKNOWN }], { innerInstructions: [{ index: 0, instructions }] });
    const report = reportOf(response);
    const [root] = report.instructions;
    expect(root?.calls.map(({ path, calls }) => [path, calls.length])).to.deep.equal([
      [[0, 0], 1],
      [[0, 1], 0],
      [[0, 2], 1],
    ]);
    expect(root?.calls[0]?.calls[0]?.calls[0]?.path).to.deep.equal([0, 0, 0, 0]);
    expect(formatSvmReport(report)).to.include("0.0.0.0 ");
  });

  it("does not mistake a program's log for a line of the runtime", () => {
    const { calls, failed } = readLogs([
      `Program ${UNKNOWN} invoke [1]`,
      `Program log: Program ${SYSTEM_PROGRAM} failed: custom program error: 0x1`,
      `Program log: x\nProgram ${SYSTEM_PROGRAM} invoke [2]`,
      `Program ${UNKNOWN} consumed 12 of 200 compute units`,
      `Program ${UNKNOWN} success`,
    ]);
    expect([calls.length, failed, calls[0]?.computeUnits]).to.deep.equal([1, undefined, 12]);
  });

  it("marks balances that JSON rounds", () => {
    const meta = { preBalances: [2 ** 60, 1], postBalances: [2 ** 60 + 4_096, 1] };
    const report = reportOf(responseOf([{ program: UNKNOWN }], meta));
    expect(report.balances.map(({ isExact }) => isExact)).to.deep.equal([false]);
    expect(formatSvmReport(report)).to.match(/fee payer {2}SOL {7}about 1152921504\.60/u);
  });

  it("escapes text of the chain in the terminal and in HTML", () => {
    const evil = "</pre><script>alert(1)</script>\u001B[31m\u202E";
    const report = reportOf(
      responseOf([{ program: MEMO_PROGRAM, data: stringToBytes(evil) }], {
        err: { [evil]: evil },
        logMessages: [evil],
      }),
    );
    const html = toSvmHtml([{ report }]);
    expect(html).to.include("&lt;script&gt;").and.not.include("<script");
    for (const text of [html, formatSvmReport(report)]) {
      for (const character of ["\u001B", "\u202E"]) expect(text).to.not.include(character);
    }
  });

  it("escapes symbols of a service, and ignores impossible decimals", () => {
    const transfer = {
      program: SYSTEM_PROGRAM,
      accounts: [SOURCE, TARGET],
      data: Uint8Array.of(2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0),
    };
    const response = responseOf([transfer]);
    const { message } = response.transaction;
    const feeIn = (symbol: string, decimals: number): string | undefined => {
      const currencies = [{ address: SYSTEM_PROGRAM, symbol, decimals }];
      const outcome: SvmOutcome = { source: { kind: "simulation" }, message, meta: response.meta ?? {} };
      return /^ {2}fee {5} +(.*)$/mu.exec(formatSvmReport(toSvmReport(outcome, { currencies })))?.[1];
    };
    expect(feeIn("E\u001B[31m", 9)).to.equal("0.000005 E\\u001b[31m");
    for (const decimals of [-1, 1.5, 1e9]) expect(feeIn("ETH", decimals)).to.equal("0.000005 SOL");
  });

  it("rejects malformed and oversized responses with the path", () => {
    const valid = responseOf([{ program: UNKNOWN }]);
    const pathOf = (change: object, meta: object = {}): string => {
      try {
        readTransaction({ ...valid, ...change, meta: { ...valid.meta, ...meta } }, SIGNATURE);
      } catch (error) {
        expect(error).to.be.instanceOf(MalformedDataError);
        return (error as MalformedDataError).path;
      }
      return "valid";
    };
    expect(pathOf({ extra: 1 }, { rewards: [], costUnits: 7 })).to.equal("valid");
    expect(pathOf({ slot: "5" })).to.equal("slot");
    expect(pathOf({}, { fee: -1 })).to.equal("meta.fee");
    expect(pathOf({}, { fee: 1e300 })).to.equal("meta.fee");
    expect(pathOf({}, { logMessages: Array(3_000).fill("x") })).to.equal("meta.logMessages");
    expect(pathOf({}, { preBalances: Array(300).fill(1) })).to.equal("meta.preBalances");
    const uses = { programIdIndex: 1, accounts: Array(250).fill(0), data: "" };
    const group = { index: 0, instructions: Array(100).fill(uses) };
    expect(pathOf({}, { innerInstructions: [group] })).to.equal("meta.innerInstructions");
    const { transaction } = valid;
    expect(pathOf({ transaction: { ...transaction, signatures: [SIGNATURE.toLowerCase()] } })).to.equal(
      "transaction.signatures",
    );
    const accountKeys = [PAYER, "<b>"];
    expect(pathOf({ transaction: { ...transaction, message: { ...transaction.message, accountKeys } } })).to.equal(
      "transaction.message.accountKeys.1",
    );
    for (const response of [undefined, "x", [], { result: null }]) {
      expect(() => readTransaction(response, SIGNATURE)).to.throw(MalformedDataError);
    }
  });

  it("shows an account index that is out of range", () => {
    const outcome: SvmOutcome = {
      source: { kind: "simulation" },
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
        accountKeys: [PAYER],
        instructions: [{ programIdIndex: 9, accounts: [8], data: "" }],
      },
      meta: { err: { InsufficientFundsForRent: { account_index: 7 } } },
    };
    const report = toSvmReport(outcome);
    expect(report.instructions[0]).to.deep.include({ program: "unknown account 9" });
    expect(report.failure?.reason).to.include("unknown account 7");
  });
});
