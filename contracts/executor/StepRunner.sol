// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IPushExecutor} from "../interfaces/IPushExecutor.sol";
import {DeniedSelectors} from "../libraries/DeniedSelectors.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";
import {PackedField} from "../libraries/PackedField.sol";
import {PushCursor} from "../libraries/PushCursor.sol";
import {Program, PushProgram, Token} from "../libraries/PushProgram.sol";
import {Draw, DrawKind, Patch, StepHead} from "../libraries/PushStep.sol";
import {Words, newWords} from "../libraries/Words.sol";

/// @title Runs the steps of a program
/// @dev Each step is validated and run in one pass. A dry run only validates, so that the whole program is validated
/// before its first call.
abstract contract StepRunner is IPushExecutor {
    using SafeERC20 for IERC20;

    /// @dev Words per token: the balance from which its shares are computed, and the bps drawn since (low 16 bits) with
    /// the number of the last step that drew it, counted from one.
    uint256 internal constant _SHARE_WORDS = 2;
    uint256 private constant _BASE = 0;
    uint256 private constant _DRAWS = 1;

    /// @dev Words per draw: its amount, and the token and spender of its approval. The token is zero without an
    /// approval.
    uint256 private constant _DRAW_WORDS = 3;
    uint256 private constant _AMOUNT = 0;
    uint256 private constant _TOKEN = 1;
    uint256 private constant _SPENDER = 2;

    uint256 private constant _WHOLE_BPS = 10_000;
    uint256 private constant _LONGEST_RETURN_DATA = 512;

    /// @dev Bitmap of the widths that a patch can have.
    uint256 private constant _WIDTHS = (1 << 16) | (1 << 20) | (1 << 32);

    /// @dev Whether programs must not call, approve or pay an account.
    function _isDenied(Program program, address account) internal view virtual returns (bool);

    /// @dev The balance that a program may use: all except a kept unit and native currency that strangers sent before
    /// the program's call.
    /// @param nativeBefore The executor's native balance before the call.
    function _live(Token token, uint256 nativeBefore) internal view returns (uint256) {
        address account = token.account();
        if (account == address(0)) return Math.saturatingSub(address(this).balance, nativeBefore);
        return _liveOf(token);
    }

    /// @dev The balance of a token other than native currency that a program may use.
    function _liveOf(Token token) internal view returns (uint256) {
        return Math.saturatingSub(LiveBalance.ofToken(token.account(), address(this)), token.flags());
    }

    /// @dev Allocates the words of a program's shares. The next word is the native balance before the call.
    function _newShares(Program program, uint256 nativeBefore) internal pure returns (Words shares) {
        // Cannot overflow: counts have 8 bits.
        unchecked {
            uint256 count = _SHARE_WORDS * program.tokenCount();
            shares = newWords(count + 1);
            shares.setWordAt(count, nativeBefore);
        }
    }

    function _nativeBefore(Program program, Words shares) private pure returns (uint256) {
        // Cannot overflow: counts have 8 bits.
        unchecked {
            return shares.wordAt(_SHARE_WORDS * program.tokenCount());
        }
    }

    /// @dev Starts counting the shares of a token.
    /// @param share The token's `_SHARE_WORDS`.
    /// @param base The executor's balance. Ignored in a dry run.
    function _openShare(Words share, uint256 base) internal pure {
        share.setWordAt(_BASE, base);
        share.setWordAt(_DRAWS, 0);
    }

    /// @dev Runs all steps of a program.
    /// @param shares See `_newShares`.
    /// @param cursor Start of the first step.
    function _runSteps(Program program, Words shares, uint256 cursor) internal {
        bytes memory returned;
        // Cannot overflow: counts have 8 bits.
        unchecked {
            for (uint256 step = 0; step != program.stepCount(); ++step) {
                (cursor, returned) = _runStep(program, step, shares, returned, cursor);
            }
            program.requireEnd(cursor);
        }
    }

    /// @dev Runs the step at the cursor.
    /// @param before Return data of the previous step, up to a limit.
    /// @return end Start of the next step.
    /// @return returned Return data of the step, up to a limit, if another one follows.
    function _runStep(Program program, uint256 step, Words shares, bytes memory before, uint256 cursor)
        private
        returns (uint256 end, bytes memory returned)
    {
        // Cannot overflow: cursors are bounded by the calldata, counts by a byte.
        unchecked {
            StepHead head = PushCursor.readStepHead(cursor);
            address target;
            (target, cursor) = program.readAddress(cursor + 4);
            head = head.withTarget(target);
            Words drawn = newWords(_DRAW_WORDS * head.drawCount());
            (uint256 patches, uint256 value) = _draw(program, step, shares, before, drawn, head, cursor);
            uint256 data = patches + 4 * head.patchCount();
            end = data + head.callDataLength();
            program.requireRead(end);

            if (_isDenied(program, target)) revert TargetDenied(step, target);
            bytes memory callData = PushCursor.readBytes(data, head.callDataLength());
            if (DeniedSelectors.includes(bytes4(callData))) revert SelectorDenied(step, bytes4(callData));
            for (uint256 i = 0; patches != data; patches += 4) {
                _patch(step, PushCursor.readPatch(patches), i, head.drawCount(), drawn, callData);
                ++i;
            }

            if (program.isDry()) return (end, before);
            _call(step, target, value, callData);
            if (step + 1 != program.stepCount()) returned = _returnData();
            _revokeApprovals(drawn, head.drawCount());
        }
    }

    /// @dev Computes the amounts of a step's draws, and approves them if needed.
    /// @param drawn `_DRAW_WORDS` per draw, to be set.
    /// @return end Start of the patches.
    /// @return value The step's native value.
    function _draw(
        Program program,
        uint256 step,
        Words shares,
        bytes memory before,
        Words drawn,
        StepHead head,
        uint256 cursor
    ) private returns (uint256 end, uint256 value) {
        if (head.drawCount() == 0) return (cursor, 0);
        bool hasValue = false;
        end = cursor;
        // Cannot overflow: cursors are bounded by the calldata, counts by a byte.
        unchecked {
            for (uint256 i = 0; i != head.drawCount(); ++i) {
                Draw draw = PushCursor.readDraw(end);
                end += 4;
                uint256 amount;
                drawn.setWordAt(_TOKEN, 0);
                if (draw.kind() <= DrawKind.VALUE) {
                    if (draw.index() >= program.tokenCount()) revert InvalidDraw(step, i);
                    Token token = program.tokenAt(draw.index());
                    amount = _drawToken(program, step, shares, token, draw, i);
                    if (draw.isApproved()) {
                        if (token.account() == address(0)) revert InvalidDraw(step, i);
                        // `_runStep` checks the target.
                        address spender = head.target();
                        if (draw.kind() == DrawKind.FOR_SPENDER) {
                            spender = _requireSpender(program, step, draw.spender());
                            end += 20;
                        }
                        if (!program.isDry()) _approve(drawn, token.account(), spender, amount);
                    } else if (draw.kind() == DrawKind.VALUE) {
                        if (token.account() != address(0)) revert InvalidDraw(step, i);
                    }
                } else if (draw.kind() == DrawKind.RETURNED) {
                    amount = _drawReturned(program, step, before, draw, i);
                } else if (draw.kind() == DrawKind.FIXED_VALUE && draw.index() == 0 && draw.shareBps() == 0) {
                    amount = draw.fixedValue();
                    end += 16;
                } else {
                    revert InvalidDraw(step, i);
                }
                if (draw.isValue()) {
                    if (hasValue) revert InvalidDraw(step, i);
                    (hasValue, value) = (true, amount);
                }
                drawn.setWordAt(_AMOUNT, amount);
                drawn = drawn.from(_DRAW_WORDS);
            }
        }
    }

    /// @dev Returns the spender, unless it is denied.
    function _requireSpender(Program program, uint256 step, address spender) private view returns (address) {
        if (_isDenied(program, spender)) revert SpenderDenied(step, spender);
        return spender;
    }

    /// @dev Approves the amount of a draw, and records the approval for the reset.
    function _approve(Words drawn, address token, address spender, uint256 amount) private {
        drawn.setWordAt(_TOKEN, uint160(token));
        drawn.setWordAt(_SPENDER, uint160(spender));
        IERC20(token).forceApprove(spender, amount);
    }

    /// @dev Draws a share of a token. When the shares reach 10,000 bps, counting restarts.
    function _drawToken(Program program, uint256 step, Words shares, Token token, Draw draw, uint256 number)
        private
        view
        returns (uint256 amount)
    {
        // Cannot overflow: bps have 16 bits, and steps 8.
        unchecked {
            Words share = shares.from(_SHARE_WORDS * draw.index());
            uint256 draws = share.wordAt(_DRAWS);
            if (draws >> 16 > step) revert DrawnTwice(step, draw.index());
            uint256 drawnBps = uint16(draws);
            draws = (step + 1) << 16;
            uint256 sumBps = drawnBps + draw.shareBps();
            if (sumBps == _WHOLE_BPS) {
                share.setWordAt(_DRAWS, draws);
                if (!program.isDry()) {
                    // Before the first step, the base is the live balance.
                    if (step == 0) amount = share.wordAt(_BASE);
                    else amount = _live(token, _nativeBefore(program, shares));
                }
            } else {
                if (draw.shareBps() == 0 || sumBps > _WHOLE_BPS) revert InvalidShare(step, number, sumBps);
                share.setWordAt(_DRAWS, draws | sumBps);
                if (!program.isDry()) {
                    if (drawnBps == 0 && step != 0) {
                        share.setWordAt(_BASE, _live(token, _nativeBefore(program, shares)));
                    }
                    amount = _share(share.wordAt(_BASE), draw.shareBps());
                }
            }
        }
    }

    function _drawReturned(Program program, uint256 step, bytes memory before, Draw draw, uint256 number)
        private
        pure
        returns (uint256 amount)
    {
        if (step == 0) revert InvalidDraw(step, number);
        uint256 shareBps = draw.shareBps();
        if (shareBps == 0 || shareBps > _WHOLE_BPS) revert InvalidShare(step, number, shareBps);
        if (!program.isDry()) {
            uint256 offset = 32 * draw.index();
            if (offset + 32 > before.length) revert ReturnWordMissing(step, draw.index(), before.length);
            amount = _share(PackedField.read(before, offset, 32), shareBps);
        }
    }

    /// @dev Rounds down. Multiplies quotient and remainder separately, so that it cannot overflow.
    function _share(uint256 amount, uint256 shareBps) private pure returns (uint256) {
        return (amount / _WHOLE_BPS) * shareBps + ((amount % _WHOLE_BPS) * shareBps) / _WHOLE_BPS;
    }

    function _patch(uint256 step, Patch patch, uint256 number, uint256 drawCount, Words drawn, bytes memory callData)
        private
        pure
    {
        (uint256 offset, uint256 width) = (patch.offset(), patch.width());
        if (patch.draw() >= drawCount) revert InvalidPatch(step, number);
        if ((_WIDTHS >> width) & 1 == 0) revert InvalidPatch(step, number);
        // Cannot overflow: an offset has 16 bits, a width 8.
        unchecked {
            if (offset < 4) revert PatchOutOfBounds(step, offset, width, callData.length);
            if (offset + width > callData.length) revert PatchOutOfBounds(step, offset, width, callData.length);
            uint256 found = PackedField.read(callData, offset, width);
            if (found != PushProgram.SENTINEL) revert SentinelMissing(step, offset, found);
            uint256 amount = drawn.wordAt(_DRAW_WORDS * patch.draw() + _AMOUNT);
            // A shift by 256 returns zero.
            if (amount >> (8 * width) != 0) revert AmountTooWide(step, amount, width);
            PackedField.write(callData, offset, width, found, amount);
        }
    }

    /// @dev Limits the return data, so that no target can exhaust the gas with it.
    function _call(uint256 step, address target, uint256 value, bytes memory callData) private {
        if (target.code.length == 0) revert TargetWithoutCode(step, target);
        bool success;
        // Solidity's `call` copies all return data. Same as: (success, ) = target.call{value: value}(callData)
        assembly ("memory-safe") {
            success := call(gas(), target, value, add(callData, 32), mload(callData), 0, 0)
        }
        if (!success) revert StepFailed(step, target, _returnData());
    }

    /// @dev Return data of the last call, up to the limit.
    function _returnData() private pure returns (bytes memory data) {
        uint256 limit = _LONGEST_RETURN_DATA;
        // Solidity reads either all of the return data or none.
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

    /// @dev Resets allowances that a step did not spend completely.
    function _revokeApprovals(Words drawn, uint256 count) private {
        // Cannot overflow: the index ends at zero.
        unchecked {
            for (; count != 0; --count) {
                address token = address(uint160(drawn.wordAt(_TOKEN)));
                if (token != address(0)) _revokeApproval(token, address(uint160(drawn.wordAt(_SPENDER))));
                drawn = drawn.from(_DRAW_WORDS);
            }
        }
    }

    function _revokeApproval(address token, address spender) private {
        if (LiveBalance.allowance(token, address(this), spender) != 0) {
            IERC20(token).forceApprove(spender, 0);
            uint256 left = LiveBalance.allowance(token, address(this), spender);
            if (left != 0) revert AllowanceLeft(token, spender, left);
        }
    }
}
