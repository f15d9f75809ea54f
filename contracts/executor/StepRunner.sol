// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPushExecutor} from "../interfaces/IPushExecutor.sol";
import {DeniedSelectors} from "../libraries/DeniedSelectors.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";
import {PackedField} from "../libraries/PackedField.sol";
import {PushProgram} from "../libraries/PushProgram.sol";
import {Draw, StepHead} from "../libraries/PushStep.sol";

/// @title Runs the steps of a program
/// @dev A step is checked and run in one walk. `isDry` walks and checks only, so that the form of a whole program can
/// be known before its first call.
abstract contract StepRunner is IPushExecutor {
    using PushProgram for PushProgram.Program;
    using SafeERC20 for IERC20;

    uint256 private constant _WHOLE_BPS = 10_000;
    uint256 private constant _LONGEST_RETURN_DATA = 512;

    /// @dev What the steps know of each other. The arrays go by the index of the token.
    struct Progress {
        bool isDry;
        /// The next step.
        uint256 step;
        /// The native that the step sends.
        uint256 value;
        /// What the executor held when the shares of a token began to count.
        uint256[] bases;
        /// How much of a token was drawn since, in bps. Empty as long as no part was drawn.
        uint256[] drawnBps;
        /// What the last step returned, up to a limit, where the next one reads it.
        bytes returned;
    }

    /// @dev Whether an account must not be called, approved or paid.
    function _isDenied(PushProgram.Program memory program, address account) internal view virtual returns (bool);

    /// @dev What a program may use of a token: all, but for the unit that it keeps.
    function _live(PushProgram.Program memory program, uint256 index) internal view returns (uint256 live) {
        live = LiveBalance.read(program.tokenAt(index), address(this));
        if (live != 0 && program.keepsUnitAt(index)) --live;
    }

    /// @dev A list of `count` zeros.
    function _zeros(uint256 count) internal pure returns (uint256[] memory list) {
        // Saves some 150 gas of checks that a count of one byte does not need. Same as: list = new uint256[](count)
        assembly ("memory-safe") {
            list := mload(0x40)
            let size := shl(5, count)
            mstore(list, count)
            // Beyond the calldata there are zeros.
            calldatacopy(add(list, 32), calldatasize(), size)
            mstore(0x40, add(add(list, 32), size))
        }
    }

    /// @dev Runs the next step.
    function _runStep(PushProgram.Program memory program, Progress memory progress) internal {
        // Cannot overflow: cursors are bounded by the calldata, counts by a byte.
        unchecked {
            StepHead head = PushProgram.readStepHead(program.cursor);
            uint256 draws = program.cursor + 24;
            (uint256[] memory amounts, uint256 patches) = _draw(program, progress, head, draws);
            uint256 data = patches + 4 * head.patchCount();
            uint256 end = data + head.callDataLength();
            program.requireRead(end);

            address target = head.target();
            if (_isDenied(program, target)) revert TargetDenied(progress.step, target);
            bytes memory callData = PushProgram.readBytes(data, end - data);
            bytes4 selector = bytes4(callData);
            if (DeniedSelectors.includes(selector)) revert SelectorDenied(progress.step, selector);
            for (uint256 i = 0; patches < data; patches += 4) {
                _patch(progress, patches, i, amounts, callData);
                ++i;
            }

            if (!progress.isDry) {
                _call(progress, target, callData);
                _revokeApprovals(program, head, draws);
            }
            program.cursor = end;
            ++progress.step;
        }
    }

    /// @dev Takes the amounts of a step's draws, and approves them where they are for others to take.
    function _draw(
        PushProgram.Program memory program,
        Progress memory progress,
        StepHead head,
        uint256 cursor
    ) private returns (uint256[] memory amounts, uint256 end) {
        amounts = _zeros(head.drawCount());
        progress.value = 0;
        bool hasValue = false;
        // One bit a token.
        uint256 drawn = 0;
        for (uint256 i = 0; i < amounts.length; ++i) {
            Draw draw;
            (draw, cursor) = PushProgram.readDraw(cursor);
            uint256 kind = draw.kind();
            if (kind <= PushProgram.DRAW_VALUE) {
                if ((drawn >> draw.index()) & 1 != 0) revert DrawnTwice(progress.step, draw.index());
                drawn |= 1 << draw.index();
                amounts[i] = _drawToken(program, progress, draw, i);
                if (_isApproved(draw)) _approve(program, progress, draw, _spenderOf(draw, head), amounts[i]);
            } else if (kind == PushProgram.DRAW_RETURNED) {
                amounts[i] = _drawReturned(progress, draw, i);
            } else if (kind == PushProgram.DRAW_FIXED_VALUE && draw.index() == 0 && draw.shareBps() == 0) {
                amounts[i] = draw.fixedValue();
            } else {
                revert InvalidDraw(progress.step, i);
            }
            if (kind == PushProgram.DRAW_VALUE || kind == PushProgram.DRAW_FIXED_VALUE) {
                if (hasValue) revert InvalidDraw(progress.step, i);
                (hasValue, progress.value) = (true, amounts[i]);
            }
        }
        end = cursor;
    }

    /// @dev Whether somebody may take the amount of a draw.
    function _isApproved(Draw draw) private pure returns (bool) {
        return draw.kind() == PushProgram.DRAW_FOR_TARGET || draw.kind() == PushProgram.DRAW_FOR_SPENDER;
    }

    /// @dev Who may take the amount of a draw that is approved.
    function _spenderOf(Draw draw, StepHead head) private pure returns (address) {
        return draw.kind() == PushProgram.DRAW_FOR_TARGET ? head.target() : draw.spender();
    }

    function _approve(
        PushProgram.Program memory program,
        Progress memory progress,
        Draw draw,
        address spender,
        uint256 amount
    ) private {
        // A target is looked at with its step.
        if (draw.kind() == PushProgram.DRAW_FOR_SPENDER) {
            if (spender == address(0) || _isDenied(program, spender)) revert SpenderDenied(progress.step, spender);
        }
        if (!progress.isDry) IERC20(program.tokenAt(draw.index())).forceApprove(spender, amount);
    }

    function _drawToken(
        PushProgram.Program memory program,
        Progress memory progress,
        Draw draw,
        uint256 number
    ) private view returns (uint256 amount) {
        uint256 index = draw.index();
        if (index >= program.tokenCount) revert InvalidDraw(progress.step, number);
        if (draw.kind() != PushProgram.DRAW_BALANCE) {
            bool isNative = program.tokenAt(index) == address(0);
            if (isNative != (draw.kind() == PushProgram.DRAW_VALUE)) revert InvalidDraw(progress.step, number);
        }
        (bool isFirst, bool takesRest) = _countShare(program, progress, draw, number);
        if (progress.isDry) return 0;

        // Before the first step the base is the live balance.
        bool isBaseLive = progress.step == 0;
        if (takesRest) return isBaseLive ? progress.bases[index] : _live(program, index);
        if (isFirst && !isBaseLive) progress.bases[index] = _live(program, index);
        return _share(progress.bases[index], draw.shareBps());
    }

    /// @dev Adds the share of a draw to those that count, and starts anew when they reach the whole.
    function _countShare(
        PushProgram.Program memory program,
        Progress memory progress,
        Draw draw,
        uint256 number
    ) private pure returns (bool isFirst, bool takesRest) {
        uint256 sumBps = draw.shareBps();
        if (progress.drawnBps.length == 0) {
            // Most programs draw nothing but the whole, and need no count.
            if (sumBps == _WHOLE_BPS) return (true, true);
            progress.drawnBps = _zeros(program.tokenCount);
        }
        uint256 drawnBps = progress.drawnBps[draw.index()];
        sumBps += drawnBps;
        if (draw.shareBps() == 0 || sumBps > _WHOLE_BPS) revert InvalidShare(progress.step, number, sumBps);
        isFirst = drawnBps == 0;
        takesRest = sumBps == _WHOLE_BPS;
        progress.drawnBps[draw.index()] = takesRest ? 0 : sumBps;
    }

    function _drawReturned(Progress memory progress, Draw draw, uint256 index) private pure returns (uint256) {
        if (progress.step == 0) revert InvalidDraw(progress.step, index);
        uint256 shareBps = draw.shareBps();
        if (shareBps == 0 || shareBps > _WHOLE_BPS) revert InvalidShare(progress.step, index, shareBps);
        if (progress.isDry) return 0;
        uint256 offset = 32 * draw.index();
        uint256 length = progress.returned.length;
        if (offset + 32 > length) revert ReturnWordMissing(progress.step, draw.index(), length);
        return _share(PackedField.read(progress.returned, offset, 32), shareBps);
    }

    /// @dev Rounds down, and does not overflow: the whole and the rest of the division are shared on their own.
    function _share(uint256 amount, uint256 shareBps) private pure returns (uint256) {
        return (amount / _WHOLE_BPS) * shareBps + ((amount % _WHOLE_BPS) * shareBps) / _WHOLE_BPS;
    }

    function _patch(
        Progress memory progress,
        uint256 cursor,
        uint256 index,
        uint256[] memory amounts,
        bytes memory callData
    ) private pure {
        (uint256 draw, uint256 offset, uint256 width) = PushProgram.readPatch(cursor);
        if (draw >= amounts.length || (width != 16 && width != 20 && width != 32)) {
            revert InvalidPatch(progress.step, index);
        }
        if (offset < 4 || offset + width > callData.length) {
            revert PatchOutOfBounds(progress.step, offset, width, callData.length);
        }
        uint256 found = PackedField.read(callData, offset, width);
        if (found != PushProgram.SENTINEL) revert SentinelMissing(progress.step, offset, found);
        uint256 amount = amounts[draw];
        if (width != 32 && amount >> (8 * width) != 0) revert AmountTooWide(progress.step, amount, width);
        PackedField.write(callData, offset, width, amount);
    }

    /// @dev Return data is read up to a limit, so that no target can exhaust the gas by it.
    function _call(Progress memory progress, address target, bytes memory callData) private {
        if (target.code.length == 0) revert TargetWithoutCode(progress.step, target);
        uint256 value = progress.value;
        bool success;
        // Solidity's call copies all of the return data. Same as: (success, ) = target.call{value: value}(callData)
        assembly ("memory-safe") {
            success := call(gas(), target, value, add(callData, 32), mload(callData), 0, 0)
        }
        if (!success) revert StepFailed(progress.step, target, _returnData());
        progress.returned = _returnData();
    }

    /// @dev What the last call returned, up to the limit.
    function _returnData() private pure returns (bytes memory data) {
        uint256 limit = _LONGEST_RETURN_DATA;
        // Solidity gives all of the return data or none of it.
        assembly ("memory-safe") {
            let length := returndatasize()
            if gt(length, limit) {
                length := limit
            }
            data := mload(64)
            mstore(data, length)
            returndatacopy(add(data, 32), 0, length)
            mstore(64, add(add(data, 32), and(add(length, 31), not(31))))
        }
    }

    /// @dev Ends the allowances of a step of which not all was spent. The cursor is at its draws.
    function _revokeApprovals(PushProgram.Program memory program, StepHead head, uint256 cursor) private {
        for (uint256 i = 0; i < head.drawCount(); ++i) {
            Draw draw;
            (draw, cursor) = PushProgram.readDraw(cursor);
            if (!_isApproved(draw)) continue;
            address spender = _spenderOf(draw, head);
            address token = program.tokenAt(draw.index());
            if (LiveBalance.allowance(token, address(this), spender) == 0) continue;
            IERC20(token).forceApprove(spender, 0);
            uint256 left = LiveBalance.allowance(token, address(this), spender);
            if (left != 0) revert AllowanceLeft(token, spender, left);
        }
    }
}
