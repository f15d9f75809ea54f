import { inspect } from "node:util";

import { expect } from "chai";

import { CallsRefusedError } from "../../../../packages/sdk/src/calls/check/checkCalls.ts";
import * as deployment from "../../../../packages/protocol/src/chains/deploymentErrors.ts";
import * as client from "../../../../packages/sdk/src/client/errors.ts";
import * as execution from "../../../../packages/sdk/src/execute/executionErrors.ts";
import { AttestationInvalidError } from "../../../../packages/sdk/src/client/oracle/verifyAttestation.ts";
import * as webhook from "../../../../packages/sdk/src/client/webhooks/webhookRefusedError.ts";
import * as errors from "../../../../packages/protocol/src/core/errors.ts";
import { QuoteRefusedError } from "../../../../packages/sdk/src/verify/quoteRefusedError.ts";
import { ChainsNotServedError } from "../../../../packages/crosscall/src/campaign/workCampaigns.ts";
import { RejectionError } from "../../../../packages/crosscall/src/localnet/market/rejection.ts";
import { AttestationRefusedError } from "../../../../packages/oracle/src/attestationRefusedError.ts";
import { BalanceUnwritableError } from "../../../../packages/crosscall/src/replay/deal.ts";
import { StateUnavailableError } from "../../../../packages/crosscall/src/replay/fork/rpcCacheProxy.ts";
import { NothingToReplayError } from "../../../../packages/crosscall/src/replay/subject/subject.ts";
import { OracleConfigurationError } from "../../../../packages/oracle/src/config/environment.ts";
import * as database from "../../../../packages/crosscall/src/localnet/store/databaseError.ts";
import { QueryTooExpensiveError } from "../../../../packages/crosscall/src/localnet/store/queryTooExpensive.ts";

const { CrosscallError, ERROR_CODES, InvalidInputError, RequestNotFilledError, StageFailedError } = errors;

const SECRET = "a cause that stays inside";
const text = { message: "what happened", hint: "What to do." };
const cause = new Error(SECRET);
const UNMET = { code: "DEPOSITOR", path: "steps", isMet: false, expected: "a", seen: "b" } as const;

