import { getAddress, maxUint256, zeroAddress, zeroHash } from "viem";

import type { FailReason } from "../../../../packages/protocol/src/request/failReasons.ts";
import { selectorOf } from "../../../../packages/protocol/src/reverts/classifyRevert.ts";
import type { FailedCondition } from "../../../../packages/crosscall/src/replay/verdict.ts";
import { FAIL_SCENARIOS } from "../../../../packages/crosscall/src/localnet/scenarios/families/failReasons.ts";
import { REVERTER } from "../../../../packages/crosscall/src/localnet/scenarios/families/failScenario.ts";
import { type FillFork, rawCall, SOLVER, USER } from "../support/fillFork.ts";
import type { FailureCase, PlantedCause } from "./failureCase.ts";

const OTHER_ACCOUNT = "0x000000000000000000000000000000000000dEaD";

type Told = readonly [error: string, condition?: FailedCondition];

/** Expected explanation of each local network scenario that fails with a revert. */
const SCENARIOS: Partial<Record<FailReason, (world: FillFork) => Told>> = {
  SLIPPAGE: () => [
    "InsufficientOutput(amountOut: 1, minimumOut: 2)",
    { kind: "output", needed: 2n, had: 1n, currency: undefined },
  ],
  MISSING_REVERT_DATA: () => ["no revert data"],
  EXECUTION_REVERTED: () => [`error ${selectorOf("NotToday(uint256 day)")}`],
  CONTRACT_PAUSED: () => ["EnforcedPause()"],
  ACCOUNT_ABSTRACTION_INVALID_NONCE: () => ['FailedOp(opIndex: 0, reason: "AA25 invalid account nonce")'],
  ACCOUNT_ABSTRACTION_SIGNATURE_ERROR: () => ['FailedOp(opIndex: 0, reason: "AA24 signature error")'],
  ACCOUNT_ABSTRACTION_GAS_LIMIT: () => ['FailedOp(opIndex: 0, reason: "AA95 out of gas")'],
  INSUFFICIENT_POOL_LIQUIDITY: () => ["UniswapV2Library: INSUFFICIENT_LIQUIDITY"],
  FLUID_DEX_ERROR: () => ["FluidDexError(errorId: 51013)"],
  INVALID_GAS_PRICE: () => ["InvalidGasPrice()"],
  ZERO_SELL_AMOUNT: () => [`ZeroSellAmount(token: ${getAddress(REVERTER.address)})`],
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: ({ router, contracts }) => [
    `ERC20InsufficientBalance(sender: ${router}, balance: 990, needed: the maximum)`,
    { kind: "balance", account: router, needed: maxUint256, had: 990n, currency: contracts.dollar },
  ],
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE: ({ router, contracts }) => [
    `ERC20InsufficientAllowance(spender: ${router}, allowance: 0, needed: 1)`,
    { kind: "allowance", spender: router, needed: 1n, had: 0n, currency: contracts.dollar },
  ],
  TRANSFER_FROM_FAILED: () => ["TRANSFER_FROM_FAILED"],
  TRANSFER_FAILED: () => ["TRANSFER_FAILED"],
  DESTINATION_TOKEN_TRANSFER_REJECTED: () => [`ERC20InvalidReceiver(receiver: ${OTHER_ACCOUNT})`],
  INVALID_SENDER: () => [`ERC20InvalidSender(sender: ${zeroAddress})`],
  TOKEN_NOT_TRANSFERABLE: () => ["TokenNotTransferable()"],
  SIGNATURE_EXPIRED: ({ fork }) => [
    "ERC2612ExpiredSignature(deadline: 0)",
    { kind: "deadline", needed: fork.environment.timestamp, had: 0n },
  ],
  INVALID_NONCE: () => [`InvalidAccountNonce(account: ${OTHER_ACCOUNT}, currentNonce: 1)`],
  INVALID_SIGNATURE: () => ["ECDSAInvalidSignature()"],
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: () => ["InsufficientNativeTokensSupplied()"],
  ORDER_IS_CANCELLED: () => [`OrderIsCancelled(orderHash: ${zeroHash})`],
  ORDER_ALREADY_FILLED: () => [`OrderAlreadyFilled(orderHash: ${zeroHash})`],
  SEAPORT_INEXACT_FRACTION: () => ["InexactFraction()"],
  SEAPORT_INVALID_FULFILLER: () => [
    `InvalidFulfiller(expectedFulfiller: ${OTHER_ACCOUNT}, actualFulfiller: ${OTHER_ACCOUNT}, orderHash: ${zeroHash})`,
  ],
  MINT_NOT_ACTIVE: () => [
    "NotActive(currentTimestamp: 3, startTimestamp: 1, endTimestamp: 2)",
    { kind: "endTime", needed: 3n, had: 2n },
  ],
  MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET: () => [
    "MintQuantityExceedsMaxMintedPerWallet(total: 3, allowed: 2)",
    { kind: "walletLimit", needed: 3n, had: 2n },
  ],
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY: () => [
    "MintQuantityExceedsMaxSupply(total: 3, maxSupply: 2)",
    { kind: "supply", tokenId: undefined, needed: 3n, had: 2n },
  ],
  ERC_1155_TOO_MANY_REQUESTED: () => [
    "CannotMintMoreTokens(tokenId: 7, quantity: 2, totalMinted: 9, maxSupply: 10)",
    { kind: "supply", tokenId: 7n, needed: 11n, had: 10n },
  ],
  INCORRECT_PAYMENT: () => [
    "IncorrectPayment(got: 1, want: 2)",
    { kind: "payment", needed: 2n, had: 1n, currency: zeroAddress },
  ],
};

