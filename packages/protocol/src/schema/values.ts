// Documented values of the service, separate from their schemas, so that the command line can list them without loading
// schemas.

/** Statuses of a v3 request (spec 1, section 3), in the order in which a request passes through them. */
export const REQUEST_STATUSES = [
  "waiting",
  "depositing",
  "pending",
  "submitted",
  "success",
  "failure",
  "refund",
] as const;

/**
 * Statuses of the v2 response schema (spec 1, section 3). The migration notes also name `delayed`, which is not in the
 * schema.
 */
export const REQUEST_STATUSES_V2 = ["refund", "waiting", "depositing", "failure", "pending", "success"] as const;

/** Values that the `status` filter of both listings accepts (spec 1, section 3); `submitted` is not accepted. */
export const STATUS_FILTERS = ["success", "failure", "refund", "pending", "depositing"] as const;

/** Reasons for a failed request (spec 1, section 2.6). The v2 value `N/A` is null in v3 and not listed. */
export const FAIL_REASONS = [
  "UNKNOWN",
  "SLIPPAGE",
  "AMOUNT_TOO_LOW_TO_REFUND",
  "DEPOSIT_ADDRESS_MISMATCH",
  "DEPOSIT_CHAIN_MISMATCH",
  "INCORRECT_DEPOSIT_CURRENCY",
  "DOUBLE_SPEND",
  "SOLVER_CAPACITY_EXCEEDED",
  "SOLVER_BALANCE_TOO_LOW",
  "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
  "NEGATIVE_NEW_AMOUNT_AFTER_FEES",
  "NO_QUOTES",
  "MISSING_REVERT_DATA",
  "REVERSE_SWAP_FAILED",
  "GENERATE_SWAP_FAILED",
  "TOO_LITTLE_RECEIVED",
  "EXECUTION_REVERTED",
  "NEW_CALLDATA_INCLUDES_HIGHER_RENT_FEE",
  "TRANSACTION_REVERTED",
  "TRANSACTION_TOO_LARGE",
  "ORIGIN_CURRENCY_MISMATCH",
  "NO_INTERNAL_SWAP_ROUTES_FOUND",
  "SWAP_USES_TOO_MUCH_GAS",
  "INSUFFICIENT_FUNDS_FOR_RENT",
  "SPONSOR_BALANCE_TOO_LOW",
  "ORDER_EXPIRED",
  "ORDER_IS_CANCELLED",
  "TRANSFER_FROM_FAILED",
  "TRANSFER_FAILED",
  "SIGNATURE_EXPIRED",
  "INVALID_SIGNATURE",
  "INSUFFICIENT_NATIVE_TOKENS_SUPPLIED",
  "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
  "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
  "INVALID_SENDER",
  "ACCOUNT_ABSTRACTION_INVALID_NONCE",
  "ACCOUNT_ABSTRACTION_SIGNATURE_ERROR",
  "SEAPORT_INEXACT_FRACTION",
  "TOKEN_NOT_TRANSFERABLE",
  "ZERO_SELL_AMOUNT",
  "MINT_NOT_ACTIVE",
  "ERC_1155_TOO_MANY_REQUESTED",
  "INCORRECT_PAYMENT",
  "INVALID_GAS_PRICE",
  "FLUID_DEX_ERROR",
  "ORDER_ALREADY_FILLED",
  "SEAPORT_INVALID_FULFILLER",
  "INVALID_SIGNER",
  "MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET",
  "MINT_QUANTITY_EXCEEDS_MAX_SUPPLY",
  "JUPITER_INVALID_TOKEN_ACCOUNT",
  "INVALID_NONCE",
  "ACCOUNT_ABSTRACTION_GAS_LIMIT",
  "CONTRACT_PAUSED",
  "SWAP_IMPACT_TOO_HIGH",
  "INSUFFICIENT_POOL_LIQUIDITY",
  "TTL_EXPIRED",
  "DEPOSIT_CONFIRMATION_TIMEOUT",
  "ORPHANED_DEPOSIT_REFUND",
  "GASLESS_PERMIT_BALANCE_TOO_LOW",
  "MANUAL_ADMIN_REFUND",
  "QUOTED_GAS_LIMIT_EXCEEDED",
  "DESTINATION_TOKEN_TRANSFER_REJECTED",
  "DEPOSIT_REORGED",
  "BLOCKED_WALLET",
  "PROTOCOL_DEADLINE_EXPIRED",
  "TRANSACTION_NOT_INCLUDED",
  "TRANSACTION_SUBMISSION_FAILED",
] as const;

/** Reasons for a failed refund in the specification (spec 1, section 2.6). */
export const SPECIFIED_REFUND_FAIL_REASONS = [
  "AMOUNT_TOO_LOW_TO_REFUND",
  "NEGATIVE_NEW_AMOUNT_AFTER_FEES",
  "SWAP_CURRENCY_NOT_ON_ORIGIN",
  "REFUND_RECIPIENT_IS_VASP",
] as const;

/**
 * Reasons for a failed refund that the live service added, with the day of their entry in its changelog. v2 records do
 * not have them. `MANUAL_REFUND_REQUIRED`: the refund cannot be sent automatically.
 */
export const ADDED_REFUND_FAIL_REASONS = { MANUAL_REFUND_REQUIRED: "2026-08-07" } as const;

/** Reasons for a failed refund: those of the specification, then the added ones. */
export const REFUND_FAIL_REASONS = [...SPECIFIED_REFUND_FAIL_REASONS, "MANUAL_REFUND_REQUIRED"] as const;

/** Placeholder in statuses, status events and v2 records if there is no reason; null in v3 records. */
export const NO_REASON = "N/A";

/** Types of requests (spec 1, section 2.1). Filters ignore case. */
export const REQUEST_TYPES = [
  "Bridge",
  "Crosschain Swap",
  "Same-chain Swap",
  "Send",
  "Wrap",
  "Unwrap",
  "Call",
] as const;

/** Features of a request that the `features` filter accepts; the specification shows only examples. */
export const FEATURES = [
  "gasless_execution",
  "gasless_swap",
  "fast_fill",
  "gas_top_up",
  "fixed_rate",
  "app_fees",
  "deposit_address",
] as const;

/** Sort fields of `GET /requests/v3`; `createdAt` is the default (spec 1, section 4.2). */
export const SORT_FIELDS = ["createdAt", "updatedAt", "amountUsd"] as const;

/** Sort directions; the default is `desc` for times and `asc` for `amountUsd` (spec 1, section 4.2). */
export const SORT_DIRECTIONS = ["asc", "desc"] as const;

/** Kinds of deposit address: `strict` serves one order, `open` any amount (spec 1, section 2.1). */
export const DEPOSIT_ADDRESS_TYPES = ["strict", "open"] as const;

/** Fee components that can be sponsored, by their v3 names (spec 1, section 2.4). */
export const FEE_COMPONENTS = ["execution", "swap", "platform", "app"] as const;

/** Fee components by their v2 names, which quotes also use (spec 1, section 2.4). */
export const FEE_COMPONENTS_V2 = ["execution", "swap", "relay", "app", "rent"] as const;

/** Meanings of a quote's `amount` (spec 2, section 4). */
export const TRADE_TYPES = ["EXACT_INPUT", "EXPECTED_OUTPUT", "EXACT_OUTPUT"] as const;

/** Versions of the service's router (spec 4, section 3). Older chains have one of the first two versions. */
export const ROUTER_VERSIONS = ["v2", "v2.1", "v3"] as const;
