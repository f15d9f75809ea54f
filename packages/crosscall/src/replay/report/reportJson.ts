import { Decode, Errors } from "typebox/value";
import { MalformedDataError } from "@crosscall/protocol/core";
import * as Type from "typebox";
import type { Address, Hex } from "viem";
import { FAIL_REASONS, oneOf, ROUTER_VERSIONS } from "@crosscall/protocol/schema";

import { type ReplayReport, REPLAY_FINDINGS, type ReplayFindingCode } from "../replayReport.ts";
import { CAUSE_KINDS } from "../causes/catalog.ts";
import { CALL_KINDS, FRAME_ERRORS } from "../trace/callFrame.ts";
import { CURRENCY_CONDITIONS, PLAIN_CONDITIONS } from "../verdict.ts";

/** JSON type of a value: a bigint becomes a decimal string, and undefined becomes null. */
type Wire<Value> = Value extends bigint
  ? string
  : Value extends undefined
    ? null
    : Value extends readonly (infer Item)[]
      ? Wire<Item>[]
      : Value extends object
        ? {
            // Keeps optional fields optional.
            [Field in keyof Value]: Partial<Pick<Value, Field>> extends Pick<Value, Field>
              ? Wire<Exclude<Value[Field], undefined>>
              : Wire<Value[Field]>;
          }
        : Value;

/** Converts a replay to JSON that matches `ReportSchema`. `parseReport` parses it. */
export function toReportJson(report: ReplayReport): ReportJson {
  return { version: REPORT_VERSION, ...toWire(report) };
}

export function toWire<Value>(value: Value): Wire<Value> {
  return toPlain(value) as Wire<Value>;
}

function toPlain(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toPlain(field)]));
}

/**
 * Parses the JSON that `toReportJson` returns.
 *
 * @param value parsed from JSON
 * @param what name of the value, for the error
 * @throws {@link MalformedDataError} when the value is not a report of this version
 */
export function parseReport(value: unknown, what = "the replay report"): ReplayReport {
  const [error] = Errors(ReportSchema, value);
  if (error !== undefined) {
    throw new MalformedDataError({
      what,
      path: error.instancePath.slice(1).replaceAll("/", "."),
      reason: `it ${error.message}`,
      hint: "Pass the JSON output of `crosscall replay --json` of this version.",
    });
  }
  const { version: _version, ...report } = Decode(ReportSchema, value);
  return report;
}

/**
 * Version of the report format. It increases when a field changes its meaning or is removed; fields can be added at any
 * time.
 */
const REPORT_VERSION = 2;

const FINDING_CODES = Object.keys(REPLAY_FINDINGS) as [ReplayFindingCode, ...ReplayFindingCode[]];

const account = Type.Unsafe<Address>(Type.String({ pattern: "^0x[0-9a-fA-F]{40}$", description: "Address." }));
const bytes = Type.Unsafe<Hex>(Type.String({ pattern: "^0x(?:[0-9a-fA-F]{2})*$", description: "Bytes as hex." }));
const index = Type.Integer({ minimum: 0, description: "From 0." });

/** Integer: a decimal string in JSON and a bigint in code. */
const whole = Type.Codec(Type.String({ pattern: "^-?(0|[1-9][0-9]*)$", description: "Whole number, decimal." }))
  .Decode(BigInt)
  .Encode(String);

/** Wraps the schema of a value that is null in JSON and undefined in code if it is missing. */
function orNone<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Codec(Type.Union([schema, Type.Null()]))
    .Decode((value): Type.StaticDecode<Schema> | undefined => value ?? undefined)
    .Encode((value) => value ?? null);
}

const source = Type.Union([
  Type.Object({ kind: Type.Literal("request"), requestId: bytes, status: Type.String() }),
  Type.Object({ kind: Type.Literal("transaction"), hash: bytes }),
  Type.Object({ kind: Type.Literal("quote"), requestId: orNone(bytes) }),
  Type.Object({ kind: Type.Literal("plan"), name: Type.String() }),
]);

const plan = Type.Object({
  chainId: Type.Integer(),
  router: account,
  routerVersion: oneOf(ROUTER_VERSIONS, "Which router it is."),
  solver: account,
  currency: account,
  minimumAmount: whole,
  expectedAmount: whole,
  calls: Type.Array(Type.Object({ to: account, data: bytes, value: whole, allowFailure: Type.Boolean() })),
  refundTo: account,
  nftRecipient: account,
  recipient: account,
  orderId: bytes,
  gas: Type.Optional(whole),
});

const failReason = oneOf(FAIL_REASONS, "Reason for the failure.");

