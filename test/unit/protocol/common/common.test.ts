import { expect } from "chai";

import { InvalidInputError } from "../../../../packages/protocol/src/core/errors.ts";
import { sumCallValues } from "../../../../packages/protocol/src/common/call.ts";
import { isNativeCurrency } from "../../../../packages/protocol/src/common/isNativeCurrency.ts";
import {
  isTransientErrorCode,
  KIT_SERVICE_ERROR_CODES,
  SERVICE_ERROR_CODES,
  serviceErrorStatus,
  TRANSIENT_ERROR_CODES,
} from "../../../../packages/protocol/src/errors/serviceError.ts";
import { ServiceErrorSchema } from "../../../../packages/protocol/src/errors/serviceErrorBody.ts";
import { parseProblems } from "../../../../packages/protocol/src/quote/quoteProblem.ts";
import { STEP_IDS } from "../../../../packages/protocol/src/quote/step.ts";
import { isTerminalStatus, TERMINAL_STATUSES } from "../../../../packages/protocol/src/request/requestStatus.ts";
import { parseData } from "../../../../packages/protocol/src/schema/parse.ts";
import type { UnknownValue } from "../../../../packages/protocol/src/schema/schemaParts.ts";
import {
  DEPOSIT_ADDRESS_TYPES,
  FAIL_REASONS,
  FEATURES,
  FEE_COMPONENTS,
  FEE_COMPONENTS_V2,
  ADDED_REFUND_FAIL_REASONS,
  REFUND_FAIL_REASONS,
  SPECIFIED_REFUND_FAIL_REASONS,
  REQUEST_STATUSES,
  REQUEST_STATUSES_V2,
  REQUEST_TYPES,
  SORT_DIRECTIONS,
  SORT_FIELDS,
  STATUS_FILTERS,
  TRADE_TYPES,
} from "../../../../packages/protocol/src/schema/values.ts";
import { malformed } from "../everyField.ts";
import { call, calls, NATIVE, SVM_USDC, USDC } from "../fixtures.ts";
import { formatCurrencyAmount } from "../../../../packages/protocol/src/common/formatCurrencyAmount.ts";

describe("sumCallValues", () => {
  it("adds up the values", () => {
    expect(sumCallValues([])).to.equal(0n);
    expect(sumCallValues(calls)).to.equal(100n);
  });

  it("reports a value that is not an amount", () => {
    expect(() => sumCallValues([call, { ...call, value: "" }]))
      .to.throw(InvalidInputError)
      .with.property("field", "txs[1].value");
  });
});

describe("parseProblems", () => {
  it("does not catch errors other than rejections", () => {
    const parse = (): never => {
      throw new RangeError("a defect");
    };
    expect(() => parseProblems("INVALID_REQUEST", "1", "amount", parse)).to.throw(RangeError);
  });
});

describe("isNativeCurrency", () => {
  const cases: [Parameters<typeof isNativeCurrency>[0], boolean | undefined][] = [
    [{ chainId: 8453, address: NATIVE, metadata: {} }, true],
    [{ chainId: 8453, address: USDC }, false],
    [{ chainId: 8453, address: USDC, metadata: { isNative: true } }, true],
    [{ chainId: 8453, address: USDC, metadata: { isNative: null } }, false],
    [{ chainId: 792_703_809, address: "11111111111111111111111111111111" }, true],
    [{ chainId: 792_703_809, address: SVM_USDC }, false],
    [{ chainId: 8453 }, undefined],
    [{ address: NATIVE }, undefined],
    [{ chainId: 4_242_424_242, address: NATIVE }, undefined],
  ];
  for (const [currency, expected] of cases) {
    it(`returns ${expected} for ${JSON.stringify(currency)}`, () => {
      expect(isNativeCurrency(currency)).to.equal(expected);
    });
  }
});

describe("formatCurrencyAmount", () => {
  it("formats whole units with the symbol, and marks missing decimals", () => {
    expect(formatCurrencyAmount(1_500_000n, { symbol: "USDC", decimals: 6 })).to.equal("1.5 USDC");
    expect(formatCurrencyAmount(7n, { symbol: "USDC" })).to.equal("7 units USDC");
    expect(formatCurrencyAmount(7n, { address: USDC, decimals: 0 })).to.equal(`7 ${USDC}`);
  });
});