/** One error of every class, by name, with its JSON fields other than message and hint. */
const EVERY: Record<string, [errors.CrosscallError, Record<string, unknown>]> = {
  AbortedError: [new errors.AbortedError({ what: "it", cause }), { code: "ABORTED" }],
  AccessTokenError: [new client.AccessTokenError({ reason: "it failed", cause }), { code: "ACCESS_TOKEN_FAILED" }],
  AllowanceResetError: [
    new execution.AllowanceResetError({
      chainId: 7,
      account: "0x03",
      currency: { address: "0x04" },
      spender: "0x05",
      needed: 3n,
      found: 1n,
    }),
    {
      code: "ALLOWANCE_RESET_NEEDED",
      chainId: 7,
      account: "0x03",
      currency: "0x04",
      spender: "0x05",
      needed: "3",
      found: "1",
    },
  ],
  AttestationInvalidError: [
    new AttestationInvalidError({
      kind: "deposits",
      faults: [{ check: "domain", path: "domain", expected: "a", seen: "b" }],
    }),
    {
      code: "ATTESTATION_INVALID",
      kind: "deposits",
      faults: [{ check: "domain", path: "domain", expected: "a", seen: "b" }],
    },
  ],
  AttestationRefusedError: [new AttestationRefusedError("no"), { code: "ATTESTATION_REFUSED" }],
  BalanceUnwritableError: [
    new BalanceUnwritableError({ token: "0x04", amount: 3n, cause }),
    { code: "BALANCE_UNWRITABLE", token: "0x04", amount: "3" },
  ],
  BundleFailedError: [
    new execution.BundleFailedError({ chainId: 7, bundleId: "0x04", status: 600, txHash: "0x03" }),
    { code: "BUNDLE_FAILED", chainId: 7, bundleId: "0x04", status: 600, txHash: "0x03" },
  ],
  CallsRefusedError: [
    new CallsRefusedError([
      { code: "ANY_CALLER_APPROVED", severity: "error", index: 0, reason: "why", hint: "What to do." },
    ]),
    {
      code: "CALLS_REFUSED",
      findings: [{ code: "ANY_CALLER_APPROVED", severity: "error", index: 0, reason: "why", hint: "What to do." }],
    },
  ],
  ChainError: [new errors.ChainError({ ...text, chainId: 7, cause }), { code: "CHAIN_ERROR", chainId: 7 }],
  ChainsNotServedError: [
    new ChainsNotServedError({ chainIds: [7, 8], cause }),
    { code: "CHAINS_NOT_SERVED", chainIds: [7, 8] },
  ],
  DatabaseError: [
    new database.DatabaseError({ database: "postgres://user@host/name", flaw: "missing", cause }),
    { code: "DATABASE_UNUSABLE", database: "postgres://user@host/name", flaw: "missing" },
  ],
  EndpointRetiredError: [
    new client.EndpointRetiredError({ endpoint: "GET /v2", retiredAt: new Date(0), successor: "GET /v3" }),
    {
      code: "ENDPOINT_RETIRED",
      endpoint: "GET /v2",
      retiredAt: "1970-01-01T00:00:00.000Z",
      successor: "GET /v3",
    },
  ],
  FactoryMissingError: [
    new deployment.FactoryMissingError({ chainId: 7, hasOtherCode: false }),
    { code: "FACTORY_MISSING", chainId: 7, factory: "0x4e59b44847b379578588920cA78FbF26c0B4956C" },
  ],
  ForeignCodeError: [
    new deployment.ForeignCodeError({ chainId: 7, contract: "Proxy", address: "0x03", codeHash: "0x04", offset: 5 }),
    { code: "FOREIGN_CODE", chainId: 7, contract: "Proxy", address: "0x03", codeHash: "0x04", offset: 5 },
  ],
  GasCostError: [
    new execution.GasCostError({ chainId: 7, limit: "gasCost", found: 3n, maximum: 1n }),
    {
      code: "GAS_COST_TOO_HIGH",
      chainId: 7,
      gasCost: "3",
      maximumGasCost: "1",
    },
  ],
  InsufficientAllowanceError: [
    new execution.InsufficientAllowanceError({
      chainId: 7,
      account: "0x03",
      currency: { address: "0x04" },
      spender: "0x05",
      needed: 3n,
      found: 1n,
    }),
    {
      code: "INSUFFICIENT_ALLOWANCE",
      chainId: 7,
      account: "0x03",
      currency: "0x04",
      spender: "0x05",
      needed: "3",
      found: "1",
    },
  ],
  InsufficientBalanceError: [
    new execution.InsufficientBalanceError({
      chainId: 7,
      account: "0x03",
      currency: { address: "0x04" },
      needed: 3n,
      found: 1n,
    }),
    {
      code: "INSUFFICIENT_BALANCE",
      chainId: 7,
      account: "0x03",
      currency: "0x04",
      needed: "3",
      found: "1",
    },
  ],
  InsufficientFundsError: [
    new deployment.InsufficientFundsError({ chainId: 7, account: "0x03", balance: 1n, needed: 3n }),
    { code: "INSUFFICIENT_FUNDS", chainId: 7, account: "0x03", balance: "1", needed: "3" },
  ],
  InvalidInputError: [
    new InvalidInputError({ field: "amount", value: "x", reason: "no amount", hint: text.hint, cause }),
    { code: "INVALID_INPUT", field: "amount", value: '"x"', reason: "no amount" },
  ],
  InvalidStateError: [new errors.InvalidStateError({ ...text, cause }), { code: "INVALID_STATE" }],
  MalformedDataError: [
    new errors.MalformedDataError({ what: "the answer", path: "steps[0]", reason: "it is missing", cause }),
    { code: "MALFORMED_DATA", what: "the answer", path: "steps[0]" },
  ],
  NothingToReplayError: [
    new NothingToReplayError({ what: "it", reason: "no calls", hint: text.hint }),
    { code: "NOTHING_TO_REPLAY" },
  ],
  OracleConfigurationError: [
    new OracleConfigurationError([{ at: "PORT", reason: "it is not a port", hint: "Set one." }]),
    { code: "INVALID_CONFIGURATION", problems: [{ at: "PORT", reason: "it is not a port", hint: "Set one." }] },
  ],
  PagingStuckError: [
    new client.PagingStuckError({ endpoint: "GET /", continuation: "c", listed: 3, reason: "again" }),
    { code: "PAGING_STUCK", endpoint: "GET /", continuation: "c", listed: 3 },
  ],
  PaymentUnresolvedError: [
    new execution.PaymentUnresolvedError({
      requestId: "0xab",
      stepId: "deposit",
      chainId: 7,
      account: "0x01",
      what: "permit",
      reference: "5",
      askedAtMs: 1_000,
      payableUntil: 600,
      reason: "anyone who has it can use it",
    }),
    {
      code: "PAYMENT_UNRESOLVED",
      requestId: "0xab",
      stepId: "deposit",
      chainId: 7,
      account: "0x01",
      what: "permit",
      reference: "5",
      askedAtMs: 1_000,
      payableUntil: 600,
    },
  ],
  PreflightFailedError: [
    new execution.PreflightFailedError({
      requestId: "0x01",
      findings: [{ code: "OUTPUT_MISSING", severity: "error", reason: "less", hint: "Ask again." }],
    }),
    {
      code: "PREFLIGHT_FAILED",
      requestId: "0x01",
      findings: [{ code: "OUTPUT_MISSING", severity: "error", reason: "less", hint: "Ask again." }],
    },
  ],
  QueryTooExpensiveError: [
    new QueryTooExpensiveError({ flaw: "groups", groups: 51 }),
    { code: "QUERY_TOO_EXPENSIVE", flaw: "groups", atMost: 50 },
  ],
  QuoteRefusedError: [
    new QuoteRefusedError({
      requestId: "0x01",
      report: { verdict: "refused", items: [], warnings: [], claims: [UNMET] },
    }),
    { code: "QUOTE_REFUSED", requestId: "0x01", verdict: "refused", unmet: [UNMET] },
  ],
  QuoteWorsenedError: [
    new execution.QuoteWorsenedError({ amount: "input", currency: {}, quoted: 1n, offered: 3n, toleranceBps: 5 }),
    { code: "QUOTE_WORSENED", amount: "input", quoted: "1", offered: "3", toleranceBps: 5 },
  ],
  RejectionError: [
    new RejectionError({ status: 400, body: { message: "no" }, hint: text.hint }),
    { code: "REFUSED", status: 400, body: { message: "no" } },
  ],
  ReleaseMismatchError: [
    new deployment.ReleaseMismatchError({ chainId: 7, field: "salt", recorded: "0x01", planned: "0x02" }),
    { code: "RELEASE_MISMATCH", chainId: 7, field: "salt", recorded: "0x01", planned: "0x02" },
  ],
  RequestNotFilledError: [
    new RequestNotFilledError({ requestId: "0x01", status: "refund", details: "SLIPPAGE" }),
    { code: "REQUEST_NOT_FILLED", requestId: "0x01", status: "refund", details: "SLIPPAGE" },
  ],
  RequestNotFoundError: [
    new client.RequestNotFoundError({ requestId: "0x01" }),
    { code: "REQUEST_NOT_FOUND", requestId: "0x01" },
  ],
  ServiceError: [
    new errors.ServiceError({ ...text, status: 400, errorCode: "NO_QUOTES", errorData: { a: 1 }, endpoint: "GET /" }),
    { code: "SERVICE_ERROR", status: 400, errorCode: "NO_QUOTES", errorData: { a: 1 }, endpoint: "GET /" },
  ],
  ServiceUnreachableError: [
    new errors.ServiceUnreachableError({ endpoint: "GET /", cause }),
    { code: "SERVICE_UNREACHABLE", endpoint: "GET /" },
  ],
  StageFailedError: [new StageFailedError({ stage: "fill", cause: 5 }), { code: "STAGE_FAILED", stage: "fill" }],
  StaleQuoteError: [
    new execution.StaleQuoteError({ ageMs: 3, maxAgeMs: 1 }),
    { code: "QUOTE_STALE", ageMs: 3, maxAgeMs: 1 },
  ],
  StateUnavailableError: [
    new StateUnavailableError({ chainId: 7, blockNumber: 3n, host: "node", reason: "pruned", cause }),
    { code: "STATE_UNAVAILABLE", chainId: 7, blockNumber: "3" },
  ],
  TimedOutError: [
    new errors.TimedOutError({ what: "it", timeoutMs: 5, hint: text.hint }),
    { code: "TIMED_OUT", timeoutMs: 5 },
  ],
  TransactionFailedError: [
    new errors.TransactionFailedError({ ...text, chainId: 7, txHash: "0x02", cause }),
    { code: "TRANSACTION_FAILED", chainId: 7, txHash: "0x02" },
  ],
  TransactionReplacedError: [
    new execution.TransactionReplacedError({ chainId: 7, nonce: 2, replacementHash: "0x03" }),
    { code: "TRANSACTION_REPLACED", chainId: 7, nonce: 2, replacementHash: "0x03" },
  ],
  UnsupportedStepError: [
    new errors.UnsupportedStepError({ stepId: "authorize", kind: "signature" }),
    { code: "UNSUPPORTED_STEP", stepId: "authorize", kind: "signature" },
  ],
  UserRejectedError: [
    new execution.UserRejectedError({ stepId: "deposit", cause }),
    { code: "USER_REJECTED", stepId: "deposit" },
  ],
  WebhookRefusedError: [
    new webhook.WebhookRefusedError("timestamp-old"),
    { code: "WEBHOOK_REFUSED", flaw: "timestamp-old" },
  ],
  WrongChainError: [
    new errors.WrongChainError({ what: "it", expectedChainId: 1, actualChainId: 2 }),
    { code: "WRONG_CHAIN", expectedChainId: 1, actualChainId: 2 },
  ],
};

