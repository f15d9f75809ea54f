// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {NativeProxy} from "./NativeProxy.sol";

/// @title Base of the typed proxies that pay native currency
/// @notice Accepts native currency from the wrapped native token only, and sends it to the recipient in the same call.
/// @dev Warning: a native payment calls the recipient in the middle of a fill. The router's guard is released after the
/// router calls itself, so leave no other funds on the router when such a proxy runs.
abstract contract NativePayer is NativeProxy {
    receive() external payable {
        if (msg.sender != address(wrappedNative)) revert NativeRefused(msg.sender);
    }

    /// @dev Unwraps the proxy's wrapped native tokens and sends the received native currency to the recipient, so
    /// forced native currency stays in the proxy. Rejects the wrapped native token as recipient, because it would wrap
    /// the payment again for the proxy.
    function _unwrapTo(address recipient, uint256 wrapped) internal {
        if (recipient == address(wrappedNative)) revert RecipientIsToken(recipient);
        uint256 rest = address(this).balance;
        wrappedNative.withdraw(wrapped);
        _forwardNative(rest, recipient);
    }
}
