// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IWrappedNative} from "./IWrappedNative.sol";

/// @title Native currency side of a destination proxy
/// @notice The router sends a live native amount with `cleanupNativeViaCall(0, proxy, data)`.
/// @dev Warning: the router skips that call if it holds no native currency. The limits are then not enforced, and the
/// fill succeeds. To prevent that, first make a call that then fails, such as `cleanupNativeViaCall(1, router, "")`.
interface INativeProxy {
    /// @notice The proxy's input is not wrapped native currency, so it cannot use native currency.
    error NativeNotTaken(address inputToken, address wrappedNative);

    /// @notice Native currency came from an account other than the wrapped native token, and would be stuck.
    error NativeRefused(address sender);

    /// @notice The proxy's output is not wrapped native currency, so it cannot be unwrapped.
    error NativeNotGiven(address token, address wrappedNative);

    /// @notice Acts on the call's value.
    /// @dev Unused input goes to the recipient as wrapped token.
    /// @param recipient Account that receives the output and the unused input.
    /// @param minimumIn Minimum native amount that must arrive, wrapped, at the proxy. At least one unit in any case.
    /// @param minimumOut Minimum output that the recipient must gain.
    /// @param deadline Last second at which the call may run, in Unix time.
    /// @return amountIn Wrapped input that arrived at the proxy.
    /// @return amountOut Output that the recipient gained.
    function executeNative(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)
        external
        payable
        returns (uint256 amountIn, uint256 amountOut);

    /// @notice The chain's wrapped native token; zero if the proxy does not support native currency.
    function wrappedNative() external view returns (IWrappedNative);
}
