import { zeroHash } from "viem";

import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import { byRevert, errorData, type FailScenario } from "./failScenario.ts";

const SOMEBODY = "0x000000000000000000000000000000000000dEaD";

/** FailReasons of mints and marketplaces, by what these revert with. */
export const MARKET_REASONS = {
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: byRevert(
    "The fill's first call buys with less native currency than the order costs.",
    "Set the call's value to the full price, fees included, and `amount` to the sum of the values.",
    errorData("error InsufficientNativeTokensSupplied()"),
  ),
  ORDER_IS_CANCELLED: byRevert(
    "The fill's first call buys from a marketplace order that was cancelled.",
    "Ask the marketplace for an order that is open, right before you quote.",
    errorData("error OrderIsCancelled(bytes32 orderHash)", zeroHash),
  ),
  ORDER_ALREADY_FILLED: byRevert(
    "The fill's first call buys what was sold already.",
    "Expect to lose the race for single items: offer the user another one after the refund.",
    errorData("error OrderAlreadyFilled(bytes32 orderHash)", zeroHash),
  ),
  SEAPORT_INEXACT_FRACTION: byRevert(
    "The fill's first call buys a part of an order that does not divide so.",
    "Buy a number of items that the order's sizes divide into.",
    errorData("error InexactFraction()"),
  ),
  SEAPORT_INVALID_FULFILLER: byRevert(
    "The fill's first call buys what is offered to somebody else only.",
    "Ask the marketplace for an order whose fulfiller is the router.",
    errorData(
      "error InvalidFulfiller(address expectedFulfiller, address actualFulfiller, bytes32 orderHash)",
      SOMEBODY,
      SOMEBODY,
      zeroHash,
    ),
  ),
  MINT_NOT_ACTIVE: byRevert(
    "The fill's first call mints before or after the mint's time.",
    "Read the mint's start and end before you quote.",
    errorData("error NotActive(uint256 currentTimestamp, uint256 startTimestamp, uint256 endTimestamp)", 3n, 1n, 2n),
  ),
  MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET: byRevert(
    "The fill's first call mints more than one wallet may have.",
    "Mint to the user, not to the router that all users share, and read what the wallet has left.",
    errorData("error MintQuantityExceedsMaxMintedPerWallet(uint256 total, uint256 allowed)", 3n, 2n),
  ),
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY: byRevert(
    "The fill's first call mints more than is left.",
    "Read what is left before you quote, and expect to lose the race for the last ones.",
    errorData("error MintQuantityExceedsMaxSupply(uint256 total, uint256 maxSupply)", 3n, 2n),
  ),
  ERC_1155_TOO_MANY_REQUESTED: byRevert(
    "The fill's first call mints more of an ERC-1155 id than it has left.",
    "Read what the id has left before you quote.",
    errorData(
      "error CannotMintMoreTokens(uint256 tokenId, uint256 quantity, uint256 totalMinted, uint256 maxSupply)",
      7n,
      2n,
      9n,
      10n,
    ),
  ),
  INCORRECT_PAYMENT: byRevert(
    "The fill's first call pays another amount than the mint costs.",
    "Read the price at the block you quote at, and send exactly that.",
    errorData("error IncorrectPayment(uint256 got, uint256 want)", 1n, 2n),
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;
