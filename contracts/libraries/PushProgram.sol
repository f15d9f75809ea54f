// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IPushExecutor} from "../interfaces/IPushExecutor.sol";
import {PushCursor} from "./PushCursor.sol";

/// @dev Header of a program in one word, which costs less than a struct in memory: the encoded header, with the
/// reference replaced by the calldata offsets of the tokens (1 byte) and of the program (1), and the recipient (20).
/// The program ends with the calldata.
type Program is uint256;

/// @dev A declared token, as encoded in the program: flags (1 byte), address (20).
type Token is uint256;

using PushProgram for Program global;
using PushProgram for Token global;
using {flags, account} for Token global;

/// @dev One after validation if the executor keeps a unit, else zero.
function flags(Token token) pure returns (uint256) {
    return Token.unwrap(token) >> 248;
}

/// @dev The token's address. Zero is the native currency.
function account(Token token) pure returns (address) {
    return address(uint160(Token.unwrap(token) >> 88));
}

/// @title Programs of the push executor
/// @notice See `IPushExecutor` for the layout.
library PushProgram {
    /// @notice Placeholder that a patch replaces. A narrow field contains its low bytes.
    /// @dev Consists of zeros, which are cheaper calldata, and eight bytes that do not occur by chance.
    uint256 internal constant SENTINEL = uint64(bytes8(keccak256("crosscall.live.amount")));

    /// @notice Size of an encoded token.
    uint256 internal constant TOKEN_SIZE = 21;

    uint256 private constant _VERSION = 1;
    uint256 private constant _POLICY_FALL_BACK = 1;
    uint256 private constant _FLAG_KEEP_UNIT = 1;
    uint256 private constant _RECIPIENT = 10;
    uint256 private constant _FALLBACK_SIZE = 28;
    uint256 private constant _REFERENCE_SIZE = 2;
    uint256 private constant _ADDRESS_SIZE = 20;

    /// @dev Flags in the policy byte: the policy, and whether this is a dry run.
    uint256 private constant _FALLS_BACK = 1 << 240;
    uint256 private constant _IS_DRY = 1 << 241;

    /// @notice Reads the header of the program that starts at a calldata offset. Reverts after the deadline.
    function open(uint256 offset) internal view returns (Program program) {
        // Cannot overflow: calldata is shorter than 2^32 bytes, and counts have 8 bits. A program starts after at most
        // a selector and a token, and its tokens at most 60 bytes later, so both starts fit in a byte.
        unchecked {
            uint256 header = PushCursor.load(offset);
            if (header >> 248 != _VERSION) revert IPushExecutor.UnknownVersion(header >> 248);
            uint256 policy = uint8(header >> 240);
            if (policy > _POLICY_FALL_BACK) revert IPushExecutor.UnknownPolicy(policy);

            (address to, uint256 tokens) = _readAddress(offset, offset + _RECIPIENT);
            // Only a program that falls back has fields between the header and the tokens.
            tokens += _FALLBACK_SIZE * policy;
            program = Program.wrap(((header >> 176) << 176) | (tokens << 168) | (offset << 160) | uint256(uint160(to)));
            requireRead(program, tokensEnd(program));
            uint256 deadline = uint40(header >> 200);
            if (block.timestamp > deadline) revert IPushExecutor.DeadlinePassed(deadline, block.timestamp);
        }
    }

    /// @notice Copy of the program for a dry run, which only validates.
    function asDry(Program program) internal pure returns (Program) {
        return Program.wrap(Program.unwrap(program) | _IS_DRY);
    }

    /// @notice Whether this is a dry run, which only validates.
    function isDry(Program program) internal pure returns (bool) {
        return Program.unwrap(program) & _IS_DRY != 0;
    }

    /// @notice Recipient of the program's output.
    function recipient(Program program) internal pure returns (address) {
        return address(uint160(Program.unwrap(program)));
    }

    /// @notice Number of declared tokens.
    function tokenCount(Program program) internal pure returns (uint256) {
        return uint8(Program.unwrap(program) >> 192);
    }

    /// @notice Number of output checks.
    function checkCount(Program program) internal pure returns (uint256) {
        return uint8(Program.unwrap(program) >> 184);
    }

    /// @notice Number of steps.
    function stepCount(Program program) internal pure returns (uint256) {
        return uint8(Program.unwrap(program) >> 176);
    }

    /// @notice Whether a failure reverts only the steps and pays the fallback recipient.
    function fallsBack(Program program) internal pure returns (bool) {
        return Program.unwrap(program) & _FALLS_BACK != 0;
    }

    /// @notice Fallback parameters of a program that falls back.
    function fallbackOf(Program program)
        internal
        pure
        returns (address fallbackRecipient, uint256 stepsGas, uint256 reserveGas)
    {
        uint256 word = PushCursor.load(tokensStart(program) - _FALLBACK_SIZE);
        fallbackRecipient = address(uint160(word >> 96));
        stepsGas = uint32(word >> 64);
        reserveGas = uint32(word >> 32);
    }

    /// @notice Start of the program.
    function start(Program program) internal pure returns (uint256) {
        return uint8(Program.unwrap(program) >> 160);
    }

    /// @notice Start of the first token.
    function tokensStart(Program program) internal pure returns (uint256) {
        return uint8(Program.unwrap(program) >> 168);
    }

    /// @notice End of the last token.
    function tokensEnd(Program program) internal pure returns (uint256) {
        // Cannot overflow: both have 32 bits at most.
        unchecked {
            return tokensStart(program) + TOKEN_SIZE * tokenCount(program);
        }
    }

    /// @notice Reverts if the program ends before `cursor`.
    function requireRead(Program program, uint256 cursor) internal pure {
        if (cursor > msg.data.length) _revertTruncated(start(program), cursor);
    }

    /// @notice Reverts if the program does not end at `cursor`.
    function requireEnd(Program program, uint256 cursor) internal pure {
        uint256 first = start(program);
        if (cursor != msg.data.length) revert IPushExecutor.TrailingBytes(msg.data.length - first, cursor - first);
    }

    /// @notice Reads an address, inline or by reference. The caller checks that the program has `next`.
    function readAddress(Program program, uint256 cursor) internal pure returns (address found, uint256 next) {
        return _readAddress(start(program), cursor);
    }

    /// @notice The token at the index. The caller checks that it is declared.
    function tokenAt(Program program, uint256 index) internal pure returns (Token) {
        // Cannot overflow: a program has fewer than 256 tokens.
        unchecked {
            return readToken(tokensStart(program) + TOKEN_SIZE * index);
        }
    }

    /// @notice Whether the program declares a token.
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

    /// @notice Validates the flags of a token.
    function requireValid(Token token, uint256 index) internal pure {
        uint256 found = token.flags();
        if (found > _FLAG_KEEP_UNIT) revert IPushExecutor.InvalidToken(index, found);
        // Compares the flag and the zero address.
        if (Token.unwrap(token) >> 88 == _FLAG_KEEP_UNIT << 160) revert IPushExecutor.InvalidToken(index, found);
    }

    function _readAddress(uint256 first, uint256 cursor) private pure returns (address found, uint256 next) {
        // Cannot overflow: calldata is shorter than 2^32 bytes, and a position has 16 bits.
        unchecked {
            uint256 position = PushCursor.load(cursor) >> 240;
            next = cursor + _REFERENCE_SIZE;
            if (position == 0) return (PushCursor.readAddress(next), next + _ADDRESS_SIZE);
            uint256 place = first + position;
            if (place + _ADDRESS_SIZE > msg.data.length) _revertTruncated(first, place + _ADDRESS_SIZE);
            found = PushCursor.readAddress(place);
        }
    }

    function _revertTruncated(uint256 first, uint256 cursor) private pure {
        revert IPushExecutor.ProgramTruncated(msg.data.length - first, cursor - first);
    }
}
