// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPushExecutor} from "../interfaces/IPushExecutor.sol";
import {PushCursor} from "./PushCursor.sol";

/// @dev A program as it is passed on, in one word, which costs less than a struct in memory: recipient 20, number of
/// tokens 1, of checks 1, of steps 1, flags 1, where its tokens begin 4, where it ends 4. Places are in the calldata.
type Program is uint256;

/// @dev A declared token as it stands in the program: flags 1, token 20.
type Token is uint256;

using PushProgram for Program global;
using PushProgram for Token global;
using {flags, account} for Token global;

/// @dev One where the executor keeps a unit, else zero, once they are checked.
function flags(Token token) pure returns (uint256) {
    return Token.unwrap(token) >> 248;
}

/// @dev Its address. Zero is native.
function account(Token token) pure returns (address) {
    return address(uint160(Token.unwrap(token) >> 88));
}

/// @title Programs of the push executor
/// @notice The layout stands at `IPushExecutor`.
library PushProgram {
    /// @notice What stands where a patch writes. A narrow field holds its low bytes.
    /// @dev Mostly zeros, which are cheaper to send, and eight bytes that no argument has by chance.
    uint256 internal constant SENTINEL = uint64(bytes8(keccak256("crosscall.live.amount")));

    /// @notice The size of a token.
    uint256 internal constant TOKEN_SIZE = 21;

    uint256 private constant _VERSION = 1;
    uint256 private constant _POLICY_FALL_BACK = 1;
    uint256 private constant _FLAG_KEEP_UNIT = 1;
    uint256 private constant _HEADER_SIZE = 30;
    uint256 private constant _FALLBACK_SIZE = 28;

    /// @dev The flags: its policy, and whether it is dry.
    uint256 private constant _FALLS_BACK = 1 << 64;
    uint256 private constant _IS_DRY = 1 << 65;

    /// @notice Reads the header, and refuses a program that is too late.
    function open(bytes calldata data) internal view returns (Program program) {
        uint256 offset;
        // Solidity does not tell where calldata stands. The offset is that of data[0].
        assembly ("memory-safe") {
            offset := data.offset
        }
        // Cannot overflow: no gas pays for calldata of 2^32 bytes, and counts have 8 bits. So places fit their fields.
        unchecked {
            uint256 header = PushCursor.load(offset);
            if (header >> 248 != _VERSION) revert IPushExecutor.UnknownVersion(header >> 248);
            uint256 policy = uint8(header >> 240);
            if (policy > _POLICY_FALL_BACK) revert IPushExecutor.UnknownPolicy(policy);

            // Only a program that falls back has more than the header.
            uint256 tokens = offset + _HEADER_SIZE + _FALLBACK_SIZE * policy;
            uint256 last = offset + data.length;
            program = Program.wrap(((header >> 16) << 72) | (policy << 64) | (tokens << 32) | last);
            uint256 read = tokens + TOKEN_SIZE * tokenCount(program);
            if (read > last) _revertTruncated(program, read);
            uint256 deadline = uint40(header >> 200);
            if (block.timestamp > deadline) revert IPushExecutor.DeadlinePassed(deadline, block.timestamp);
        }
    }

    /// @notice The same program, to be walked and checked only.
    function asDry(Program program) internal pure returns (Program) {
        return Program.wrap(Program.unwrap(program) | _IS_DRY);
    }

    /// @notice Whether the program is to be walked and checked only.
    function isDry(Program program) internal pure returns (bool) {
        return Program.unwrap(program) & _IS_DRY != 0;
    }

    /// @notice Who gets what the program brings.
    function recipient(Program program) internal pure returns (address) {
        return address(uint160(Program.unwrap(program) >> 96));
    }

    /// @notice How many tokens the program declares.
    function tokenCount(Program program) internal pure returns (uint256) {
        return uint8(Program.unwrap(program) >> 88);
    }

    /// @notice How many balances of the recipient the program checks.
    function checkCount(Program program) internal pure returns (uint256) {
        return uint8(Program.unwrap(program) >> 80);
    }

    /// @notice How many calls the program makes.
    function stepCount(Program program) internal pure returns (uint256) {
        return uint8(Program.unwrap(program) >> 72);
    }

    /// @notice Whether a failure undoes the steps only, and pays the fallback recipient.
    function fallsBack(Program program) internal pure returns (bool) {
        return Program.unwrap(program) & _FALLS_BACK != 0;
    }

    /// @notice What stands in a program that falls back.
    function fallbackOf(
        Program program
    ) internal pure returns (address fallbackRecipient, uint256 stepsGas, uint256 reserveGas) {
        uint256 word = PushCursor.load(tokensStart(program) - _FALLBACK_SIZE);
        fallbackRecipient = address(uint160(word >> 96));
        stepsGas = uint32(word >> 64);
        reserveGas = uint32(word >> 32);
    }

    /// @notice Where the program begins.
    function start(Program program) internal pure returns (uint256) {
        return tokensStart(program) - _HEADER_SIZE - (fallsBack(program) ? _FALLBACK_SIZE : 0);
    }

    /// @notice Where the first token begins.
    function tokensStart(Program program) internal pure returns (uint256) {
        return uint32(Program.unwrap(program) >> 32);
    }

    /// @notice Where the last token ends.
    function tokensEnd(Program program) internal pure returns (uint256) {
        // Cannot overflow: both have 32 bits at most.
        unchecked {
            return tokensStart(program) + TOKEN_SIZE * tokenCount(program);
        }
    }

    /// @notice Where the program ends.
    function end(Program program) internal pure returns (uint256) {
        return uint32(Program.unwrap(program));
    }

    /// @notice Refuses a program that ends before `cursor`.
    function requireRead(Program program, uint256 cursor) internal pure {
        if (cursor > end(program)) _revertTruncated(program, cursor);
    }

    /// @notice The token with that index, which the caller knows to be declared.
    function tokenAt(Program program, uint256 index) internal pure returns (Token) {
        // Cannot overflow: a program has fewer than 256 tokens.
        unchecked {
            return readToken(tokensStart(program) + TOKEN_SIZE * index);
        }
    }

    /// @notice Whether a token is among the declared ones.
    function declares(Program program, address token) internal pure returns (bool) {
        uint256 cursor = tokensStart(program);
        // Cannot overflow: calldata is shorter than 2^32 bytes.
        unchecked {
            for (uint256 left = tokenCount(program); left != 0; --left) {
                if (readToken(cursor).account() == token) return true;
                cursor += TOKEN_SIZE;
            }
        }
        return false;
    }

    /// @notice Reads a token.
    function readToken(uint256 cursor) internal pure returns (Token) {
        return Token.wrap(PushCursor.load(cursor));
    }

    /// @notice Checks the flags of a token.
    function requireValid(Token token, uint256 index) internal pure {
        uint256 found = token.flags();
        if (found > _FLAG_KEEP_UNIT) revert IPushExecutor.InvalidToken(index, found);
        // The flag, and twenty zeros.
        if (Token.unwrap(token) >> 88 == _FLAG_KEEP_UNIT << 160) revert IPushExecutor.InvalidToken(index, found);
    }

    function _revertTruncated(Program program, uint256 cursor) private pure {
        revert IPushExecutor.ProgramTruncated(end(program) - start(program), cursor - start(program));
    }
}
