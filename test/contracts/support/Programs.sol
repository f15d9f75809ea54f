// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {PushProgram} from "../../../contracts/libraries/PushProgram.sol";

/// @title Packs programs for the push executor
/// @dev Packs the parts of a `Draft` separately, so that a test can corrupt each of them.
library Programs {
    uint40 internal constant NO_DEADLINE = type(uint40).max;
    address internal constant NATIVE = address(0);

    struct Draft {
        bytes tokens;
        bytes minimums;
        bytes checks;
        bytes steps;
        uint8 tokenCount;
        uint8 checkCount;
        uint8 stepCount;
    }

    /// @dev Packs a program that reverts if a step fails.
    function packed(Draft memory draft, address recipient) internal pure returns (bytes memory) {
        return packedFor(draft, plainReference(recipient));
    }

    /// @dev Packs a program that pays the fallback recipient if a step fails.
    function packedWithFallback(
        Draft memory draft,
        address recipient,
        address fallbackRecipient,
        uint32 stepsGas,
        uint32 reserveGas
    ) internal pure returns (bytes memory) {
        return abi.encodePacked(
            header(draft, 1, NO_DEADLINE, recipient),
            abi.encodePacked(fallbackRecipient, stepsGas, reserveGas),
            draft.tokens,
            draft.minimums,
            draft.checks,
            draft.steps
        );
    }

    /// @dev Packs a program that reverts if a step fails, with a reference to its recipient.
    function packedFor(Draft memory draft, bytes memory recipient) internal pure returns (bytes memory) {
        return abi.encodePacked(
            headerFor(draft, 0, NO_DEADLINE, recipient), draft.tokens, draft.minimums, draft.checks, draft.steps
        );
    }

    function executeData(bytes memory program) internal pure returns (bytes memory) {
        return bytes.concat(IPushExecutor.execute.selector, program);
    }

    function pullData(IERC20 token, bytes memory program) internal pure returns (bytes memory) {
        return bytes.concat(abi.encodeCall(IPushExecutor.pullAndExecute, (token)), program);
    }

    function header(Draft memory draft, uint8 policy, uint40 deadline, address recipient)
        internal
        pure
        returns (bytes memory)
    {
        return headerFor(draft, policy, deadline, plainReference(recipient));
    }

    /// @dev Packs a program's header with a reference to its recipient.
    function headerFor(Draft memory draft, uint8 policy, uint40 deadline, bytes memory recipient)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(
            uint8(1), policy, deadline, draft.tokenCount, draft.checkCount, draft.stepCount, recipient
        );
    }

    function declare(Draft memory draft, address token, bool keepsUnit, uint256 minimumIn)
        internal
        pure
        returns (Draft memory)
    {
        draft.tokens = abi.encodePacked(draft.tokens, uint8(keepsUnit ? 1 : 0), token);
        draft.minimums = abi.encodePacked(draft.minimums, amount(minimumIn));
        ++draft.tokenCount;
        return draft;
    }

    function check(Draft memory draft, address token, uint256 minimumOut) internal pure returns (Draft memory) {
        draft.checks = abi.encodePacked(draft.checks, token, amount(minimumOut));
        ++draft.checkCount;
        return draft;
    }

    /// @dev Returns a reference to an address at a position in the program.
    function referenceTo(uint256 position) internal pure returns (bytes memory) {
        return abi.encodePacked(uint16(position));
    }

    /// @dev Returns a reference that is followed by its address.
    function plainReference(address account) internal pure returns (bytes memory) {
        return abi.encodePacked(uint16(0), account);
    }

    /// @dev Adds a step with packed draws and patches.
    function step(
        Draft memory draft,
        address target,
        bytes memory draws,
        uint8 drawCount,
        bytes memory patches,
        bytes memory callData
    ) internal pure returns (Draft memory) {
        return stepAt(draft, plainReference(target), draws, drawCount, patches, callData);
    }

    /// @dev Adds a step with packed draws and patches, and a reference to its target.
    function stepAt(
        Draft memory draft,
        bytes memory target,
        bytes memory draws,
        uint8 drawCount,
        bytes memory patches,
        bytes memory callData
    ) internal pure returns (Draft memory) {
        bytes memory head = abi.encodePacked(drawCount, uint8(patches.length / 4), uint16(callData.length), target);
        draft.steps = abi.encodePacked(draft.steps, head, draws, patches, callData);
        ++draft.stepCount;
        return draft;
    }

    /// @dev Adds a step that passes a share of a token to the target as its first argument.
    function give(Draft memory draft, address target, uint8 token, uint16 shareBps, bytes memory callData)
        internal
        pure
        returns (Draft memory)
    {
        return step(draft, target, draw(1, token, shareBps), 1, patch(0, 4, 32), callData);
    }

    /// @dev Packs a draw of kind 2.
    function drawFor(address spender, uint8 index, uint16 shareBps) internal pure returns (bytes memory) {
        return abi.encodePacked(draw(2, index, shareBps), spender);
    }

    /// @dev Packs a draw of kind 5.
    function drawFixed(uint128 value) internal pure returns (bytes memory) {
        return abi.encodePacked(draw(5, 0, 0), value);
    }

    /// @dev Adds a step without patches.
    function plain(Draft memory draft, address target, bytes memory callData) internal pure returns (Draft memory) {
        return step(draft, target, "", 0, "", callData);
    }

    function draw(uint8 kind, uint8 index, uint16 shareBps) internal pure returns (bytes memory) {
        return abi.encodePacked(kind, index, shareBps);
    }

    function patch(uint8 drawIndex, uint16 offset, uint8 width) internal pure returns (bytes memory) {
        return abi.encodePacked(drawIndex, offset, width);
    }

    /// @dev Packs the byte length of an amount, then its bytes.
    function amount(uint256 value) internal pure returns (bytes memory) {
        uint8 size = 0;
        while (size < 32 && value >> (8 * size) != 0) ++size;
        // For zero bytes, the shift is 256, which returns zero.
        return cut(abi.encodePacked(size, value << (256 - 8 * uint256(size))), 1 + uint256(size));
    }

    /// @dev Returns the first bytes of a program.
    function cut(bytes memory program, uint256 length) internal pure returns (bytes memory start) {
        start = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            start[i] = program[i];
        }
    }

    function sentinel() internal pure returns (uint256) {
        return PushProgram.SENTINEL;
    }
}
