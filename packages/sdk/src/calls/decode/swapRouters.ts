import { isSameAddress } from "@crosscall/protocol/chains";

/** How a public router treats recipients and takes tokens. */
export interface SwapRouterRules {
  /** Recipients that mean the router's caller. */
  readonly caller: readonly string[];
  /** Recipients that mean the router itself, besides its own address. */
  readonly self: readonly string[];
  /** Amount that means the router's own balance. */
  readonly balance?: bigint;
  /** How the router takes its caller's tokens: with the token's allowance, or with an allowance in Permit2. */
  readonly takesBy: "allowance" | "permit2";
  /** For a variant of the router that takes no tokens: the account to which its caller transfers them first. */
  readonly prepaidTo?: string;
  /** Whether anyone can take tokens that the router holds after a call. */
  readonly isOpen: boolean;
}

const ZERO = "0x0000000000000000000000000000000000000000";
const ONE = "0x0000000000000000000000000000000000000001";
const TWO = "0x0000000000000000000000000000000000000002";

/** The address of the Balancer v3 Vault is the same on all chains. */
const BALANCER_V3_VAULT = "0xbA1333333333a1BA1108E8412f11850A5C319bA9";

/**
 * Public routers by generation. Sources, read on 28 November 2026:
 *
 * - Uniswap/v3-periphery, SwapRouter.sol: `exactInputInternal` and `exactOutputInternal` replace address(0).
 * - Uniswap/swap-router-contracts, V3SwapRouter.sol, V2SwapRouter.sol and Constants.sol: MSG_SENDER, ADDRESS_THIS and
 *   CONTRACT_BALANCE. Only swaps replace recipients; `sweepToken` and `unwrapWETH9` do not.
 * - Uniswap/universal-router, Dispatcher.sol (`map`), Permit2Payments.sol (`payOrPermit2Transfer`), and
 *   Uniswap/v4-periphery, ActionConstants.sol.
 * - 1inch, verified AggregationRouterV5 and V6: GenericRouter `swap` replaces a zero `dstReceiver` with its caller, and
 *   takes with `safeTransferFrom`; ProtocolLib of V6 has the flag for Permit2.
 * - 0xProject/0x-settler: AllowanceHolderBase.sol takes with the token's allowance for the target; SettlerBase.sol pays
 *   `slippage.recipient`.
 * - curvefi/curve-router-ng, Router.vy: `_receiver: address=msg.sender`.
 * - balancer/balancer-v2-monorepo, Swaps.sol and UserBalance.sol: `funds.sender` and `funds.recipient`;
 *   balancer/balancer-v3-monorepo, RouterCommon.sol: `_takeTokenIn` calls Permit2, `_sendTokenOut` pays the sender;
 *   without Permit2, `_isPrepaid` routers expect the tokens in the Vault.
 */
export const SWAP_ROUTERS = {
  /** Uniswap v3's first router. */
  swapRouter: { caller: [], self: [ZERO], takesBy: "allowance", isOpen: true },
  /** Uniswap v3's second router. */
  swapRouter02: { caller: [ONE], self: [TWO], balance: 0n, takesBy: "allowance", isOpen: true },
  /** Functions that both Uniswap v3 routers have, and whose recipients they do not replace. */
  periphery: { caller: [], self: [], takesBy: "allowance", isOpen: true },
  universalRouter: { caller: [ONE], self: [TWO], balance: 2n ** 255n, takesBy: "permit2", isOpen: true },
  oneInch: { caller: [ZERO], self: [], takesBy: "allowance", isOpen: false },
  allowanceHolder: { caller: [], self: [], takesBy: "allowance", isOpen: false },
  curveRouter: { caller: [], self: [], takesBy: "allowance", isOpen: false },
  balancerVault: { caller: [], self: [], takesBy: "allowance", isOpen: false },
  balancerV3Router: { caller: [], self: [], takesBy: "permit2", prepaidTo: BALANCER_V3_VAULT, isOpen: false },
} as const satisfies Readonly<Record<string, SwapRouterRules>>;

/** Returns what a recipient means to a contract. */
export function resolveRecipient(
  recipient: string,
  target: string,
  rules: SwapRouterRules | undefined,
): "caller" | "self" | "other" {
  if (rules?.caller.includes(recipient.toLowerCase()) === true) return "caller";
  const isSelf = rules?.self.includes(recipient.toLowerCase()) === true || isSameAddress(recipient, target);
  return isSelf ? "self" : "other";
}
