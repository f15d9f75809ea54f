// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPushExecutor} from "../interfaces/IPushExecutor.sol";
import {Draw, Patch, StepHead} from "./PushStep.sol";

/// @title Reads the parts of programs of the push executor
/// @notice The layout stands at `IPushExecutor`. A cursor is an offset in the calldata. Reads do not look whether their
/// bytes belong to the program: whoever reads a part calls `requireRead` of the program with its end.
library PushCursor {
    /// @notice Reads an amount: the number of its bytes, then the bytes.
    function readAmount(uint256 cursor) internal pure returns (uint256 amount, uint256 next) {
        // Cannot overflow: calldata is shorter than 2^32 bytes, and the size is at most 32.
        unchecked {
            uint256 size = load(cursor) >> 248;
            if (size > 32) revert IPushExecutor.InvalidAmount(size);
            // A shift by 256, for no bytes at all, gives zero.
            amount = load(cursor + 1) >> (256 - 8 * size);
            next = cursor + 1 + size;
        }
    }

    /// @notice Reads an address.
    function readAddress(uint256 cursor) internal pure returns (address) {
        return address(uint160(load(cursor) >> 96));
    }

    /// @notice Reads the beginning of a step.
    function readStepHead(uint256 cursor) internal pure returns (StepHead) {
        return StepHead.wrap(load(cursor));
    }

    /// @notice Reads a draw. What it says is not checked.
    function readDraw(uint256 cursor) internal pure returns (Draw) {
        return Draw.wrap(load(cursor));
    }

    /// @notice Reads a patch. What it says is not checked.
    function readPatch(uint256 cursor) internal pure returns (Patch) {
        return Patch.wrap(load(cursor));
    }

    /// @notice Copies bytes to memory.
    function readBytes(uint256 cursor, uint256 size) internal pure returns (bytes memory data) {
        // Solidity's slices start from a calldata variable. Same as: data = program[cursor:cursor + size]
        assembly ("memory-safe") {
            data := mload(64)
            mstore(data, size)
            calldatacopy(add(data, 32), cursor, size)
            mstore(64, add(add(data, 32), and(add(size, 31), not(31))))
        }
    }

    /// @notice Reads 32 bytes.
    function load(uint256 cursor) internal pure returns (uint256 word) {
        // Solidity's slices cost more. Same as: uint256(bytes32(program[cursor:cursor + 32]))
        assembly ("memory-safe") {
            word := calldataload(cursor)
        }
    }
}