describe("errors", () => {
  it("are all listed in the table below", () => {
    const modules = { ...errors, ...deployment, ...client, ...execution, ...webhook, ...database };
    const classes = Object.entries(modules).flatMap(([name, value]) =>
      typeof value === "function" && value !== CrosscallError ? [name] : [],
    );
    expect(Object.keys(EVERY)).to.deep.equal(
      [
        ...classes,
        "AttestationInvalidError",
        "AttestationRefusedError",
        "BalanceUnwritableError",
        "CallsRefusedError",
        "ChainsNotServedError",
        "NothingToReplayError",
        "OracleConfigurationError",
        "QueryTooExpensiveError",
        "QuoteRefusedError",
        "RejectionError",
        "StateUnavailableError",
      ].sort(),
    );
  });

  it("have one code each, unique to the class", () => {
    expect(Object.values(EVERY).map(([{ code }]) => code)).to.have.members(Object.keys(ERROR_CODES));
  });

  for (const [name, [error, fields]] of Object.entries(EVERY)) {
    it(`serialize ${name} to plain data: code, message, hint and its fields`, () => {
      expect(error).to.be.instanceOf(CrosscallError).and.instanceOf(Error);
      expect(error.name).to.equal(name);
      expect(error.toJSON()).to.deep.equal({ ...fields, message: error.message, hint: error.hint });
      expect(JSON.parse(JSON.stringify(error))).to.deep.equal(error.toJSON());
      expect(JSON.stringify(error)).not.to.include(SECRET).and.not.to.include(".test.ts");
    });
  }

  it("name the page of their code in the package", () => {
    expect(Object.values(EVERY).map(([{ docs }]) => docs)).to.have.members(
      Object.keys(ERROR_CODES).map((code) => `@crosscall/protocol/errors/${code}.md`),
    );
  });

  it("keep their cause, if any, for logs", () => {
    const names = Object.entries(EVERY).flatMap(([name, [error]]) => (error.cause === cause ? [name] : []));
    expect(names).to.deep.equal([
      "AbortedError",
      "AccessTokenError",
      "BalanceUnwritableError",
      "ChainError",
      "ChainsNotServedError",
      "DatabaseError",
      "InvalidInputError",
      "InvalidStateError",
      "MalformedDataError",
      "ServiceUnreachableError",
      "StateUnavailableError",
      "TransactionFailedError",
      "UserRejectedError",
    ]);
    expect(inspect(new errors.InvalidStateError({ ...text, cause }))).to.include(SECRET);
    expect(new errors.InvalidStateError(text)).not.to.have.property("cause");
  });
});

