import { maxUint256, zeroHash } from "viem";

import type { FailReason } from "@crosscall/protocol/request";
import type { EvmCall } from "../../devchain/devChain.ts";
import { DEPOSIT_REASONS } from "./depositReasons.ts";
import {
  byCall,
  byRevert,
  callOf,
  errorData,
  errorText,
  type FailScenario,
  type FillFacts,
  simulated,
} from "./failScenario.ts";
import { REVERT_REASONS } from "./revertReasons.ts";

const OTHER_ACCOUNT = "0x000000000000000000000000000000000000dEaD";

export const MARKET_REASONS = {
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: byRevert(
    "The fill's first call sends less native currency than the order costs.",
    "Set the call's value to the full price including fees, and `amount` to the sum of all values.",
    errorData("error InsufficientNativeTokensSupplied()"),
  ),
  ORDER_IS_CANCELLED: byRevert(
    "The fill's first call buys from a canceled marketplace order.",
    "Fetch an open order from the marketplace right before you quote.",
    errorData("error OrderIsCancelled(bytes32 orderHash)", zeroHash),
  ),
  ORDER_ALREADY_FILLED: byRevert(
    "The fill's first call buys an item that is already sold.",
    "Expect to lose races for single items. Offer the user another item after the refund.",
    errorData("error OrderAlreadyFilled(bytes32 orderHash)", zeroHash),
  ),
  SEAPORT_INEXACT_FRACTION: byRevert(
    "The fill's first call buys a fraction that does not divide the order's amounts without a remainder.",
    "Buy a fraction that divides the order's amounts without a remainder.",
    errorData("error InexactFraction()"),
  ),
  SEAPORT_INVALID_FULFILLER: byRevert(
    "The fill's first call buys an item that is reserved for another buyer.",
    "Request an order from the marketplace with the router as the fulfiller.",
    errorData(
      "error InvalidFulfiller(address expectedFulfiller, address actualFulfiller, bytes32 orderHash)",
      OTHER_ACCOUNT,
      OTHER_ACCOUNT,
      zeroHash,
    ),
  ),
  MINT_NOT_ACTIVE: byRevert(
    "The fill's first call mints outside the mint period.",
    "Read the mint's start and end before you quote.",
    errorData("error NotActive(uint256 currentTimestamp, uint256 startTimestamp, uint256 endTimestamp)", 3n, 1n, 2n),
  ),
  MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET: byRevert(
    "The fill's first call mints more than the limit per wallet.",
    "Mint to the user instead of the shared router, and read the wallet's remaining limit.",
    errorData("error MintQuantityExceedsMaxMintedPerWallet(uint256 total, uint256 allowed)", 3n, 2n),
  ),
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY: byRevert(
    "The fill's first call mints more than the remaining supply.",
    "Read the remaining supply before you quote, and expect to lose races for the last items.",
    errorData("error MintQuantityExceedsMaxSupply(uint256 total, uint256 maxSupply)", 3n, 2n),
  ),
  ERC_1155_TOO_MANY_REQUESTED: byRevert(
    "The fill's first call mints more of an ERC-1155 id than remains.",
    "Read the id's remaining supply before you quote.",
    errorData(
      "error CannotMintMoreTokens(uint256 tokenId, uint256 quantity, uint256 totalMinted, uint256 maxSupply)",
      7n,
      2n,
      9n,
      10n,
    ),
  ),
  INCORRECT_PAYMENT: byRevert(
    "The fill's first call pays an amount other than the mint price.",
    "Read the price at the block of the quote and send exactly that amount.",
    errorData("error IncorrectPayment(uint256 got, uint256 want)", 1n, 2n),
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;

export const OTHER_CHAIN_REASONS = {
  TRANSACTION_TOO_LARGE: simulated(
    "The fill exceeds the transaction size limit of its chain.",
    "Use fewer or shorter calls. On the SVM chain, set `maxRouteLength` to 4, then to 3.",
  ),
  NEW_CALLDATA_INCLUDES_HIGHER_RENT_FEE: simulated(
    "The SVM fill was rebuilt, and its accounts need more rent than quoted.",
    "Request a new quote, which includes the current rent.",
  ),
  INSUFFICIENT_FUNDS_FOR_RENT: simulated(
    "The SVM fill leaves an account below its required rent.",
    "Send enough for a new account's rent, or use an existing account.",
  ),
  JUPITER_INVALID_TOKEN_ACCOUNT: simulated(
    "The SVM swap uses an invalid token account.",
    "Check that the recipient's token account matches the destination currency, or pass the wallet address.",
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;

const TRY_AGAIN = "The calls are correct. Offer the user a new quote.";
const OTHER_PAIR = "Request a quote for a smaller amount or a pair with more liquidity.";

export const SOLVER_REASONS = {
  UNKNOWN: simulated(
    "The fill failed for an unknown reason.",
    "Handle it like any other failure: the solver refunds the deposit. Report the request id.",
  ),
  SOLVER_CAPACITY_EXCEEDED: simulated("The solver has reached its limit of open orders.", TRY_AGAIN),
  SOLVER_BALANCE_TOO_LOW: simulated(
    "The solver's balance of the destination currency is below the fill's amount.",
    OTHER_PAIR,
  ),
  NO_QUOTES: simulated("The fill's swap was quoted again, and no source returned a price.", TRY_AGAIN),
  REVERSE_SWAP_FAILED: simulated("The swap back to the deposited currency failed.", OTHER_PAIR),
  GENERATE_SWAP_FAILED: simulated("The swap transaction for the fill could not be built.", OTHER_PAIR),
  NO_INTERNAL_SWAP_ROUTES_FOUND: simulated("The solver's own liquidity has no route for the fill's swap.", OTHER_PAIR),
  SWAP_IMPACT_TOO_HIGH: simulated("The price impact of the fill's swap is too high.", OTHER_PAIR),
  TRANSACTION_NOT_INCLUDED: simulated("The fill was sent, but was not included before the timeout.", TRY_AGAIN),
  TRANSACTION_SUBMISSION_FAILED: simulated("No node of the destination chain accepted the fill.", TRY_AGAIN),
} as const satisfies Partial<Record<FailReason, FailScenario>>;

const TRANSFER = "function transfer(address to, uint256 amount)";
const TRANSFER_FROM = "function transferFrom(address from, address to, uint256 amount)";
const PERMIT =
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)";

/** Valid point on the curve, from which an address other than the owner's is recovered. */
const STRAY_SIGNATURE = [
  27,
  "0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  `0x${"00".repeat(31)}01`,
];

function permit({ chain: { contracts }, solver }: FillFacts, ...terms: readonly unknown[]): EvmCall {
  return callOf(contracts.dollar, PERMIT, solver, contracts.router, ...terms);
}

export const TOKEN_REASONS = {
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: byCall(
    "The fill's first call sends more USDC than the router holds.",
    "Send the live balance instead of an amount fixed at quote time.",
    ({ chain, recipient }) => callOf(chain.contracts.dollar, TRANSFER, recipient, maxUint256),
  ),
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE: byCall(
    "The fill's first call spends USDC without an allowance.",
    "Approve a sufficient amount before the call that spends it. Reset the allowance to 0 first if the token requires it.",
    ({ chain, solver, recipient }) => callOf(chain.contracts.dollar, TRANSFER_FROM, solver, recipient, 1n),
  ),
  TRANSFER_FROM_FAILED: byRevert(
    "The fill's first call spends an allowance, and the token rejects the transfer without a reason.",
    "Check the allowance, the balance, and whether the token charges fees or blocks an address.",
    errorText("TRANSFER_FROM_FAILED"),
  ),
  TRANSFER_FAILED: byRevert(
    "The fill's first call sends tokens, and the token rejects the transfer without a reason.",
    "Check that the recipient can receive the token and that the calls use a safe transfer.",
    errorText("TRANSFER_FAILED"),
  ),
  DESTINATION_TOKEN_TRANSFER_REJECTED: byRevert(
    "The destination token rejects transfers to the recipient.",
    "Ask the user for a recipient that can receive the token.",
    errorData("error ERC20InvalidReceiver(address receiver)", OTHER_ACCOUNT),
  ),
  INVALID_SENDER: byRevert(
    "The fill's first call sends a token from an address that the token rejects as sender.",
    "Send from the account that holds the token, not from the zero address.",
    errorData("error ERC20InvalidSender(address sender)", "0x0000000000000000000000000000000000000000"),
  ),
  TOKEN_NOT_TRANSFERABLE: byRevert(
    "The fill's first call sends a non-transferable token.",
    "Deliver directly to the final holder, or choose another token.",
    errorData("error TokenNotTransferable()"),
  ),
  SIGNATURE_EXPIRED: byCall(
    "The fill's first call uses an expired permit.",
    "Set the permit's deadline at or after the order's deadline.",
    (facts) => permit(facts, 1n, 0n, ...STRAY_SIGNATURE),
  ),
  INVALID_SIGNER: byCall(
    "The fill's first call uses a permit that is not signed by the owner.",
    "Sign with the owner's key for the token's domain on the destination chain, with the current nonce.",
    (facts) => permit(facts, 1n, maxUint256, ...STRAY_SIGNATURE),
  ),
  INVALID_NONCE: byRevert(
    "The fill's first call uses a signature with a used nonce.",
    "Read the nonce right before the user signs, and use each signature for one request.",
    errorData("error InvalidAccountNonce(address account, uint256 currentNonce)", OTHER_ACCOUNT, 1n),
  ),
  INVALID_SIGNATURE: byCall(
    "The fill's first call uses a permit with a malformed signature.",
    "Pass the signature unchanged: `v` is 27 or 28, and `r` and `s` have 32 bytes each.",
    (facts) => permit(facts, 1n, maxUint256, 0, zeroHash, zeroHash),
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;

/** failReasons in the order of the specification (spec 1, section 2.6). */
export const FAIL_SCENARIOS: Readonly<Record<FailReason, FailScenario>> = {
  ...DEPOSIT_REASONS,
  ...SOLVER_REASONS,
  ...REVERT_REASONS,
  ...TOKEN_REASONS,
  ...MARKET_REASONS,
  ...OTHER_CHAIN_REASONS,
};
