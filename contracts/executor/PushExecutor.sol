// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPushExecutor} from "../interfaces/IPushExecutor.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";
import {PushProgram} from "../libraries/PushProgram.sol";
import {ReentryGuard} from "../libraries/ReentryGuard.sol";
import {LivePuller} from "./LivePuller.sol";
import {StepRunner} from "./StepRunner.sol";

/// @title Runs programs over the balances that are pushed to it
/// @notice See `IPushExecutor` for the layout of a program.
/// @dev Anyone may run any program, so three things keep one caller's program from touching another's push: nothing
/// rests here between transactions, no allowance of the executor outlives a program, and one program at a time runs.
///
/// Warning: the targets of a program are its author's choice and trusted to do their work. The minimums bound what a
/// misbehaving one can cost.
///
/// Warning: what a stranger makes the executor do elsewhere can outlive the transaction. A token or a protocol can
/// have functions beyond the denied selectors by which an account lets others act for it, or takes on a debt. While a
/// program runs for that token, a stranger could then take what the program has not bounded by its minimums. Bound all
/// that a program moves.
contract PushExecutor is StepRunner, ReentryGuard {
    using PushProgram for PushProgram.Program;
    using SafeERC20 for IERC20;

    address private constant _PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    /// @inheritdoc IPushExecutor
    address public immutable override livePuller;

    /// @inheritdoc IPushExecutor
    address public immutable override router;

    constructor(address router_) {
        if (router_.code.length == 0) revert RouterWithoutCode(router_);
        router = router_;
        livePuller = address(new LivePuller());
    }

    /// @dev Native comes back from targets.
    receive() external payable {}

    /// @inheritdoc IPushExecutor
    function execute(bytes calldata data) external payable override nonReentrant {
        PushProgram.Program memory program = PushProgram.open(data);
        _requireRecipient(program, program.recipient);
        if (msg.value != 0 && !program.declares(address(0))) revert NativeNotDeclared(msg.value);

        if (program.policy == PushProgram.POLICY_REVERT) {
            _run(program, false);
        } else {
            _requireRecipient(program, program.fallbackRecipient);
            _run(program, true);
            _runOrFallBack(data, program);
        }
    }

    /// @inheritdoc IPushExecutor
    function runSteps(bytes calldata data) external override {
        if (msg.sender != address(this)) revert OnlyExecutor(msg.sender);
        _run(PushProgram.open(data), false);
    }

    /// @dev Whoever sends the transaction chooses its gas, so a lack of it must not look like a failure of the steps:
    /// what the author asked for must be there before, and using up all of it is an error.
    function _runOrFallBack(bytes calldata data, PushProgram.Program memory program) private {
        bytes memory callData = abi.encodeCall(IPushExecutor.runSteps, (data));
        uint256 available = gasleft();
        // The call leaves a 64th of the gas behind (EIP-150).
        uint256 needed = (program.stepsGas * 64) / 63 + program.reserveGas;
        if (available < needed) revert InsufficientGas(available, needed);
        uint256 given = available - program.reserveGas;

        (bool success, bytes4 reason) = _callSelf(given, callData);
        if (success) return;
        // Each level keeps a 64th, so a call that ran out of gas up to eight levels below leaves less than an eighth.
        if (gasleft() < program.reserveGas + given / 8) revert StepsOutOfGas(given);
        _sweep(program, program.fallbackRecipient, address(this).balance);
        emit FellBack(msg.sender, program.fallbackRecipient, reason);
    }

    function _run(PushProgram.Program memory program, bool isDry) private {
        Progress memory progress;
        progress.isDry = isDry;
        progress.bases = _zeros(program.tokenCount);
        uint256 native = address(this).balance;
        uint256 cursor = program.cursor;
        for (uint256 i = 0; i < program.tokenCount; ++i) {
            program.requireValidToken(i);
            uint256 minimumIn;
            (minimumIn, cursor) = PushProgram.readAmount(cursor);
            program.requireRead(cursor);
            if (isDry) continue;
            uint256 live = _live(program, i);
            if (live < minimumIn) revert InsufficientInput(program.tokenAt(i), live, minimumIn);
            progress.bases[i] = live;
        }

        uint256 checks = cursor;
        uint256[] memory held = _zeros(program.checkCount);
        for (uint256 i = 0; i < held.length; ++i) {
            address token = PushProgram.readAddress(cursor);
            (, cursor) = PushProgram.readAmount(cursor + 20);
            program.requireRead(cursor);
            if (!isDry) held[i] = LiveBalance.read(token, program.recipient);
        }

        program.cursor = cursor;
        for (uint256 i = 0; i < program.stepCount; ++i) _runStep(program, progress);
        if (program.cursor != program.end) {
            revert TrailingBytes(program.end - program.start, program.cursor - program.start);
        }
        if (isDry) return;
        _sweep(program, program.recipient, native);
        _requireOutputs(program, checks, held);
    }

    function _requireOutputs(PushProgram.Program memory program, uint256 cursor, uint256[] memory held) private view {
        for (uint256 i = 0; i < held.length; ++i) {
            address token = PushProgram.readAddress(cursor);
            uint256 minimumOut;
            (minimumOut, cursor) = PushProgram.readAmount(cursor + 20);
            uint256 holds = LiveBalance.read(token, program.recipient);
            // A recipient may pass tokens on as they arrive, so the balance can also fall.
            uint256 gained = holds > held[i] ? holds - held[i] : 0;
            if (gained < minimumOut) revert InsufficientOutput(token, gained, minimumOut);
        }
    }

    /// @dev Sends all that is left of the declared tokens, and native, to the recipient. Native that is not declared
    /// and was there before came from a stranger, who must not be able to make a program call or pay anybody with it.
    /// @param nativeBefore What the executor held of native before the first step.
    function _sweep(PushProgram.Program memory program, address recipient, uint256 nativeBefore) private {
        bool isNativeDeclared = false;
        for (uint256 i = 0; i < program.tokenCount; ++i) {
            address token = program.tokenAt(i);
            if (token == address(0)) {
                isNativeDeclared = true;
                continue;
            }
            uint256 live = _live(program, i);
            if (live != 0) IERC20(token).safeTransfer(recipient, live);
        }
        uint256 native = address(this).balance;
        if (native == 0 || (!isNativeDeclared && native <= nativeBefore)) return;
        bool success;
        // Solidity's call copies all of the return data. Same as: (success, ) = recipient.call{value: native}("")
        assembly ("memory-safe") {
            success := call(gas(), recipient, native, 0, 0, 0, 0)
        }
        if (!success) revert NativeTransferFailed(recipient, native);
    }

    /// @dev Calls the executor's own `runSteps` and reads no more of the answer than the selector of its error.
    function _callSelf(uint256 given, bytes memory callData) private returns (bool success, bytes4 reason) {
        // Same as: (success, returnData) = address(this).call{gas: given}(callData); reason = bytes4(returnData)
        assembly ("memory-safe") {
            mstore(0, 0)
            success := call(given, address(), 0, add(callData, 32), mload(callData), 0, 4)
            reason := mload(0)
        }
    }

    function _requireRecipient(PushProgram.Program memory program, address recipient) private view {
        if (recipient == address(0) || _isDenied(program, recipient)) revert RecipientDenied(recipient);
    }

    /// @inheritdoc StepRunner
    function _isDenied(PushProgram.Program memory program, address account) internal view override returns (bool) {
        if (account == address(this) || account == msg.sender || account == router) return true;
        if (account == livePuller || account == _PERMIT2) return true;
        return program.declares(account);
    }
}
