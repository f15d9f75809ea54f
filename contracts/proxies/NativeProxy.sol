// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {INativeProxy} from "../interfaces/INativeProxy.sol";
import {IWrappedNative} from "../interfaces/IWrappedNative.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";
import {DestinationProxy} from "./DestinationProxy.sol";

/// @title Base of the typed proxies with native input
/// @notice A proxy whose input is the chain's wrapped native token also accepts native currency: it wraps the call's
/// value and continues as `execute` does.
/// @dev Native currency that is forced into a proxy stays there and has no effect.
abstract contract NativeProxy is INativeProxy, DestinationProxy {
    /// @inheritdoc INativeProxy
    IWrappedNative public immutable override wrappedNative;

    /// @param wrappedNative_ The chain's wrapped native token; the zero address for a proxy without native input.
    constructor(IERC20 inputToken_, IERC20 outputToken_, address spender, IWrappedNative wrappedNative_)
        DestinationProxy(inputToken_, outputToken_, spender)
    {
        wrappedNative = wrappedNative_;
    }

    /// @inheritdoc INativeProxy
    function executeNative(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)
        external
        payable
        virtual
        override
        nonReentrant
        returns (uint256 amountIn, uint256 amountOut)
    {
        _requireUsable(recipient, deadline);
        uint256 rest = LiveBalance.read(address(inputToken), address(this));
        amountIn = _wrap(rest, minimumIn);
        amountOut = _actOn(amountIn, recipient, minimumOut);
        _sweep(recipient, rest);
    }

    /// @dev Wraps the call's value and returns the received amount.
    /// @param rest The proxy's previous balance, which stays.
    function _wrap(uint256 rest, uint256 minimumIn) internal returns (uint256 amountIn) {
        if (address(inputToken) != address(wrappedNative)) {
            revert NativeNotTaken(address(inputToken), address(wrappedNative));
        }
        wrappedNative.deposit{value: msg.value}();
        amountIn = _gain(rest, LiveBalance.read(address(inputToken), address(this)));
        _requireArrived(amountIn, minimumIn);
    }
}
