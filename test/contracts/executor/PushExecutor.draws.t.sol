// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {HugeAnswer} from "../../../contracts/mocks/HugeAnswer.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Amounts that a program's draws take
contract PushExecutorDrawsTest is ExecutorTest {
    using Programs for Programs.Draft;

    function test_Draw_WhenShareIsZero_Reverts() public {
        refuses(show(dollars(), Programs.draw(0, 0, 0)).packed(USER), invalidShare(0, 0));
    }

    function test_Draw_WhenShareIsOneBps_DrawsThatShare() public {
        dollar.mint(address(executor), 1_000_000);
        seesNext(0, 100);
        execute(show(dollars(), Programs.draw(0, 0, 1)).packed(USER));
    }

    function test_Draw_WhenShareIs9999Bps_RoundsDown() public {
        dollar.mint(address(executor), 10_001);
        seesNext(0, 9_999);
        execute(show(dollars(), Programs.draw(0, 0, 9_999)).packed(USER));
    }

    function test_Draw_WhenShareIs10000Bps_DrawsAll() public {
        dollar.mint(address(executor), 10_001);
        seesNext(0, 10_001);
        execute(show(dollars(), Programs.draw(0, 0, 10_000)).packed(USER));
    }

    function test_Draw_WhenShareIs10001Bps_Reverts() public {
        refuses(show(dollars(), Programs.draw(0, 0, 10_001)).packed(USER), invalidShare(0, 10_001));
    }

    function test_Draw_WhenSharesExceedTheWhole_Reverts() public {
        Programs.Draft memory draft = show(dollars(), Programs.draw(0, 0, 5_000));
        refuses(show(draft, Programs.draw(0, 0, 5_001)).packed(USER), invalidShare(1, 10_001));
    }

    function test_Draw_WhenWholeFollowsAPart_Reverts() public {
        Programs.Draft memory draft = show(dollars(), Programs.draw(0, 0, 1));
        refuses(show(draft, Programs.draw(0, 0, 10_000)).packed(USER), invalidShare(1, 10_001));
    }

    function test_Draw_WhenSharesEndBelowTheWhole_SweepsTheRest() public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 6_000), 1, "", takeData(dollar, 60));
        execute(draft.packed(USER));
        assertEq(dollar.balanceOf(address(target)), 60, "target");
        assertEq(dollar.balanceOf(USER), 40, "swept");
        restsEmpty(dollar, address(target));
    }

    function test_Draw_WhenSharesReachTheWhole_LastDrawsTheRest() public {
        dollar.mint(address(executor), 101);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 5_000), 1, "", takeData(dollar, 20));
        seesNext(0, 81);
        execute(show(draft, Programs.draw(0, 0, 5_000)).packed(USER));
    }

    function test_Draw_WhenSharesReachedTheWhole_RestartsFromLiveBalance() public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 2_500), 1, "", takeData(dollar, 20));
        draft.step(address(target), Programs.draw(1, 0, 7_500), 1, "", takeData(dollar, 40));
        seesNext(0, 10);
        execute(show(draft, Programs.draw(0, 0, 2_500)).packed(USER));
    }

    function test_Draw_WhenTwoStepsDraw_UsesTheFirstBalanceForBoth() public {
        dollar.mint(address(executor), 1_000);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 3_000), 1, "", takeData(dollar, 300));
        seesNext(0, 300);
        execute(show(draft, Programs.draw(0, 0, 3_000)).packed(USER));
    }

    function test_Draw_WhenTokenArrivesLater_UsesTheBalanceAtTheDraw() public {
        LocalDollar second = LocalDollar(deployCode("LocalDollar"));
        second.mint(address(target), 80);
        bytes memory data = abi.encodeCall(second.transfer, (address(executor), 80));
        Programs.Draft memory draft = dollars();
        draft.declare(address(second), false, 0).plain(address(target), relayData(address(second), data));
        seesNext(0, 20);
        execute(show(draft, Programs.draw(0, 1, 2_500)).packed(USER));
        assertEq(second.balanceOf(USER), 80, "swept");
    }

    function test_Draw_WhenTokenKeepsAUnit_ExcludesIt() public {
        dollar.mint(address(executor), 101);
        Programs.Draft memory draft;
        draft.declare(address(dollar), true, 100);
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, Programs.patch(0, 4 + 96 + 68, 32), takeLive());
        execute(draft.packed(USER));
        assertEq(dollar.balanceOf(address(target)), 100, "target");
        assertEq(dollar.balanceOf(address(executor)), 1, "unit");
        assertEq(dollar.balanceOf(USER), 0, "user");
    }

    /// @dev The attack: take the kept unit, so that a program with an exact minimum reverts.
    function test_Execute_WhenStrangerTookTheUnit_CountsTheNewUnitTowardMinimum() public {
        dollar.mint(address(executor), 1);
        execute(dollars().packed(STRANGER));
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft;
        execute(draft.declare(address(dollar), true, 100).packed(USER));
        assertEq(dollar.balanceOf(USER), 99, "user");
        assertEq(dollar.balanceOf(address(executor)), 1, "unit");
    }

    function test_Execute_WhenUnitStaysAndTwoUnitsAreMissing_Reverts() public {
        dollar.mint(address(executor), 99);
        Programs.Draft memory draft;
        refuses(
            draft.declare(address(dollar), true, 100).packed(USER),
            abi.encodeWithSelector(IPushExecutor.InsufficientInput.selector, dollar, 98, 100)
        );
    }

    function test_Execute_WhenOnlyTheUnitRemains_HasNoInput() public {
        dollar.mint(address(executor), 1);
        Programs.Draft memory draft;
        refuses(
            draft.declare(address(dollar), true, 1).packed(USER),
            abi.encodeWithSelector(IPushExecutor.InsufficientInput.selector, dollar, 0, 1)
        );
    }

    function test_Execute_WhenNothingIsPushedAndAUnitIsKept_LeavesIt() public {
        Programs.Draft memory draft;
        draft.declare(address(dollar), true, 0);
        execute(draft.packed(USER));
        dollar.mint(address(executor), 1);
        execute(draft.packed(USER));
        assertEq(dollar.balanceOf(address(executor)), 1, "unit");
        assertEq(dollar.balanceOf(USER), 0, "user");
    }

    function test_Draw_WhenBalanceIsZero_DrawsZero() public {
        seesNext(0, 0);
        execute(show(dollars(), Programs.draw(0, 0, 10_000)).packed(USER));
    }

    function test_Draw_WhenBalanceIsOne_RoundsToZeroExceptTheLast() public {
        dollar.mint(address(executor), 1);
        seesNext(0, 0);
        seesNext(0, 1);
        Programs.Draft memory draft = show(dollars(), Programs.draw(0, 0, 9_999));
        execute(show(draft, Programs.draw(0, 0, 1)).packed(USER));
    }

    function test_Draw_WhenBalanceIsMaximum_DoesNotOverflow() public {
        dollar.mint(address(executor), MAX);
        seesNext(0, (MAX / 10_000) * 9_999 + ((MAX % 10_000) * 9_999) / 10_000);
        seesNext(0, MAX);
        Programs.Draft memory draft = show(dollars(), Programs.draw(0, 0, 9_999));
        execute(show(draft, Programs.draw(0, 0, 1)).packed(USER));
        assertEq(dollar.balanceOf(USER), MAX, "user");
    }

    function test_Draw_WhenTokenIsNotDeclared_Reverts() public {
        refuses(show(dollars(), Programs.draw(0, 1, 10_000)).packed(USER), invalidDraw(0, 0));
    }

    function test_Draw_WhenKindIsUnknown_Reverts() public {
        refuses(show(dollars(), Programs.draw(6, 0, 10_000)).packed(USER), invalidDraw(0, 0));
    }

    function test_Draw_WhenValueIsOfAToken_Reverts() public {
        refuses(show(dollars(), Programs.draw(3, 0, 10_000)).packed(USER), invalidDraw(0, 0));
    }

    function test_Draw_WhenApprovalIsOfNative_Reverts() public {
        Programs.Draft memory draft;
        draft.declare(Programs.NATIVE, false, 0);
        refuses(show(draft, Programs.draw(1, 0, 10_000)).packed(USER), invalidDraw(0, 0));
    }

    function test_Draw_WhenOneStepDrawsATokenTwice_Reverts() public {
        Programs.Draft memory draft = dollars();
        bytes memory draws = bytes.concat(Programs.draw(0, 0, 5_000), Programs.draw(0, 0, 5_000));
        draft.step(address(target), draws, 2, "", recordData());
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.DrawnTwice.selector, 0, 0));
    }

    function test_Draw_WhenALaterStepDrawsATokenTwice_Reverts() public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        show(draft, Programs.draw(0, 0, 5_000));
        bytes memory draws = bytes.concat(Programs.draw(0, 0, 2_500), Programs.draw(0, 0, 2_500));
        draft.step(address(target), draws, 2, "", recordData());
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.DrawnTwice.selector, 1, 0));
    }

    function test_DrawReturned_WhenStepIsTheFirst_Reverts() public {
        refuses(show(dollars(), Programs.draw(4, 0, 10_000)).packed(USER), invalidDraw(0, 0));
    }

    function test_DrawReturned_WhenShareIsZero_Reverts() public {
        refuses(afterAnswer("", Programs.draw(4, 0, 0)), invalidShare(1, 0));
    }

    function test_DrawReturned_WhenShareIs10001Bps_Reverts() public {
        refuses(afterAnswer("", Programs.draw(4, 0, 10_001)), invalidShare(1, 10_001));
    }

    function test_DrawReturned_WhenWordIsReturned_DrawsItsShare() public {
        seesNext(0, 25);
        execute(afterAnswer(abi.encode(7, 100), Programs.draw(4, 1, 2_500)));
    }

    function test_DrawReturned_WhenWordIsMaximum_DrawsIt() public {
        seesNext(0, MAX);
        execute(afterAnswer(abi.encode(MAX), Programs.draw(4, 0, 10_000)));
    }

    function test_DrawReturned_WhenNothingWasReturned_Reverts() public {
        refuses(afterAnswer("", Programs.draw(4, 0, 1)), wordMissing(0, 0));
    }

    function test_DrawReturned_WhenTwoBytesWereReturned_Reverts() public {
        refuses(afterAnswer(hex"0001", Programs.draw(4, 0, 1)), wordMissing(0, 2));
    }

    function test_DrawReturned_When31BytesWereReturned_Reverts() public {
        refuses(afterAnswer(new bytes(31), Programs.draw(4, 0, 1)), wordMissing(0, 31));
    }

    function test_DrawReturned_WhenWordIsTheNextAfterTheLast_Reverts() public {
        refuses(afterAnswer(abi.encode(1, 2), Programs.draw(4, 2, 1)), wordMissing(2, 64));
    }

    function test_DrawReturned_WhenReturnDataIsHuge_ReadsItsBeginning() public {
        HugeAnswer huge = HugeAnswer(deployCode("HugeAnswer", abi.encode(bytes32(uint256(77)))));
        Programs.Draft memory draft;
        draft.plain(address(huge), "");
        bytes memory program = show(draft, Programs.draw(4, 0, 10_000)).packed(USER);
        seesNext(0, 77);
        // Returning the data costs two million gas. Copying the data would cost two million more.
        executeWithGas(3_000_000, program);
    }

    function test_DrawReturned_WhenWordIsBeyondTheLimit_Reverts() public {
        refuses(afterAnswer(new bytes(1_024), Programs.draw(4, 16, 1)), wordMissing(16, 512));
    }

    /// @dev Returns a program that calls a contract that returns this data, then passes a draw to the target.
    function afterAnswer(bytes memory answer, bytes memory draw) internal returns (bytes memory) {
        Programs.Draft memory draft;
        draft.plain(deployCode("FixedAnswer", abi.encode(answer)), "");
        return show(draft, draw).packed(USER);
    }

    /// @dev Returns call data for the target to run `transferFrom` on the executor's dollars, with a live amount.
    function takeLive() internal view returns (bytes memory) {
        return takeData(dollar, Programs.sentinel());
    }

    function invalidShare(uint256 step, uint256 sumBps) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.InvalidShare.selector, step, 0, sumBps);
    }

    function invalidDraw(uint256 step, uint256 draw) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.InvalidDraw.selector, step, draw);
    }

    function wordMissing(uint256 word, uint256 length) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.ReturnWordMissing.selector, 1, word, length);
    }
}
