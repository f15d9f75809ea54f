// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IPushExecutor} from "../interfaces/IPushExecutor.sol";
import {Draw, Patch, StepHead} from "./PushStep.sol";

/// @title Reads encoded programs
/// @notice See `IPushExecutor` for the layout. A cursor is a calldata offset. Reads do not check that their bytes are
/// within the program: call the program's `requireRead` with the end of each part.
library PushCursor {
    /// @notice Reads an amount: its length in bytes, then the bytes.
    function readAmount(uint256 cursor) internal pure returns (uint256 amount, uint256 next) {
        // Cannot overflow: calldata is shorter than 2^32 bytes, and the size is at most 32.
        unchecked {
            uint256 size = load(cursor) >> 248;
            if (size > 32) revert IPushExecutor.InvalidAmount(size);
            // A shift by 256, for an empty amount, returns zero.
            amount = load(cursor + 1) >> (256 - 8 * size);
            next = cursor + 1 + size;
        }
    }

    /// @notice Reads an address.
    function readAddress(uint256 cursor) internal pure returns (address) {
        return address(uint160(load(cursor) >> 96));
    }

    /// @notice Reads the start of a step.
    function readStepHead(uint256 cursor) internal pure returns (StepHead) {
        return StepHead.wrap(load(cursor));
    }

    /// @notice Reads a draw, without validation.
    function readDraw(uint256 cursor) internal pure returns (Draw) {
        return Draw.wrap(load(cursor));
    }

    /// @notice Reads a patch, without validation.
    function readPatch(uint256 cursor) internal pure returns (Patch) {
        return Patch.wrap(load(cursor));
    }

    /// @notice Copies bytes to memory.
    function readBytes(uint256 cursor, uint256 size) internal pure returns (bytes memory data) {
        // Solidity slices calldata variables only. Same as: data = program[cursor:cursor + size]
        assembly ("memory-safe") {
            data := mload(64)
            mstore(data, size)
            calldatacopy(add(data, 32), cursor, size)
            mstore(64, add(add(data, 32), and(add(size, 31), not(31))))
        }
    }

    /// @notice Reads a word of 32 bytes.
    function load(uint256 cursor) internal pure returns (uint256 word) {
        // Costs less than Solidity's slices. Same as: uint256(bytes32(program[cursor:cursor + 32]))
        assembly ("memory-safe") {
            word := calldataload(cursor)
        }
    }
}
