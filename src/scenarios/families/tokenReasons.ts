import { maxUint256, zeroHash } from "viem";

import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { EvmCall } from "../../devchain/devChain.ts";
import { byCall, byRevert, callOf, errorData, errorText, type FailScenario, type FillFacts } from "./failScenario.ts";

const TRANSFER = "function transfer(address to, uint256 amount)";
const TRANSFER_FROM = "function transferFrom(address from, address to, uint256 amount)";
const PERMIT =
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)";

const SOMEBODY = "0x000000000000000000000000000000000000dEaD";

/** Any point of the curve signs for somebody, never for the owner. */
const STRAY_SIGNATURE = [
  27,
  "0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  `0x${"00".repeat(31)}01`,
];

/** A permit of the dollar token by the solver, who never signed it. */
function permit({ chain: { contracts }, solver }: FillFacts, ...terms: readonly unknown[]): EvmCall {
  return callOf(contracts.dollar, PERMIT, solver, contracts.router, ...terms);
}

/** FailReasons of tokens, their allowances and their signatures; most are the local dollar's own refusals. */
export const TOKEN_REASONS = {
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: byCall(
    "The fill's first call sends more dollars than the router holds.",
    "Send the live balance, not an amount fixed at quote time.",
    ({ chain, recipient }) => callOf(chain.contracts.dollar, TRANSFER, recipient, maxUint256),
  ),
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE: byCall(
    "The fill's first call takes dollars that nobody approved.",
    "Put an approval to the spender before the call that spends, for enough, reset to 0 first where the token wants it.",
    ({ chain, solver, recipient }) => callOf(chain.contracts.dollar, TRANSFER_FROM, solver, recipient, 1n),
  ),
  TRANSFER_FROM_FAILED: byRevert(
    "The fill's first call moves tokens by allowance, and the token says no without a reason.",
    "Check the approval, the balance, and whether the token takes fees or blocks an address.",
    errorText("TRANSFER_FROM_FAILED"),
  ),
  TRANSFER_FAILED: byRevert(
    "The fill's first call sends tokens, and the token says no without a reason.",
    "Check that the token may be sent to this recipient, and that the calls use a safe transfer.",
    errorText("TRANSFER_FAILED"),
  ),
  DESTINATION_TOKEN_TRANSFER_REJECTED: byRevert(
    "The destination token refuses to go to the recipient.",
    "Ask the user for a recipient that the token lets receive.",
    errorData("error ERC20InvalidReceiver(address receiver)", SOMEBODY),
  ),
  INVALID_SENDER: byRevert(
    "The fill's first call sends a token from an address that the token refuses as sender.",
    "Send from the account that holds the token, and never from the zero address.",
    errorData("error ERC20InvalidSender(address sender)", "0x0000000000000000000000000000000000000000"),
  ),
  TOKEN_NOT_TRANSFERABLE: byRevert(
    "The fill's first call sends a token that cannot be sent.",
    "Deliver to the final holder at once, or choose another token.",
    errorData("error TokenNotTransferable()"),
  ),
  SIGNATURE_EXPIRED: byCall(
    "The fill's first call uses a permit whose deadline has passed.",
    "Sign permits for longer than a fill may take, at least the order's deadline.",
    (facts) => permit(facts, 1n, 0n, ...STRAY_SIGNATURE),
  ),
  INVALID_SIGNER: byCall(
    "The fill's first call uses a permit that another than the owner signed.",
    "Sign with the owner's key, for the token's domain on the destination chain, with its present nonce.",
    (facts) => permit(facts, 1n, maxUint256, ...STRAY_SIGNATURE),
  ),
  INVALID_NONCE: byRevert(
    "The fill's first call uses a signature whose nonce was used before.",
    "Read the nonce right before the user signs, and let one signature serve one request.",
    errorData("error InvalidAccountNonce(address account, uint256 currentNonce)", SOMEBODY, 1n),
  ),
  INVALID_SIGNATURE: byCall(
    "The fill's first call uses a permit with bytes that are no signature.",
    "Pass the signature as it was made: v 27 or 28, r and s of 32 bytes each.",
    (facts) => permit(facts, 1n, maxUint256, 0, zeroHash, zeroHash),
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;
