import type { ServiceErrorCode } from "@crosscall/sdk/internal/protocol/common/serviceError";

/** What each code of the quote's catalogue means, and what an integrator does about it. */
export const QUOTE_ERRORS: Readonly<Record<ServiceErrorCode, { readonly what: string; readonly hint: string }>> = {
  AMOUNT_TOO_LOW: { what: "The fees are more than the amount is worth.", hint: "Ask for a larger amount." },
  CHAIN_DISABLED: {
    what: "A chain is switched off for now.",
    hint: "Offer other chains, by what GET /chains says of `disabled`, and try again later.",
  },
  EXTRA_TXS_NOT_SUPPORTED: {
    what: "The route takes no calls.",
    hint: "Quote without txs, or choose a destination that runs calls.",
  },
  FORBIDDEN: { what: "The API key may not do this.", hint: "Use a key that has the feature, or leave the field out." },
  INSUFFICIENT_FUNDS: {
    what: "The user holds less than the quote takes.",
    hint: "Compare the user's balance with amount plus fees before quoting.",
  },
  INSUFFICIENT_LIQUIDITY: {
    what: "No solver holds enough of the destination currency.",
    hint: "Ask for less, split the amount, or try again later.",
  },
  INVALID_ADDRESS: { what: "An address is none of its chain.", hint: "Check addresses by their chain's rules." },
  INVALID_EXTRA_TXS: { what: "The calls cannot be run as given.", hint: "Check the calls with `crosscall check`." },
  INVALID_INPUT_CURRENCY: {
    what: "The origin currency is not traded here.",
    hint: "Choose a currency that GET /chains lists.",
  },
  INVALID_OUTPUT_CURRENCY: {
    what: "The destination currency is not traded here.",
    hint: "Choose a currency that GET /chains lists.",
  },
  INVALID_RECIPIENT: {
    what: "The recipient cannot receive on the destination chain.",
    hint: "Give an address of the destination chain.",
  },
  INVALID_SLIPPAGE_TOLERANCE: {
    what: "The slippage tolerance is no number of basis points in range.",
    hint: "Give 0 to 10000 as a string, or leave it out.",
  },
  NO_INTERNAL_SWAP_ROUTES_FOUND: {
    what: "The solver's own liquidity has no route for the pair.",
    hint: "Allow external liquidity, or choose another pair.",
  },
  NO_QUOTES: { what: "No solver prices the route now.", hint: "Try again later, with another amount or pair." },
  NO_SWAP_ROUTES_FOUND: {
    what: "No exchange has a route for the pair.",
    hint: "Choose a pair with more liquidity, or another amount.",
  },
  PRICE_FETCH_FAILED: { what: "A price could not be had; transient.", hint: "Try again with backoff." },
  REQUEST_TIMED_OUT: { what: "The quote took too long; transient.", hint: "Try again with backoff." },
  ROUTE_TEMPORARILY_RESTRICTED: {
    what: "The route is closed for now.",
    hint: "Offer another route, and try again later.",
  },
  RPC_HTTP_ERROR: { what: "A chain's node does not answer; transient.", hint: "Try again with backoff." },
  SANCTIONED_CURRENCY: { what: "The currency may not be traded.", hint: "Choose another currency; do not try again." },
  SANCTIONED_WALLET_ADDRESS: {
    what: "A wallet of the request may not be served.",
    hint: "Tell the user, and do not try again with this address.",
  },
  SERVICE_UNAVAILABLE: { what: "The service is down for a moment; transient.", hint: "Try again with backoff." },
  SOLANA_TX_TOO_LARGE: {
    what: "The SVM deposit would be over 1172 bytes.",
    hint: "Set maxRouteLength to 4, then 3; last, name one origin swap source.",
  },
  SWAP_IMPACT_TOO_HIGH: {
    what: "The swap would move its market too far.",
    hint: "Ask for less, split the amount, or choose a pair with more liquidity.",
  },
  UNAUTHORIZED: { what: "The API key is missing or unknown.", hint: "Send an active key in the x-api-key header." },
  UNSUPPORTED_CHAIN: { what: "The service does not have the chain.", hint: "Choose a chain that GET /chains lists." },
  UNSUPPORTED_CURRENCY: {
    what: "The service does not trade the currency.",
    hint: "Choose a currency that GET /chains lists.",
  },
  UNSUPPORTED_EXECUTION_TYPE: {
    what: "The route cannot be executed in this way.",
    hint: "Quote for transactions of a wallet, without gasless execution or a deposit address.",
  },
  UNSUPPORTED_ROUTE: { what: "Nothing moves between these two.", hint: "Choose another origin or destination." },
  USER_RECIPIENT_MISMATCH: {
    what: "The route needs the user to be the recipient.",
    hint: "Leave the recipient out, or give the user's own address.",
  },
  DESTINATION_TX_FAILED: {
    what: "The calls revert when they are tried on the destination.",
    hint: "Replay them with `crosscall check`, and correct the call that fails.",
  },
  ERC20_ROUTER_ADDRESS_NOT_FOUND: {
    what: "The destination has no router that runs calls.",
    hint: "Choose a destination chain whose entry in GET /chains names a router.",
  },
  UNKNOWN_ERROR: { what: "The service failed.", hint: "Try again once; then report the time and the body you sent." },
  SWAP_QUOTE_FAILED: {
    what: "An exchange gave no price for a swap.",
    hint: "Try again, then with another amount or pair.",
  },
  PERMIT_FAILED: {
    what: "The signed permission of the token is not accepted.",
    hint: "Sign again with the token's present nonce, or pay by a transaction.",
  },
};
