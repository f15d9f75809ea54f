// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// @title Contract that makes a call set by its owner whenever it is called, and bubbles reverts
contract CallMaker {
    address private immutable _owner = msg.sender;
    address private _target;
    bytes private _data;

    /// @notice Only the owner can set the call.
    error NotOwner(address caller);

    fallback() external {
        if (_target != address(0)) Address.functionCall(_target, _data);
    }

    /// @notice Sets the call.
    function arm(address target, bytes calldata data) external {
        if (msg.sender != _owner) revert NotOwner(msg.sender);
        (_target, _data) = (target, data);
    }
}
