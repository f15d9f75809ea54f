import type { ServiceErrorCode } from "@crosscall/protocol/errors";

export const QUOTE_ERRORS: Readonly<Record<ServiceErrorCode, { readonly what: string; readonly hint: string }>> = {
  AMOUNT_TOO_LOW: { what: "The fees exceed the value of the amount.", hint: "Request a larger amount." },
  CHAIN_DISABLED: {
    what: "A chain is temporarily disabled.",
    hint: "Offer chains that are not `disabled` in GET /chains, and retry later.",
  },
  EXTRA_TXS_NOT_SUPPORTED: {
    what: "The route does not support calls.",
    hint: "Request a quote without `txs`, or choose a destination that supports calls.",
  },
  FORBIDDEN: {
    what: "The API key lacks permission for this feature.",
    hint: "Use a key with the feature, or omit the field.",
  },
  INSUFFICIENT_FUNDS: {
    what: "The user's balance is below the quote's input amount.",
    hint: "Compare the user's balance with the amount plus fees before you quote.",
  },
  INSUFFICIENT_LIQUIDITY: {
    what: "No solver holds enough of the destination currency.",
    hint: "Request less, split the amount, or retry later.",
  },
  INVALID_ADDRESS: {
    what: "An address is invalid on its chain.",
    hint: "Validate addresses by the rules of their chain.",
  },
  INVALID_EXTRA_TXS: { what: "The calls are invalid.", hint: "Check the calls with `crosscall check`." },
  INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS: {
    what: "The calls run inside the deposit transaction, and their gas limit is missing or invalid.",
    hint: "Pass `gasLimitForDepositSpecifiedTxs`, the gas of all calls together.",
  },
  INVALID_INPUT_CURRENCY: {
    what: "The origin currency is not supported.",
    hint: "Choose a currency that GET /chains lists.",
  },
  INVALID_OUTPUT_CURRENCY: {
    what: "The destination currency is not supported.",
    hint: "Choose a currency that GET /chains lists.",
  },
  INVALID_RECIPIENT: {
    what: "The recipient is missing, or is the contract of a token.",
    hint: "Pass an account of the destination chain.",
  },
  INVALID_SLIPPAGE_TOLERANCE: {
    what: "The slippage tolerance is not a valid number of basis points.",
    hint: "Pass a string from 0 to 10000, or omit the field.",
  },
  NO_INTERNAL_SWAP_ROUTES_FOUND: {
    what: "The solver's own liquidity has no route for the pair.",
    hint: "Allow external liquidity, or choose another pair.",
  },
  NO_QUOTES: {
    what: "No solver offers a quote for the route at the moment.",
    hint: "Retry later, or use another amount or pair.",
  },
  NO_SWAP_ROUTES_FOUND: {
    what: "No exchange has a route for the pair.",
    hint: "Choose a pair with more liquidity, or another amount.",
  },
  PRICE_FETCH_FAILED: { what: "A price could not be fetched (transient).", hint: "Retry with backoff." },
  REQUEST_TIMED_OUT: { what: "The quote timed out (transient).", hint: "Retry with backoff." },
  ROUTE_TEMPORARILY_RESTRICTED: {
    what: "The route is temporarily closed.",
    hint: "Offer another route, and retry later.",
  },
  RPC_HTTP_ERROR: { what: "A chain's node does not respond (transient).", hint: "Retry with backoff." },
  SANCTIONED_CURRENCY: { what: "The currency is sanctioned.", hint: "Choose another currency, and do not retry." },
  SANCTIONED_WALLET_ADDRESS: {
    what: "A wallet of the request is sanctioned.",
    hint: "Inform the user, and do not retry with this address.",
  },
  SERVICE_UNAVAILABLE: { what: "The service is unavailable (transient).", hint: "Retry with backoff." },
  SOLANA_TX_TOO_LARGE: {
    what: "The SVM deposit exceeds 1172 bytes.",
    hint: "Set `maxRouteLength` to 4, then to 3. As a last resort, select one origin swap source.",
  },
  SWAP_IMPACT_TOO_HIGH: {
    what: "The price impact of the swap is too high.",
    hint: "Request less, split the amount, or choose a pair with more liquidity.",
  },
  UNAUTHORIZED: { what: "The API key is missing or unknown.", hint: "Send an active key in the `x-api-key` header." },
  UNSUPPORTED_CHAIN: {
    what: "The service does not support the chain.",
    hint: "Choose a chain that GET /chains lists.",
  },
  UNAUTHORIZED_QUOTE: {
    what: "The quote request has no API key and no access token.",
    hint: "Send x-api-key, or Authorization with an access token.",
  },
  UNSUPPORTED_CURRENCY: {
    what: "The service does not support the currency.",
    hint: "Choose a currency that GET /chains lists.",
  },
  UNSUPPORTED_EXECUTION_TYPE: {
    what: "The route does not support this execution type.",
    hint: "Request a quote for wallet transactions, without gasless execution or a deposit address.",
  },
  UNSUPPORTED_ROUTE: {
    what: "The service does not support this pair of origin and destination.",
    hint: "Choose another origin or destination.",
  },
  USER_RECIPIENT_MISMATCH: {
    what: "The route requires the user to be the recipient.",
    hint: "Omit the recipient, or pass the user's address.",
  },
  DESTINATION_TX_FAILED: {
    what: "The calls revert in a simulation on the destination.",
    hint: "Replay them with `crosscall check`, and fix the failing call.",
  },
  ERC20_ROUTER_ADDRESS_NOT_FOUND: {
    what: "The destination has no router for calls.",
    hint: "Choose a destination chain with a router in GET /chains.",
  },
  UNKNOWN_ERROR: {
    what: "The service had an internal error.",
    hint: "Retry once, then report the time and the request body.",
  },
  SWAP_QUOTE_FAILED: {
    what: "An exchange returned no price for a swap.",
    hint: "Retry, then use another amount or pair.",
  },
  PERMIT_FAILED: {
    what: "The token's permit was rejected.",
    hint: "Sign again with the token's current nonce, or deposit with a transaction.",
  },
};
