// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// @title Recipient that makes a call when it receives native currency
contract NativeHook {
    address private _target;
    bytes private _data;

    /// @notice Sets the call, and bubbles its reverts.
    function arm(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    receive() external payable {
        Address.functionCall(_target, _data);
    }
}