describe("service errors", () => {
  it("have the HTTP status of their code", () => {
    const others = [...SERVICE_ERROR_CODES, ...KIT_SERVICE_ERROR_CODES].flatMap((code) =>
      serviceErrorStatus(code) === 400 ? [] : [[code, serviceErrorStatus(code)]],
    );
    expect(others).to.deep.equal([
      ["FORBIDDEN", 403],
      ["PRICE_FETCH_FAILED", 503],
      ["SERVICE_UNAVAILABLE", 503],
      ["UNAUTHORIZED", 401],
      ["UNAUTHORIZED_QUOTE", 401],
      ["UNKNOWN_ERROR", 500],
      ["RATE_LIMITED", 429],
    ]);
  });

  it("include the kit's own codes, which are not in the catalog", () => {
    expect(KIT_SERVICE_ERROR_CODES).to.deep.equal([
      "INVALID_REQUEST",
      "QUERY_TOO_EXPENSIVE",
      "RATE_LIMITED",
      "UNSUPPORTED_FIELD",
    ]);
    expect(SERVICE_ERROR_CODES).not.to.include.members([...KIT_SERVICE_ERROR_CODES]);
    expect(KIT_SERVICE_ERROR_CODES.map(serviceErrorStatus)).to.deep.equal([400, 400, 429, 400]);
  });

  it("are retried only for the four transient codes", () => {
    expect(SERVICE_ERROR_CODES.filter(isTransientErrorCode)).to.deep.equal([
      "PRICE_FETCH_FAILED",
      "REQUEST_TIMED_OUT",
      "RPC_HTTP_ERROR",
      "SERVICE_UNAVAILABLE",
    ]);
    expect(isTransientErrorCode("A_NEW_CODE")).to.equal(false);
    expect(isTransientErrorCode(undefined)).to.equal(false);
  });

  it("are parsed if they have only a message, and with any code", () => {
    const listing = { message: "no" };
    const whole = { message: "no", errorCode: "A_NEW_CODE", errorData: "amount: too low" };
    expect(parseData(ServiceErrorSchema, listing, "it")).to.equal(listing);
    expect(parseData(ServiceErrorSchema, whole, "it")).to.equal(whole);
    expect(malformed(() => parseData(ServiceErrorSchema, { errorCode: "NO_QUOTES" }, "it")).path).to.equal("message");
  });
});

const FAIL_REASONS_OF_THE_SPEC = `
  UNKNOWN, SLIPPAGE, AMOUNT_TOO_LOW_TO_REFUND, DEPOSIT_ADDRESS_MISMATCH, DEPOSIT_CHAIN_MISMATCH,
  INCORRECT_DEPOSIT_CURRENCY, DOUBLE_SPEND, SOLVER_CAPACITY_EXCEEDED, SOLVER_BALANCE_TOO_LOW,
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL, NEGATIVE_NEW_AMOUNT_AFTER_FEES, NO_QUOTES, MISSING_REVERT_DATA,
  REVERSE_SWAP_FAILED, GENERATE_SWAP_FAILED, TOO_LITTLE_RECEIVED, EXECUTION_REVERTED,
  NEW_CALLDATA_INCLUDES_HIGHER_RENT_FEE, TRANSACTION_REVERTED, TRANSACTION_TOO_LARGE,
  ORIGIN_CURRENCY_MISMATCH, NO_INTERNAL_SWAP_ROUTES_FOUND, SWAP_USES_TOO_MUCH_GAS,
  INSUFFICIENT_FUNDS_FOR_RENT, SPONSOR_BALANCE_TOO_LOW, ORDER_EXPIRED, ORDER_IS_CANCELLED,
  TRANSFER_FROM_FAILED, TRANSFER_FAILED, SIGNATURE_EXPIRED, INVALID_SIGNATURE,
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED, TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE, TRANSFER_AMOUNT_EXCEEDS_BALANCE,
  INVALID_SENDER, ACCOUNT_ABSTRACTION_INVALID_NONCE, ACCOUNT_ABSTRACTION_SIGNATURE_ERROR,
  SEAPORT_INEXACT_FRACTION, TOKEN_NOT_TRANSFERABLE, ZERO_SELL_AMOUNT, MINT_NOT_ACTIVE,
  ERC_1155_TOO_MANY_REQUESTED, INCORRECT_PAYMENT, INVALID_GAS_PRICE, FLUID_DEX_ERROR, ORDER_ALREADY_FILLED,
  SEAPORT_INVALID_FULFILLER, INVALID_SIGNER, MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET,
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY, JUPITER_INVALID_TOKEN_ACCOUNT, INVALID_NONCE,
  ACCOUNT_ABSTRACTION_GAS_LIMIT, CONTRACT_PAUSED, SWAP_IMPACT_TOO_HIGH, INSUFFICIENT_POOL_LIQUIDITY,
  TTL_EXPIRED, DEPOSIT_CONFIRMATION_TIMEOUT, ORPHANED_DEPOSIT_REFUND, GASLESS_PERMIT_BALANCE_TOO_LOW,
  MANUAL_ADMIN_REFUND, QUOTED_GAS_LIMIT_EXCEEDED, DESTINATION_TOKEN_TRANSFER_REJECTED, DEPOSIT_REORGED,
  BLOCKED_WALLET, PROTOCOL_DEADLINE_EXPIRED, TRANSACTION_NOT_INCLUDED, TRANSACTION_SUBMISSION_FAILED`;

