// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {LiveBalance} from "../../../contracts/libraries/LiveBalance.sol";
import {BlocklistToken} from "../../../contracts/mocks/BlocklistToken.sol";
import {HugeAnswer} from "../../../contracts/mocks/HugeAnswer.sol";
import {Target} from "../../../contracts/mocks/Target.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Failing steps
contract PushExecutorFallbackTest is ExecutorTest {
    using Programs for Programs.Draft;

    address internal constant SAVED = address(0x5afe);
    uint32 internal constant STEPS_GAS = 300_000;
    uint32 internal constant RESERVE_GAS = 100_000;

    function setUp() public override {
        super.setUp();
        dollar.mint(address(executor), 100);
    }

    function test_Execute_WhenAStepFailsAndPolicyIsRevert_RevertsWithItsReason() public {
        bytes memory reason = abi.encodeWithSelector(Target.Failed.selector, executor, 7);
        refuses(
            failing().packed(USER),
            abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 1, address(target), reason)
        );
    }

    function test_Execute_WhenStepFailsSilently_ReportsItsIndex() public {
        Programs.Draft memory draft;
        draft.plain(address(target), abi.encodeCall(target.failSilently, ()));
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 0, address(target), ""));
    }

    function test_Execute_WhenRevertDataIsHuge_IsCut() public {
        HugeAnswer huge = HugeAnswer(deployCode("HugeAnswer", abi.encode(bytes32(0))));
        Programs.Draft memory draft;
        draft.plain(address(target), abi.encodeCall(target.failLike, (address(huge))));
        refuses(
            draft.packed(USER),
            abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 0, address(target), new bytes(512))
        );
    }

    function test_Execute_WhenAllStepsSucceed_DoesNotFallBack() public {
        Programs.Draft memory draft = dollars().give(address(vault), 0, 10_000, depositData());
        draft.check(address(vault), 100);
        vm.recordLogs();
        execute(draft.packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS));
        assertEq(countLogs(address(executor), IPushExecutor.FellBack.selector), 0, "fell back");
        assertEq(vault.balanceOf(USER), 100, "shares");
        restsEmpty(dollar, address(vault));
    }

    function test_Execute_WhenStepFails_RevertsStepsAndPaysFallbackRecipient() public {
        fallsBack(failing(), IPushExecutor.StepFailed.selector);
        assertEq(vault.balanceOf(USER), 0, "shares");
        assertEq(vault.totalSupply(), 0, "undone");
        restsEmpty(dollar, address(vault));
    }

    function test_Execute_WhenOutputIsTooSmall_FallsBack() public {
        Programs.Draft memory draft = dollars().give(address(vault), 0, 10_000, depositData());
        fallsBack(draft.check(address(vault), 101), IPushExecutor.InsufficientOutput.selector);
    }

    /// @dev The attack: take most of the pushed amount, so that the fallback pays the recipient only the rest and
    /// the fill still succeeds.
    function test_Execute_WhenInputIsTooSmall_RevertsInsteadOfFallback() public {
        Programs.Draft memory draft;
        refuses(
            draft.declare(address(dollar), false, 101).packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS),
            abi.encodeWithSelector(IPushExecutor.InsufficientInput.selector, dollar, 100, 101)
        );
    }

    function test_Execute_WhenACheckedTokenCannotBeRead_FallsBack() public {
        fallsBack(dollars().check(address(0xdead), 1), LiveBalance.BalanceUnreadable.selector);
    }

    function test_Execute_WhenTargetHasNoCode_FallsBack() public {
        fallsBack(dollars().plain(address(0xdead), recordData()), IPushExecutor.TargetWithoutCode.selector);
    }

    function test_Execute_WhenTokenFailsWithoutAnError_FallsBackWithoutReason() public {
        vm.mockCallRevert(address(dollar), abi.encodeCall(dollar.transfer, (USER, 100)), "");
        fallsBack(dollars(), 0);
    }

    function test_Execute_WhenTokenOfTheHighestBalanceFailsWithoutAnError_FallsBackWithoutReason() public {
        dollar.mint(address(executor), MAX - 100);
        vm.mockCallRevert(address(dollar), abi.encodeCall(dollar.transfer, (USER, MAX)), "");
        vm.expectEmit(address(executor));
        emit IPushExecutor.FellBack(address(this), SAVED, 0);
        execute(dollars().packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS));
        assertEq(dollar.balanceOf(SAVED), MAX, "fallback recipient");
    }

    function test_Execute_WhenApprovalFails_FallsBack() public {
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, "", recordData());
        vm.mockCall(address(dollar), abi.encodeWithSelector(dollar.approve.selector, target), abi.encode(false));
        fallsBack(draft, SafeERC20.SafeERC20FailedOperation.selector);
    }

    /// @dev The attack: block the program with a donation so large that an amount overflows its field.
    function test_Execute_WhenAmountIsTooWideForItsField_FallsBack() public {
        uint256 amount = uint256(type(uint128).max) + 1;
        dollar.mint(address(executor), 2 * amount - 100);
        uint16[2] memory shares = [uint16(10_000), 5_000];
        for (uint256 i = 0; i < shares.length; ++i) {
            uint256 snapshot = vm.snapshotState();
            Programs.Draft memory draft = dollars();
            bytes memory data = bytes.concat(target.record.selector, bytes16(uint128(Programs.sentinel())));
            bytes memory patch = Programs.patch(0, 4, 16);
            draft.step(address(target), Programs.draw(0, 0, shares[i]), 1, patch, data);
            vm.expectEmit(address(executor));
            emit IPushExecutor.FellBack(address(this), SAVED, IPushExecutor.AmountTooWide.selector);
            execute(draft.packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS));
            assertEq(dollar.balanceOf(SAVED), 2 * amount, "fallback recipient");
            vm.revertToState(snapshot);
        }
    }

    function test_Execute_WhenAllowanceReverts_FallsBack() public {
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, "", recordData());
        vm.mockCallRevert(address(dollar), abi.encodeCall(dollar.allowance, (address(executor), address(target))), "");
        fallsBack(draft, LiveBalance.BalanceUnreadable.selector);
    }

    function test_Execute_WhenUserIsBlocked_PaysTheFallbackRecipient() public {
        BlocklistToken token = BlocklistToken(deployCode("BlocklistToken"));
        token.mint(address(executor), 100);
        token.blockAccount(USER);
        Programs.Draft memory draft;
        draft.declare(address(token), false, 100);
        vm.expectEmit(address(executor));
        emit IPushExecutor.FellBack(address(this), SAVED, BlocklistToken.Blocked.selector);
        execute(draft.packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS));
        assertEq(token.balanceOf(SAVED), 100, "fallback recipient");
    }

    function test_Execute_WhenFallbackRecipientIsBlockedToo_Reverts() public {
        BlocklistToken token = BlocklistToken(deployCode("BlocklistToken"));
        token.mint(address(executor), 100);
        token.blockAccount(USER);
        token.blockAccount(SAVED);
        Programs.Draft memory draft;
        draft.declare(address(token), false, 100);
        refuses(
            draft.packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS),
            abi.encodeWithSelector(BlocklistToken.Blocked.selector, SAVED)
        );
    }

    function test_Execute_WhenUnitIsKept_FallbackKeepsItToo() public {
        Programs.Draft memory draft;
        draft.declare(address(dollar), true, 99).plain(address(target), abi.encodeCall(target.fail, (7)));
        execute(draft.packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS));
        assertEq(dollar.balanceOf(SAVED), 99, "fallback recipient");
        assertEq(dollar.balanceOf(address(executor)), 1, "unit");
    }

    function test_Execute_WhenAReturnedWordIsDrawn_RunsUnderAFallbackToo() public {
        Programs.Draft memory draft = dollars().plain(address(target), abi.encodeCall(target.record, (21)));
        seesNext(0, 21);
        seesNext(0, 42);
        draft = show(draft, Programs.draw(4, 0, 10_000));
        execute(draft.packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS));
        assertEq(dollar.balanceOf(USER), 100, "user");
    }

    function test_Execute_WhenAMalformedStepFollowsAFailingOne_RevertsAndMovesNothing() public {
        Programs.Draft memory draft = failing();
        draft.step(address(target), Programs.draw(0, 1, 10_000), 1, "", recordData());
        refuses(
            draft.packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS),
            abi.encodeWithSelector(IPushExecutor.InvalidDraw.selector, 2, 0)
        );
        assertEq(dollar.balanceOf(address(executor)), 100, "executor");
    }

    function test_Execute_WhenProgramHasTrailingBytesAndStepFails_RevertsAndMovesNothing() public {
        bytes memory program = failing().packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS);
        refuses(
            bytes.concat(program, hex"00"),
            abi.encodeWithSelector(IPushExecutor.TrailingBytes.selector, program.length + 1, program.length)
        );
    }

    function test_Execute_WhenGasIsBelowTheProgramsMinimum_Reverts() public {
        bytes memory program = failing().packedWithFallback(USER, SAVED, 1_000_000, RESERVE_GAS);
        (bool success, bytes memory data) = address(executor).call{gas: 1_000_000}(executeData(program));
        assertFalse(success, "success");
        uint256 available = word(data, 0);
        assertTrue(available < 1_000_000 && available > 900_000, "available");
        // At least 1/8 of the gas for the steps must remain, because 1/64 always remains.
        uint256 needed = (uint256(1_000_000) * 8 * 64) / (7 * 63) + 1 + RESERVE_GAS;
        assertEq(data, abi.encodeWithSelector(IPushExecutor.InsufficientGas.selector, available, needed), "reason");
    }

    function test_Execute_WhenGasIsExactlyTheProgramsMinimum_Runs() public {
        bytes memory data = executeData(failing().packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS));
        (, bytes memory reason) = address(executor).call{gas: 400_000}(data);
        assertEq(bytes4(reason), IPushExecutor.InsufficientGas.selector, "reason");
        (uint256 available, uint256 needed) = (word(reason, 0), word(reason, 1));
        uint256 gasLimit = 400_000 + needed - available;
        (, reason) = address(executor).call{gas: gasLimit - 1}(data);
        assertEq(
            reason, abi.encodeWithSelector(IPushExecutor.InsufficientGas.selector, needed - 1, needed), "one unit less"
        );
        (bool success,) = address(executor).call{gas: gasLimit}(data);
        assertTrue(success, "success");
        assertEq(dollar.balanceOf(SAVED), 100, "fallback recipient");
    }

    /// @dev Finds the lowest number of loop iterations at which a failing program reverts because too little gas
    /// remains.
    function test_Execute_WhenFailedStepsLeaveLessThanAnEighth_RevertsInsteadOfFallback() public {
        uint256 gasLimit = 10_000_000;
        (uint256 low, uint256 high) = (0, 4_000);
        while (high - low > 1) {
            uint256 middle = (low + high) / 2;
            (bool success,,) = work(middle, gasLimit);
            if (success) low = middle;
            else high = middle;
        }
        (, bytes memory reason, uint256 left) = work(high, gasLimit);
        uint256 given = word(reason, 0);
        assertEq(reason, abi.encodeWithSelector(IPushExecutor.StepsOutOfGas.selector, given), "reason");
        assertLt(left, RESERVE_GAS + given / 8, "less than an eighth");
        // An iteration costs less than 5,000 gas, and so does the call.
        assertGt(left + 10_000, RESERVE_GAS + given / 8, "no earlier");
    }

    function test_Execute_WhenTargetBurnsAllGas_RevertsInsteadOfFallback() public {
        Programs.Draft memory draft = dollars();
        draft.plain(deployCode("GasBurner"), "");
        refusesForGas(draft, 1_000_000);
    }

    /// @dev The innermost of several nested calls goes to the vault, with less gas than the vault needs.
    function test_Execute_WhenDeepCallRunsOutOfGas_RevertsInsteadOfFallback() public {
        for (uint256 levels = 0; levels < 6; ++levels) {
            refusesForGas(nested(levels, burning()), 1_000_000);
        }
    }

    function testFuzz_Execute_AnyGasLimit_NeverFallsBackWithoutNeed(uint256 gasLimit, uint256 levels) public {
        gasLimit = bound(gasLimit, 30_000, 1_000_000);
        bytes memory data = abi.encodeCall(target.work, (30));
        Programs.Draft memory draft = nested(bound(levels, 0, 4), data);
        bytes memory program = draft.packedWithFallback(USER, SAVED, 0, 60_000);
        (bool success,) = address(executor).call{gas: gasLimit}(executeData(program));
        assertEq(dollar.balanceOf(SAVED), 0, "fell back");
        assertEq(dollar.balanceOf(USER), success ? 100 : 0, "user");
        assertEq(dollar.balanceOf(address(executor)), success ? 0 : 100, "executor");
    }

    /// @dev The attack: set a gas limit at which an ordinary failure leaves so little gas that it looks like out of
    /// gas.
    function testFuzz_Execute_WhenStepsFailAfterAllTheirGas_FallsBackOrRevertsForGas(uint256 gasLimit) public {
        gasLimit = bound(gasLimit, 250_000, 600_000);
        uint256 before = gasleft();
        target.work(60);
        uint32 stepsGas = uint32(before - gasleft()) + 60_000;
        Programs.Draft memory draft = dollars().plain(address(target), abi.encodeCall(target.work, (60)));
        draft.plain(address(target), abi.encodeCall(target.fail, (7)));
        bytes memory program = draft.packedWithFallback(USER, SAVED, stepsGas, 60_000);
        (bool success, bytes memory data) = address(executor).call{gas: gasLimit}(executeData(program));
        if (success) assertEq(dollar.balanceOf(SAVED), 100, "fallback recipient");
        else assertEq(bytes4(data), IPushExecutor.InsufficientGas.selector, "reason");
    }

    /// @dev A call that requires a minimum of gas fails long before the gas runs out. Only a gas minimum set by the
    /// program's author prevents a fallback.
    function testFuzz_Execute_AnyGasLimitWhereTargetRequiresGas_NeverFallsBack(uint256 gasLimit) public {
        gasLimit = bound(gasLimit, 30_000, 1_000_000);
        Programs.Draft memory draft = dollars().plain(address(target), abi.encodeCall(target.needGas, (300_000)));
        bytes memory program = draft.packedWithFallback(USER, SAVED, 350_000, 60_000);
        (bool success,) = address(executor).call{gas: gasLimit}(executeData(program));
        assertEq(dollar.balanceOf(SAVED), 0, "fell back");
        assertEq(dollar.balanceOf(USER), success ? 100 : 0, "user");
        if (gasLimit > 500_000) assertTrue(success, "enough gas");
    }

    function testFuzz_Execute_AnyGasLimit_FallsBackCompletelyOrReverts(uint256 gasLimit) public {
        gasLimit = bound(gasLimit, 30_000, 1_000_000);
        bytes memory program = failing().packedWithFallback(USER, SAVED, 150_000, 60_000);
        vm.recordLogs();
        (bool success,) = address(executor).call{gas: gasLimit}(executeData(program));
        assertEq(countLogs(address(executor), IPushExecutor.FellBack.selector), success ? 1 : 0, "event");
        assertEq(dollar.balanceOf(SAVED), success ? 100 : 0, "fallback recipient");
        assertEq(dollar.balanceOf(address(executor)), success ? 0 : 100, "executor");
        assertEq(vault.totalSupply(), 0, "undone");
        if (gasLimit > 500_000) assertTrue(success, "enough gas");
    }

    /// @dev Returns a program with a deposit and a step that fails.
    function failing() internal view returns (Programs.Draft memory draft) {
        draft = dollars().give(address(vault), 0, 10_000, depositData());
        return draft.plain(address(target), abi.encodeCall(target.fail, (7)));
    }

    /// @dev Returns a program whose target makes a call through this many nested calls to itself.
    function nested(uint256 levels, bytes memory data) internal view returns (Programs.Draft memory) {
        for (uint256 i = 0; i < levels; ++i) {
            data = relayData(address(target), data);
        }
        return dollars().plain(address(target), data);
    }

    function burning() internal returns (bytes memory) {
        return relayData(deployCode("GasBurner"), "");
    }

    function fallsBack(Programs.Draft memory draft, bytes4 reason) internal {
        vm.expectEmit(address(executor));
        emit IPushExecutor.FellBack(address(this), SAVED, reason);
        execute(draft.packedWithFallback(USER, SAVED, STEPS_GAS, RESERVE_GAS));
        assertEq(dollar.balanceOf(SAVED), 100, "fallback recipient");
        assertEq(dollar.balanceOf(USER), 0, "user");
    }

    function refusesForGas(Programs.Draft memory draft, uint256 gasLimit) internal {
        bytes memory program = draft.packedWithFallback(USER, SAVED, 0, RESERVE_GAS);
        (bool success, bytes memory data) = address(executor).call{gas: gasLimit}(executeData(program));
        assertFalse(success, "success");
        uint256 given = word(data, 0);
        assertTrue(given > gasLimit / 2 && given < gasLimit - RESERVE_GAS, "given");
        assertEq(data, abi.encodeWithSelector(IPushExecutor.StepsOutOfGas.selector, given), "reason");
    }

    /// @dev Runs a program that uses gas for a number of iterations and then fails. `left` is the gas that the call
    /// did not use, minus the cost of the call.
    function work(uint256 turns, uint256 gasLimit)
        internal
        returns (bool success, bytes memory returnData, uint256 left)
    {
        Programs.Draft memory draft;
        draft.plain(address(target), abi.encodeCall(target.work, (turns)));
        draft.plain(address(target), abi.encodeCall(target.fail, (7)));
        bytes memory data = executeData(draft.packedWithFallback(USER, SAVED, 0, RESERVE_GAS));
        uint256 before = gasleft();
        (success, returnData) = address(executor).call{gas: gasLimit}(data);
        left = gasLimit - (before - gasleft());
    }

    /// @dev Returns one word of an error's arguments.
    function word(bytes memory data, uint256 index) internal pure returns (uint256 value) {
        for (uint256 i = 0; i < 32; ++i) {
            value = (value << 8) | uint8(data[4 + 32 * index + i]);
        }
    }
}
