// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ReentryGuard} from "../libraries/ReentryGuard.sol";

/// @title Guarded contract that clears the first slots of storage and transient storage
contract GuardNeighbor is ReentryGuard {
    uint256 private transient _first;
    uint256 private _stored;

    /// @notice Marks a slot as the guard does while a guarded function runs, then calls itself.
    function callSelfAfter(bytes32 slot, bytes calldata data) external {
        assembly ("memory-safe") {
            tstore(slot, 2)
        }
        Address.functionCall(address(this), data);
    }

    function callSelf(bytes calldata data) external nonReentrant {
        _first = 0;
        _stored = 0;
        Address.functionCall(address(this), data);
    }
}
