// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPushExecutor} from "../interfaces/IPushExecutor.sol";
import {Draw, StepHead} from "./PushStep.sol";

/// @title Reads the programs of the push executor from calldata
/// @notice The layout stands at `IPushExecutor`. A cursor is an absolute offset in the calldata. Reads do not look
/// whether their bytes belong to the program: whoever reads a part calls `requireRead` with its end.
library PushProgram {
    /// @notice Undo everything when a step fails.
    uint256 internal constant POLICY_REVERT = 0;

    /// @notice Undo the steps when one fails, and pay the fallback recipient.
    uint256 internal constant POLICY_FALL_BACK = 1;

    /// @notice A share of the balance, to write only.
    uint256 internal constant DRAW_BALANCE = 0;

    /// @notice A share of the balance, which the target may take.
    uint256 internal constant DRAW_FOR_TARGET = 1;

    /// @notice A share of the balance, which a spender may take.
    uint256 internal constant DRAW_FOR_SPENDER = 2;

    /// @notice A share of native, sent with the call.
    uint256 internal constant DRAW_VALUE = 3;

    /// @notice A share of a word that the step before returned.
    uint256 internal constant DRAW_RETURNED = 4;

    /// @notice A fixed amount of native, sent with the call.
    uint256 internal constant DRAW_FIXED_VALUE = 5;

    /// @notice What stands where a patch writes. A narrow field holds its low bytes.
    /// @dev Mostly zeros, which are cheaper to send, and eight bytes that no argument has by chance.
    uint256 internal constant SENTINEL = uint64(bytes8(keccak256("crosscall.live.amount")));

    uint256 private constant _VERSION = 1;
    uint256 private constant _FLAG_KEEP_UNIT = 1;
    uint256 private constant _TOKEN_SIZE = 21;

    /// @notice A program's header, and where its parts begin and end.
    struct Program {
        uint256 start;
        uint256 end;
        uint256 policy;
        address recipient;
        address fallbackRecipient;
        uint256 stepsGas;
        uint256 reserveGas;
        uint256 tokenCount;
        uint256 checkCount;
        uint256 stepCount;
        uint256 tokens;
        /// Where the next part begins.
        uint256 cursor;
    }

    /// @notice Reads the header, and refuses a program that is too late.
    function open(bytes calldata data) internal view returns (Program memory program) {
        uint256 start;
        // Solidity does not tell where calldata stands. The offset is that of data[0].
        assembly ("memory-safe") {
            start := data.offset
        }
        // Cannot overflow: calldata is shorter than 2^64 bytes, and counts have 8 bits.
        unchecked {
            (program.start, program.end) = (start, start + data.length);
            uint256 word = _load(start);
            if (word >> 248 != _VERSION) revert IPushExecutor.UnknownVersion(word >> 248);
            uint256 deadline = uint40(word >> 200);
            program.policy = uint8(word >> 240);
            program.recipient = address(uint160(word >> 40));
            program.tokenCount = uint8(word >> 32);
            program.checkCount = uint8(word >> 24);
            program.stepCount = uint8(word >> 16);

            uint256 cursor = start + 30;
            if (program.policy == POLICY_FALL_BACK) {
                word = _load(cursor);
                program.fallbackRecipient = address(uint160(word >> 96));
                program.stepsGas = uint32(word >> 64);
                program.reserveGas = uint32(word >> 32);
                cursor += 28;
            } else if (program.policy != POLICY_REVERT) {
                revert IPushExecutor.UnknownPolicy(program.policy);
            }
            program.tokens = cursor;
            program.cursor = cursor + _TOKEN_SIZE * program.tokenCount;
            requireRead(program, program.cursor);
            if (block.timestamp > deadline) revert IPushExecutor.DeadlinePassed(deadline, block.timestamp);
        }
    }

    /// @notice Refuses a program that ends before `cursor`.
    function requireRead(Program memory program, uint256 cursor) internal pure {
        if (cursor > program.end) {
            revert IPushExecutor.ProgramTruncated(program.end - program.start, cursor - program.start);
        }
    }

    /// @notice The token with that index, which the caller knows to be declared.
    function tokenAt(Program memory program, uint256 number) internal pure returns (address) {
        return address(uint160(_tokenWord(program, number) >> 88));
    }

    /// @notice Whether the executor keeps a unit of the token with that index, which the caller knows to be declared.
    function keepsUnitAt(Program memory program, uint256 number) internal pure returns (bool) {
        return _tokenWord(program, number) >> 248 == _FLAG_KEEP_UNIT;
    }

    /// @notice Checks the flags of a token.
    function requireValidToken(Program memory program, uint256 number) internal pure {
        uint256 flags = _tokenWord(program, number) >> 248;
        bool isValid = flags == 0 || (flags == _FLAG_KEEP_UNIT && tokenAt(program, number) != address(0));
        if (!isValid) revert IPushExecutor.InvalidToken(number, flags);
    }

    /// @notice Whether a token is among the declared ones.
    function declares(Program memory program, address token) internal pure returns (bool) {
        // Cannot overflow: a program has fewer than 256 tokens.
        unchecked {
            for (uint256 i = 0; i < program.tokenCount; ++i) {
                if (tokenAt(program, i) == token) return true;
            }
        }
        return false;
    }

    /// @notice Reads an amount: the number of its bytes, then the bytes.
    function readAmount(uint256 cursor) internal pure returns (uint256 amount, uint256 next) {
        // Cannot overflow: calldata is shorter than 2^64 bytes, and the size is at most 32.
        unchecked {
            uint256 size = _load(cursor) >> 248;
            if (size > 32) revert IPushExecutor.InvalidAmount(size);
            // A shift by 256, for no bytes at all, gives zero.
            amount = _load(cursor + 1) >> (256 - 8 * size);
            next = cursor + 1 + size;
        }
    }

    /// @notice Reads an address.
    function readAddress(uint256 cursor) internal pure returns (address) {
        return address(uint160(_load(cursor) >> 96));
    }

    /// @notice Reads the beginning of a step.
    function readStepHead(uint256 cursor) internal pure returns (StepHead) {
        return StepHead.wrap(_load(cursor));
    }

    /// @notice Reads a draw. What it says is not checked.
    function readDraw(uint256 cursor) internal pure returns (Draw draw, uint256 next) {
        draw = Draw.wrap(_load(cursor));
        uint256 kind_ = draw.kind();
        // Cannot overflow: calldata is shorter than 2^64 bytes.
        unchecked {
            next = cursor + 4;
            if (kind_ == DRAW_FOR_SPENDER) next = cursor + 24;
            else if (kind_ == DRAW_FIXED_VALUE) next = cursor + 20;
        }
    }

    /// @notice Reads a patch. What it says is not checked.
    function readPatch(uint256 cursor) internal pure returns (uint256 draw, uint256 offset, uint256 width) {
        uint256 word = _load(cursor);
        (draw, offset, width) = (word >> 248, uint16(word >> 232), uint8(word >> 224));
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

    function _tokenWord(Program memory program, uint256 number) private pure returns (uint256) {
        // Cannot overflow: a program has fewer than 256 tokens.
        unchecked {
            return _load(program.tokens + _TOKEN_SIZE * number);
        }
    }

    function _load(uint256 cursor) private pure returns (uint256 word) {
        // Solidity's slices cost more. Same as: uint256(bytes32(program[cursor:cursor + 32]))
        assembly ("memory-safe") {
            word := calldataload(cursor)
        }
    }
}
