// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IWrappedNative} from "./IWrappedNative.sol";

/// @title The side of a destination proxy that takes the chain's native currency
/// @notice The router brings a live amount of native by `cleanupNativeViaCall(0, proxy, data)`.
interface INativeProxy {
    /// @notice The input of the proxy is not the wrapped native, so native is of no use to it.
    error NativeNotTaken(address inputToken, address wrappedNative);

    /// @notice Native came from somebody other than the wrapped native, which is where it would be stuck.
    error NativeRefused(address sender);

    /// @notice The recipient did not take the native that it was sent.
    error NativeTransferFailed(address recipient, uint256 amount, bytes returnData);

    /// @notice What the proxy would have to unwrap is not the wrapped native.
    error NativeNotGiven(address token, address wrappedNative);

    /// @notice Acts on the native that the call carries.
    /// @dev What is not used goes to the recipient, as the wrapped token.
    /// @param recipient Receives the output and the input left.
    /// @param minimumIn Least native that must arrive, wrapped, at the proxy. At least one unit in any case.
    /// @param minimumOut Least output that the recipient must gain.
    /// @param deadline Last second (Unix) at which this may run.
    /// @return amountIn What arrived at the proxy, wrapped.
    /// @return amountOut How much output the recipient gained.
    function executeNative(
        address recipient,
        uint256 minimumIn,
        uint256 minimumOut,
        uint256 deadline
    ) external payable returns (uint256 amountIn, uint256 amountOut);

    /// @notice The chain's wrapped native. The zero address where the proxy has no native side.
    function wrappedNative() external view returns (IWrappedNative);
}
