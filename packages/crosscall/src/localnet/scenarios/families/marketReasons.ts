import { zeroHash } from "viem";

import type { FailReason } from "@crosscall/protocol/request";
import { byRevert, errorData, type FailScenario } from "./failScenario.ts";

const SOMEBODY = "0x000000000000000000000000000000000000dEaD";

export const MARKET_REASONS = {
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: byRevert(
    "The fill's first call sends less native currency than the order costs.",
    "Set the call's value to the full price including fees, and `amount` to the sum of all values.",
    errorData("error InsufficientNativeTokensSupplied()"),
  ),
  ORDER_IS_CANCELLED: byRevert(
    "The fill's first call buys from a cancelled marketplace order.",
    "Fetch an open order from the marketplace right before you quote.",
    errorData("error OrderIsCancelled(bytes32 orderHash)", zeroHash),
  ),
  ORDER_ALREADY_FILLED: byRevert(
    "The fill's first call buys an item that is already sold.",
    "Expect to lose races for single items. Offer the user another item after the refund.",
    errorData("error OrderAlreadyFilled(bytes32 orderHash)", zeroHash),
  ),
  SEAPORT_INEXACT_FRACTION: byRevert(
    "The fill's first call buys a fraction that the order's amounts do not divide into.",
    "Buy a fraction that divides the order's amounts exactly.",
    errorData("error InexactFraction()"),
  ),
  SEAPORT_INVALID_FULFILLER: byRevert(
    "The fill's first call buys an item that is reserved for another buyer.",
    "Ask the marketplace for an order whose fulfiller is the router.",
    errorData(
      "error InvalidFulfiller(address expectedFulfiller, address actualFulfiller, bytes32 orderHash)",
      SOMEBODY,
      SOMEBODY,
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
