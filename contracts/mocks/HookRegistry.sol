// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Registry where an account names who is called for it, as in ERC-1820
contract HookRegistry {
    /// @notice Who is called for an account.
    mapping(address account => mapping(bytes32 hook => address implementer)) public getInterfaceImplementer;

    /// @notice Only the account itself may name an implementer.
    error NotManager(address caller, address account);

    /// @notice Names who is called for the caller.
    function setInterfaceImplementer(address account, bytes32 hook, address implementer) external {
        if (msg.sender != account) revert NotManager(msg.sender, account);
        getInterfaceImplementer[account][hook] = implementer;
    }
}
