// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Malformed programs
contract PushExecutorFormTest is ExecutorTest {
    using Programs for Programs.Draft;

    uint256 internal constant HEADER = 32;

    function test_Constructor_WhenDeployed_DeploysItsPuller() public view {
        assertEq(address(puller.executor()), address(executor), "puller's executor");
    }

    function test_Execute_WhenProgramIsEmpty_Reverts() public {
        refuses("", abi.encodeWithSelector(IPushExecutor.UnknownVersion.selector, 0));
    }

    function test_Execute_WhenVersionIsUnknown_Reverts() public {
        bytes memory program = depositProgram(0, 0);
        program[0] = 0x02;
        refuses(program, abi.encodeWithSelector(IPushExecutor.UnknownVersion.selector, 2));
    }

    function test_Execute_WhenPolicyIsUnknown_Reverts() public {
        bytes memory program = depositProgram(0, 0);
        program[1] = 0x02;
        refuses(program, abi.encodeWithSelector(IPushExecutor.UnknownPolicy.selector, 2));
    }

    function test_Execute_WhenDeadlineHasPassed_Reverts() public {
        Programs.Draft memory draft;
        refuses(draft.header(0, 999, USER), abi.encodeWithSelector(IPushExecutor.DeadlinePassed.selector, 999, 1_000));
    }

    function test_Execute_WhenDeadlineIsNow_Runs() public {
        Programs.Draft memory draft;
        execute(draft.header(0, 1_000, USER));
    }

    function test_Execute_WhenProgramEndsInItsHeader_Reverts() public {
        bytes memory program = depositProgram(0, 0);
        refuses(Programs.cut(program, 7), truncated(7, HEADER));
        refuses(Programs.cut(program, HEADER - 3), truncated(HEADER - 3, HEADER + 21));
    }

    function test_Execute_WhenProgramEndsInItsFallback_Reverts() public {
        Programs.Draft memory draft;
        bytes memory program = draft.packedWithFallback(USER, STRANGER, 0, 0);
        refuses(Programs.cut(program, HEADER + 27), truncated(HEADER + 27, HEADER + 28));
    }

    function test_Execute_WhenProgramEndsInItsTokens_Reverts() public {
        refuses(Programs.cut(depositProgram(0, 0), HEADER + 20), truncated(HEADER + 20, HEADER + 21));
    }

    function test_Execute_WhenProgramEndsInItsMinimums_Reverts() public {
        refuses(Programs.cut(depositProgram(0xffff, 0), HEADER + 23), truncated(HEADER + 23, HEADER + 24));
    }

    function test_Execute_WhenProgramEndsInItsChecks_Reverts() public {
        refuses(Programs.cut(depositProgram(0, 0xffff), HEADER + 44), truncated(HEADER + 44, HEADER + 45));
    }

    function test_Execute_WhenProgramEndsInItsCallData_Reverts() public {
        bytes memory program = depositProgram(0, 0);
        refuses(Programs.cut(program, program.length - 1), truncated(program.length - 1, program.length));
    }

    function test_Execute_WhenProgramHasTrailingBytes_Reverts() public {
        bytes memory program = depositProgram(0, 0);
        refuses(
            bytes.concat(program, hex"00"),
            abi.encodeWithSelector(IPushExecutor.TrailingBytes.selector, program.length + 1, program.length)
        );
    }

    function test_Execute_WhenAmountHasMoreThan32Bytes_Reverts() public {
        Programs.Draft memory draft = dollars();
        draft.minimums = abi.encodePacked(uint8(33), uint256(0), uint8(0));
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.InvalidAmount.selector, 33));
    }

    function test_Execute_WhenAmountHas32Bytes_ReadsAll() public {
        Programs.Draft memory draft;
        draft.declare(address(dollar), false, MAX);
        refuses(draft.packed(USER), insufficientInput(0, MAX));
    }

    function test_Execute_WhenAmountHasLeadingZeros_ReadsTheSame() public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        draft.minimums = abi.encodePacked(uint8(32), uint256(101));
        refuses(draft.packed(USER), insufficientInput(100, 101));
    }

    function test_Execute_WhenTokenHasUnknownFlags_Reverts() public {
        Programs.Draft memory draft = dollars();
        draft.tokens = abi.encodePacked(uint8(2), address(dollar));
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.InvalidToken.selector, 0, 2));
    }

    function test_Execute_WhenNativeKeepsAUnit_Reverts() public {
        Programs.Draft memory draft = dollars();
        draft.declare(Programs.NATIVE, true, 0);
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.InvalidToken.selector, 1, 1));
    }

    function test_Execute_WhenThereAreNoSteps_SweepsToTheRecipient() public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft;
        execute(draft.declare(address(dollar), false, 100).check(address(dollar), 100).packed(USER));
        assertEq(dollar.balanceOf(USER), 100, "user");
        restsEmpty(dollar, address(vault));
    }

    function test_Execute_WhenLessWasPushedThanTheMinimum_Reverts() public {
        dollar.mint(address(executor), 99);
        refuses(depositProgram(100, 0), insufficientInput(99, 100));
    }

    function test_Execute_WhenRecipientGainsLessThanTheMinimum_Reverts() public {
        dollar.mint(address(executor), 100);
        refuses(depositProgram(100, 101), insufficientOutput(address(vault), 100, 101));
    }

    function test_Execute_WhenRecipientHeldOutputBefore_CountsTheGain() public {
        dollar.mint(address(this), 50);
        dollar.approve(address(vault), 50);
        vault.deposit(50, USER);
        dollar.mint(address(executor), 100);
        refuses(depositProgram(100, 101), insufficientOutput(address(vault), 100, 101));
    }

    function test_Execute_WhenRecipientsBalanceFalls_CountsNoGain() public {
        dollar.mint(USER, 50);
        vm.prank(USER);
        dollar.approve(address(target), 50);
        Programs.Draft memory draft;
        bytes memory data = abi.encodeCall(dollar.transferFrom, (USER, STRANGER, 50));
        draft.check(address(dollar), 1).plain(address(target), relayData(address(dollar), data));
        refuses(draft.packed(USER), insufficientOutput(address(dollar), 0, 1));
    }

    function test_Execute_WhenASecondCheckFails_Reverts() public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        draft.check(address(vault), 100).check(Programs.NATIVE, 1);
        draft.give(address(vault), 0, 10_000, depositData());
        refuses(draft.packed(USER), insufficientOutput(Programs.NATIVE, 0, 1));
    }

    function test_Execute_WhenCheckedTokenHasNoCode_Reverts() public {
        Programs.Draft memory draft;
        draft.check(NO_CODE, 0);
        refuses(draft.packed(USER), abi.encodeWithSignature("BalanceUnreadable(address)", NO_CODE));
    }

    function test_Execute_WhenSeveralTokensArePushed_DepositsOneAndSweepsTheOther() public {
        dollar.mint(address(executor), 100);
        dollar.mint(address(this), 50);
        dollar.approve(address(vault), 50);
        vault.deposit(50, address(executor));
        Programs.Draft memory draft = dollars();
        draft.declare(address(vault), false, 50).plain(address(target), recordData());
        execute(draft.packed(USER));
        assertEq(dollar.balanceOf(USER), 100, "dollars");
        assertEq(IERC4626(vault).balanceOf(USER), 50, "shares");
    }

    function test_RunSteps_WhenCallerIsNotTheExecutor_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.OnlyExecutor.selector, STRANGER));
        vm.prank(STRANGER);
        executor.runSteps();
    }

    function truncated(uint256 length, uint256 needed) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.ProgramTruncated.selector, length, needed);
    }

    function insufficientInput(uint256 amount, uint256 minimumIn) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.InsufficientInput.selector, dollar, amount, minimumIn);
    }

    function insufficientOutput(address token, uint256 amount, uint256 minimum) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.InsufficientOutput.selector, token, amount, minimum);
    }
}