const ERROR_CODES_OF_THE_SERVICE = `
  AMOUNT_TOO_LOW, CHAIN_DISABLED, EXTRA_TXS_NOT_SUPPORTED, FORBIDDEN, INSUFFICIENT_FUNDS,
  INSUFFICIENT_LIQUIDITY, INVALID_ADDRESS, INVALID_EXTRA_TXS, INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS, INVALID_INPUT_CURRENCY, INVALID_OUTPUT_CURRENCY,
  INVALID_RECIPIENT, INVALID_SLIPPAGE_TOLERANCE, NO_INTERNAL_SWAP_ROUTES_FOUND, NO_QUOTES,
  NO_SWAP_ROUTES_FOUND, PRICE_FETCH_FAILED, REQUEST_TIMED_OUT, ROUTE_TEMPORARILY_RESTRICTED, RPC_HTTP_ERROR,
  SANCTIONED_CURRENCY, SANCTIONED_WALLET_ADDRESS, SERVICE_UNAVAILABLE, SOLANA_TX_TOO_LARGE,
  SWAP_IMPACT_TOO_HIGH, UNAUTHORIZED, UNAUTHORIZED_QUOTE, UNSUPPORTED_CHAIN, UNSUPPORTED_CURRENCY, UNSUPPORTED_EXECUTION_TYPE,
  UNSUPPORTED_ROUTE, USER_RECIPIENT_MISMATCH, DESTINATION_TX_FAILED, ERC20_ROUTER_ADDRESS_NOT_FOUND,
  UNKNOWN_ERROR, SWAP_QUOTE_FAILED, PERMIT_FAILED`;

/** Each enumeration with its documented values. */
const ENUMERATIONS: Record<string, [readonly string[], string]> = {
  FAIL_REASONS: [FAIL_REASONS, FAIL_REASONS_OF_THE_SPEC],
  SPECIFIED_REFUND_FAIL_REASONS: [
    SPECIFIED_REFUND_FAIL_REASONS,
    "AMOUNT_TOO_LOW_TO_REFUND, NEGATIVE_NEW_AMOUNT_AFTER_FEES, SWAP_CURRENCY_NOT_ON_ORIGIN, REFUND_RECIPIENT_IS_VASP",
  ],
  REFUND_FAIL_REASONS: [
    REFUND_FAIL_REASONS,
    [...SPECIFIED_REFUND_FAIL_REASONS, ...Object.keys(ADDED_REFUND_FAIL_REASONS)].join(", "),
  ],
  REQUEST_STATUSES: [REQUEST_STATUSES, "pending, waiting, depositing, submitted, success, failure, refund"],
  REQUEST_STATUSES_V2: [REQUEST_STATUSES_V2, "refund, waiting, depositing, failure, pending, success"],
  STATUS_FILTERS: [STATUS_FILTERS, "success, failure, refund, pending, depositing"],
  TERMINAL_STATUSES: [TERMINAL_STATUSES, "success, failure, refund"],
  REQUEST_TYPES: [REQUEST_TYPES, "Bridge, Crosschain Swap, Same-chain Swap, Send, Wrap, Unwrap, Call"],
  FEATURES: [FEATURES, "gasless_execution, gasless_swap, fast_fill, gas_top_up, fixed_rate, app_fees, deposit_address"],
  SORT_FIELDS: [SORT_FIELDS, "createdAt, updatedAt, amountUsd"],
  SORT_DIRECTIONS: [SORT_DIRECTIONS, "asc, desc"],
  DEPOSIT_ADDRESS_TYPES: [DEPOSIT_ADDRESS_TYPES, "strict, open"],
  FEE_COMPONENTS: [FEE_COMPONENTS, "execution, swap, platform, app"],
  FEE_COMPONENTS_V2: [FEE_COMPONENTS_V2, "execution, swap, relay, app, rent"],
  TRADE_TYPES: [TRADE_TYPES, "EXACT_INPUT, EXPECTED_OUTPUT, EXACT_OUTPUT"],
  STEP_IDS: [STEP_IDS, "deposit, approve, swap, send, authorize, authorize1, authorize2"],
  SERVICE_ERROR_CODES: [SERVICE_ERROR_CODES, ERROR_CODES_OF_THE_SERVICE],
  TRANSIENT_ERROR_CODES: [
    TRANSIENT_ERROR_CODES,
    "PRICE_FETCH_FAILED, SERVICE_UNAVAILABLE, REQUEST_TIMED_OUT, RPC_HTTP_ERROR",
  ],
};

describe("enumerations", () => {
  for (const [name, [values, documented]] of Object.entries(ENUMERATIONS)) {
    it(`include the documented values of ${name}, each once`, () => {
      expect([...values].sort()).to.deep.equal(documented.trim().split(/,\s+/u).sort());
    });
  }

  it("treat an unknown status as not terminal in isTerminalStatus", () => {
    expect(isTerminalStatus("delayed" as UnknownValue)).to.equal(false);
  });

  it("distinguish final from intermediate statuses in isTerminalStatus", () => {
    const terminal = REQUEST_STATUSES.filter(isTerminalStatus);
    expect(terminal).to.deep.equal(["success", "failure", "refund"]);
  });
});