/** Planted cause of each scenario. */
const CAUSES: Partial<Record<FailReason, PlantedCause>> = {
  SLIPPAGE: "slippage",
  MISSING_REVERT_DATA: "unknown",
  EXECUTION_REVERTED: "unknown",
  CONTRACT_PAUSED: "paused",
  ACCOUNT_ABSTRACTION_INVALID_NONCE: "nonce",
  ACCOUNT_ABSTRACTION_SIGNATURE_ERROR: "signature",
  ACCOUNT_ABSTRACTION_GAS_LIMIT: "gas",
  INSUFFICIENT_POOL_LIQUIDITY: "liquidity",
  FLUID_DEX_ERROR: "access",
  INVALID_GAS_PRICE: "gas",
  ZERO_SELL_AMOUNT: "amount",
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: "balance",
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE: "allowance",
  TRANSFER_FROM_FAILED: "transfer",
  TRANSFER_FAILED: "transfer",
  DESTINATION_TOKEN_TRANSFER_REJECTED: "recipient",
  INVALID_SENDER: "sender",
  TOKEN_NOT_TRANSFERABLE: "transfer",
  SIGNATURE_EXPIRED: "deadline",
  INVALID_NONCE: "nonce",
  INVALID_SIGNATURE: "signature",
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: "payment",
  ORDER_IS_CANCELLED: "order",
  ORDER_ALREADY_FILLED: "order",
  SEAPORT_INEXACT_FRACTION: "order",
  SEAPORT_INVALID_FULFILLER: "order",
  MINT_NOT_ACTIVE: "paused",
  MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET: "limit",
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY: "limit",
  ERC_1155_TOO_MANY_REQUESTED: "limit",
  INCORRECT_PAYMENT: "payment",
};

/** Failure case for each failReason that a reverting call causes on a local network. */
export const SCENARIO_FAILURES: readonly FailureCase[] = Object.entries(SCENARIOS).map(([name, expectationOf]) => {
  const failReason = name as FailReason;
  return {
    name: `the scenario for ${failReason}`,
    cause: CAUSES[failReason] ?? "unknown",
    make: async (world) => {
      const { act } = FAIL_SCENARIOS[failReason];
      if (act.kind !== "call") throw new Error(`${failReason} is not caused by a call`);
      const { to, data, value } = await act.call({ chain: world.chain, solver: SOLVER, recipient: USER });
      const [error, condition] = expectationOf(world);
      return {
        calls: [rawCall(USER, "0x"), rawCall(to, data, value)],
        expected: { failReason, txIndex: 1, error, path: [1], ...(condition === undefined ? {} : { condition }) },
      };
    },
  };
});