describe("InvalidInputError", () => {
  const circular: Record<string, unknown> = {};
  circular.itself = circular;
  const values: Record<string, [unknown, string | undefined]> = {
    "a string, quoted": ['say "no"', '"say \\"no\\""'],
    "an empty string": ["", '""'],
    "a number": [1.5, "1.5"],
    NaN: [Number.NaN, "NaN"],
    "an endless number": [Number.POSITIVE_INFINITY, "Infinity"],
    "a bigint": [12n, "12"],
    "a boolean": [false, "false"],
    null: [null, "null"],
    "an object": [{ a: [1] }, '{"a":[1]}'],
    "nothing if the field is missing": [undefined, undefined],
    "an object that JSON cannot represent, by its type": [circular, "object"],
    "a bigint inside an object, by its type": [{ amount: 1n }, "object"],
    "a function, by its type": [() => 1, "function"],
    "a symbol, by its type": [Symbol("s"), "symbol"],
    "120 characters unchanged": ["x".repeat(118), `"${"x".repeat(118)}"`],
    "more than 120 characters, truncated": ["x".repeat(119), `"${"x".repeat(116)}...`],
    "a long bigint, truncated": [10n ** 130n, `1${"0".repeat(116)}...`],
  };
  for (const [name, [given, value]] of Object.entries(values)) {
    it(`shows ${name}`, () => {
      const error = new InvalidInputError({ field: "f", value: given, reason: "r", hint: "c" });
      expect(error.value).to.equal(value);
    });
  }
});

