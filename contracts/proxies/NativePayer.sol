// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {NativeProxy} from "./NativeProxy.sol";

/// @title Base of the typed proxies that pay native out
/// @notice Native comes from the wrapped native only, and leaves for the recipient in the same call.
/// @dev Warning: being paid in native gives the recipient control in the middle of a fill. The router's guard does not
/// hold after a call of the router to itself, so let nothing else lie on the router when such a proxy runs.
abstract contract NativePayer is NativeProxy {
    receive() external payable {
        if (msg.sender != address(wrappedNative)) revert NativeRefused(msg.sender);
    }

    /// @dev Turns wrapped native of the proxy into native of the recipient. Pays the native that it got for it,
    /// so native that was forced in stays where it is. The wrapped native is rejected as the recipient: it would
    /// wrap the payment again, for the proxy.
    function _unwrapTo(address recipient, uint256 wrapped) internal {
        if (recipient == address(wrappedNative)) revert RecipientIsToken(recipient);
        uint256 rest = address(this).balance;
        wrappedNative.withdraw(wrapped);
        _forwardNative(rest, recipient);
    }
}