const condition = Type.Union([
  Type.Object({ kind: Type.Literal("allowance"), spender: account, currency: account, needed: whole, had: whole }),
  Type.Object({ kind: Type.Literal("balance"), account, currency: account, needed: whole, had: whole }),
  Type.Object({ kind: Type.Literal("nftBalance"), account, tokenId: whole, needed: whole, had: whole }),
  Type.Object({ kind: Type.Literal("supply"), tokenId: orNone(whole), needed: whole, had: whole }),
  Type.Object({
    kind: oneOf(CURRENCY_CONDITIONS, "An amount of a currency."),
    currency: orNone(account),
    needed: whole,
    had: whole,
  }),
  Type.Object({ kind: oneOf(PLAIN_CONDITIONS, "A number without a currency."), needed: whole, had: whole }),
]);

const verdict = Type.Union([
  Type.Object({ outcome: Type.Literal("success") }),
  Type.Object({
    outcome: Type.Literal("failure"),
    failReason,
    txIndex: orNone(index),
    error: Type.String(),
    condition: orNone(condition),
    path: Type.Array(index),
    hint: Type.String(),
    explanation: Type.Optional(
      Type.Object({
        kind: oneOf([...CAUSE_KINDS, "unknown"], "What kind of condition was not met."),
        cause: Type.String(),
        isCertain: Type.Boolean(),
        source: orNone(Type.String()),
      }),
    ),
  }),
]);

const finding = Type.Object({
  code: oneOf(FINDING_CODES, "What was found."),
  severity: oneOf(["error", "warning", "note"], "How much it matters."),
  txIndex: orNone(index),
  reason: Type.String(),
  hint: Type.String(),
  left: Type.Optional(Type.Object({ account, currency: account, amount: whole })),
});

const frame = Type.Object({
  kind: oneOf(CALL_KINDS, "How it was called."),
  from: account,
  to: orNone(account),
  value: whole,
  gas: whole,
  gasUsed: whole,
  input: bytes,
  output: bytes,
  error: orNone(oneOf(FRAME_ERRORS, "How it failed.")),
  errorText: orNone(Type.String()),
});

const log = Type.Object({
  address: account,
  event: orNone(Type.String()),
  topics: Type.Array(bytes),
  data: bytes,
  position: index,
});

const node = Type.Object({
  frame,
  call: orNone(Type.String()),
  result: orNone(Type.String()),
  error: orNone(Type.String()),
  isSwallowed: Type.Boolean(),
  txIndex: orNone(index),
  logs: Type.Array(log),
  calls: Type.Array(Type.Ref("Node")),
});

const envelope = Type.Object({
  outputs: Type.Array(account),
  points: Type.Array(
    Type.Object({
      amount: whole,
      success: Type.Boolean(),
      gasUsed: whole,
      received: Type.Array(whole),
      failReason: orNone(failReason),
      txIndex: orNone(index),
    }),
  ),
  ranges: Type.Array(
    Type.Object({
      from: whole,
      to: whole,
      success: Type.Boolean(),
      failReason: orNone(failReason),
      txIndex: orNone(index),
    }),
  ),
  smallestWorking: orNone(whole),
  gas: orNone(Type.Object({ maximum: whole, p99: whole, recommendedLimit: whole })),
});

const original = Type.Object({
  hash: bytes,
  blockNumber: whole,
  success: Type.Boolean(),
  gasUsed: whole,
  isReproduced: Type.Boolean(),
});

/**
 * Schema with the fields of {@link ReplayReport}. Amounts, gas and block numbers are decimal strings; undefined is
 * null; the call tree is recursive.
 */
const ReportSchema = Type.Cyclic(
  {
    Node: node,
    Report: Type.Object({
      version: Type.Literal(REPORT_VERSION),
      source,
      plan,
      blockNumber: whole,
      amount: whole,
      verdict,
      findings: Type.Array(finding),
      gasUsed: whole,
      trace: Type.Ref("Node"),
      transfers: Type.Array(
        Type.Object({ currency: account, from: account, to: account, amount: whole, txIndex: orNone(index) }),
      ),
      balances: Type.Array(Type.Object({ account, currency: account, before: whole, after: whole })),
      allowances: Type.Array(
        Type.Object({ token: account, owner: account, spender: account, before: whole, after: whole }),
      ),
      currencies: Type.Array(
        Type.Object({
          address: account,
          symbol: Type.String(),
          decimals: Type.Integer({ minimum: 0, maximum: 255 }),
          priceUsd: Type.Optional(
            Type.Number({ description: "US dollars per whole unit, as the quote or the record states it." }),
          ),
        }),
      ),
      names: Type.Unsafe<Record<Address, string>>(
        Type.Object({}, { additionalProperties: Type.String(), description: "Names of accounts by address." }),
      ),
      original: orNone(original),
      envelope: orNone(envelope),
    }),
  },
  "Report",
);

type ReportJson = Type.Static<typeof ReportSchema>;