describe("the message of InvalidInputError", () => {
  const sentences: readonly (readonly [field: string, value: unknown, reason: string, message: string])[] = [
    ["amount", "1.5", "it is not a whole number", 'amount "1.5" is not a whole number'],
    ["<scenario>", "fail", "it does not exist", 'scenario "fail" does not exist'],
    ["chains", 7, "is not a list", "chains 7 is not a list"],
    ["--html", undefined, "it requires a fork", "--html requires a fork"],
    ["--key-file", "key", "the file cannot be read", '--key-file "key": the file cannot be read'],
    ["--api-url", undefined, "the command requires a service", "--api-url is missing: the command requires a service"],
  ];
  for (const [field, value, reason, message] of sentences) {
    it(`is: ${message}`, () => {
      expect(new InvalidInputError({ field, value, reason, hint: "h" }).message).to.equal(message);
    });
  }
});

describe("StageFailedError", () => {
  it("passes on the hint of a kit error", () => {
    const inner = new errors.InvalidStateError({ message: "m", hint: "Do this." });
    const error = new StageFailedError({ stage: "fill", cause: inner });
    expect([error.hint, error.cause]).to.deep.equal(["Do this.", inner]);
  });
});

describe("RequestNotFilledError", () => {
  it("has different hints for a refund, a failure and an unconfirmed success", () => {
    const hintFor = (status: string): string =>
      new RequestNotFilledError({ requestId: "0x01", status, details: undefined }).hint;
    expect(new Set(["refund", "failure", "unconfirmed"].map(hintFor)).size).to.equal(3);
  });
});
