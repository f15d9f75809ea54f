import { parseAbi } from "viem";

/**
 * Partial ABI of the depository, to keep app bundles small: the deposit functions and events. `depositoryAbi` has the
 * full interface.
 */
export const DEPOSIT_ABI = parseAbi([
  "function depositNative(address depositor, bytes32 id) payable",
  "function depositErc20(address depositor, address token, uint256 amount, bytes32 id)",
  "function depositErc20(address depositor, address token, bytes32 id)",
]);

export const DEPOSIT_EVENTS = parseAbi([
  "event RelayNativeDeposit(address from, uint256 amount, bytes32 id)",
  "event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)",
]);
