/** The service's catalog of error codes (spec 4, section 4; not in the specification). */
export const SERVICE_ERROR_CODES = [
  "AMOUNT_TOO_LOW",
  "CHAIN_DISABLED",
  "EXTRA_TXS_NOT_SUPPORTED",
  "FORBIDDEN",
  "INSUFFICIENT_FUNDS",
  "INSUFFICIENT_LIQUIDITY",
  "INVALID_ADDRESS",
  "INVALID_EXTRA_TXS",
  "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS",
  "INVALID_INPUT_CURRENCY",
  "INVALID_OUTPUT_CURRENCY",
  "INVALID_RECIPIENT",
  "INVALID_SLIPPAGE_TOLERANCE",
  "NO_INTERNAL_SWAP_ROUTES_FOUND",
  "NO_QUOTES",
  "NO_SWAP_ROUTES_FOUND",
  "PRICE_FETCH_FAILED",
  "REQUEST_TIMED_OUT",
  "ROUTE_TEMPORARILY_RESTRICTED",
  "RPC_HTTP_ERROR",
  "SANCTIONED_CURRENCY",
  "SANCTIONED_WALLET_ADDRESS",
  "SERVICE_UNAVAILABLE",
  "SOLANA_TX_TOO_LARGE",
  "SWAP_IMPACT_TOO_HIGH",
  "UNAUTHORIZED",
  "UNAUTHORIZED_QUOTE",
  "UNSUPPORTED_CHAIN",
  "UNSUPPORTED_CURRENCY",
  "UNSUPPORTED_EXECUTION_TYPE",
  "UNSUPPORTED_ROUTE",
  "USER_RECIPIENT_MISMATCH",
  "DESTINATION_TX_FAILED",
  "ERC20_ROUTER_ADDRESS_NOT_FOUND",
  "UNKNOWN_ERROR",
  "SWAP_QUOTE_FAILED",
  "PERMIT_FAILED",
] as const;

/** Error code in the service's catalog. */
export type ServiceErrorCode = (typeof SERVICE_ERROR_CODES)[number];

/**
 * Codes sent only by crosscall's local service. INVALID_REQUEST: a malformed request without a code in the catalog;
 * QUERY_TOO_EXPENSIVE: a listing that would take too long; RATE_LIMITED: too many requests to an endpoint of quote v3.
 */
export const KIT_SERVICE_ERROR_CODES = [
  "INVALID_REQUEST",
  "QUERY_TOO_EXPENSIVE",
  "RATE_LIMITED",
  "UNSUPPORTED_FIELD",
] as const;

export type KitServiceErrorCode = (typeof KIT_SERVICE_ERROR_CODES)[number];

/** Codes of requests that can succeed later: retry them with backoff (spec 4, section 4). */
export const TRANSIENT_ERROR_CODES = [
  "PRICE_FETCH_FAILED",
  "SERVICE_UNAVAILABLE",
  "REQUEST_TIMED_OUT",
  "RPC_HTTP_ERROR",
] as const satisfies readonly ServiceErrorCode[];

export type TransientErrorCode = (typeof TRANSIENT_ERROR_CODES)[number];

/** Returns whether the same request can succeed later. Codes outside the catalog are not transient. */
export function isTransientErrorCode(code: string | undefined): code is TransientErrorCode {
  return (TRANSIENT_ERROR_CODES as readonly (string | undefined)[]).includes(code);
}

/** Returns the HTTP status of an error code. */
export function serviceErrorStatus(code: ServiceErrorCode | KitServiceErrorCode): 400 | 401 | 403 | 429 | 500 | 503 {
  switch (code) {
    case "PRICE_FETCH_FAILED":
    case "SERVICE_UNAVAILABLE":
      return 503;
    case "UNAUTHORIZED":
    case "UNAUTHORIZED_QUOTE":
      return 401;
    case "FORBIDDEN":
      return 403;
    case "RATE_LIMITED":
      return 429;
    case "UNKNOWN_ERROR":
      return 500;
    default:
      return 400;
  }
}
