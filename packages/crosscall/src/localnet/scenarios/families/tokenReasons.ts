import { maxUint256, zeroHash } from "viem";

import type { FailReason } from "@crosscall/protocol/request";
import type { EvmCall } from "../../devchain/devChain.ts";
import { byCall, byRevert, callOf, errorData, errorText, type FailScenario, type FillFacts } from "./failScenario.ts";

const TRANSFER = "function transfer(address to, uint256 amount)";
const TRANSFER_FROM = "function transferFrom(address from, address to, uint256 amount)";
const PERMIT =
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)";

const SOMEBODY = "0x000000000000000000000000000000000000dEaD";

/** A valid point of the curve, so it recovers to an address, but not the owner's. */
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
    errorData("error ERC20InvalidReceiver(address receiver)", SOMEBODY),
  ),
  INVALID_SENDER: byRevert(
    "The fill's first call sends a token from an address that the token rejects as sender.",
    "Send from the account that holds the token, never from the zero address.",
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
    errorData("error InvalidAccountNonce(address account, uint256 currentNonce)", SOMEBODY, 1n),
  ),
  INVALID_SIGNATURE: byCall(
    "The fill's first call uses a permit with a malformed signature.",
    "Pass the signature unchanged: `v` is 27 or 28, and `r` and `s` have 32 bytes each.",
    (facts) => permit(facts, 1n, maxUint256, 0, zeroHash, zeroHash),
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;
