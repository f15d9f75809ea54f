// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Registry of accounts' implementers, as in ERC-1820
contract HookRegistry {
    /// @notice Implementer of an account.
    mapping(address account => mapping(bytes32 hook => address implementer)) public getInterfaceImplementer;

    /// @notice Only the account itself may set its implementer.
    error NotManager(address caller, address account);

    /// @notice Sets the caller's implementer.
    function setInterfaceImplementer(address account, bytes32 hook, address implementer) external {
        if (msg.sender != account) revert NotManager(msg.sender, account);
        getInterfaceImplementer[account][hook] = implementer;
    }
}
