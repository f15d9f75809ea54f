// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Native currency
contract PushExecutorNativeTest is ExecutorTest {
    using Programs for Programs.Draft;

    function test_Execute_WhenNativeIsNotDeclared_Reverts() public {
        vm.deal(address(this), 7);
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.NativeNotDeclared.selector, 7));
        execute(7, dollars().packed(USER));
    }

    function test_Execute_WhenNativeIsDrawn_SendsItsShareAsValue() public {
        vm.deal(address(this), 100);
        seesNext(25, 25);
        execute(100, show(natives(100), Programs.draw(3, 0, 2_500)).packed(USER));
        assertEq(USER.balance, 75, "swept");
        assertEq(address(executor).balance, 0, "executor");
    }

    function test_Execute_WhenNativeIsDrawnToWriteOnly_SendsNone() public {
        vm.deal(address(this), 100);
        seesNext(0, 100);
        execute(100, show(natives(100), Programs.draw(0, 0, 10_000)).packed(USER));
        assertEq(USER.balance, 100, "swept");
    }

    function test_Execute_WhenValueIsFixed_SendsIt() public {
        vm.deal(address(this), 100);
        seesNext(40, 40);
        execute(100, show(natives(100), Programs.drawFixed(40)).packed(USER));
        assertEq(USER.balance, 60, "swept");
    }

    function test_Execute_WhenFixedValueIsUnavailable_Reverts() public {
        vm.deal(address(this), 39);
        Programs.Draft memory draft = show(natives(0), Programs.drawFixed(40));
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 0, address(target), ""));
        execute(39, draft.packed(USER));
    }

    function test_Execute_WhenFixedValueHasAnIndex_Reverts() public {
        bytes memory draw = abi.encodePacked(Programs.draw(5, 1, 0), uint128(0));
        refuses(show(natives(0), draw).packed(USER), invalidDraw(0));
    }

    function test_Execute_WhenFixedValueHasAShare_Reverts() public {
        bytes memory draw = abi.encodePacked(Programs.draw(5, 0, 1), uint128(0));
        refuses(show(natives(0), draw).packed(USER), invalidDraw(0));
    }

    function test_Execute_WhenOneStepHasTwoValues_Reverts() public {
        bytes memory draws = bytes.concat(Programs.draw(3, 0, 10_000), Programs.drawFixed(1));
        Programs.Draft memory draft = natives(0);
        draft.step(address(target), draws, 2, "", recordData());
        refuses(draft.packed(USER), invalidDraw(1));
    }

    function test_Execute_WhenValueFollowsAStepWithValue_SendsNoneOfTheFirst() public {
        vm.deal(address(this), 100);
        Programs.Draft memory draft = show(natives(100), Programs.drawFixed(40));
        draft.plain(address(target), abi.encodeCall(target.record, (5)));
        seesNext(40, 40);
        seesNext(0, 5);
        execute(100, draft.packed(USER));
    }

    function test_Execute_WhenNativeIsBelowMinimum_Reverts() public {
        vm.deal(address(this), 99);
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.InsufficientInput.selector, Programs.NATIVE, 99, 100));
        execute(99, natives(100).packed(USER));
    }

    function test_Execute_WhenRecipientRefusesNative_Reverts() public {
        address refuser = deployCode("NativeRefuser");
        vm.deal(address(this), 5);
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.NativeTransferFailed.selector, refuser, 5));
        execute(5, natives(5).packed(refuser));
    }

    function test_Execute_WhenRecipientRefusesDeclaredNativeThatATargetSentBack_Reverts() public {
        address refuser = deployCode("NativeRefuser");
        vm.deal(address(target), 5);
        Programs.Draft memory draft = natives(0);
        draft.plain(address(target), abi.encodeCall(target.give, (5)));
        refuses(draft.packed(refuser), abi.encodeWithSelector(IPushExecutor.NativeTransferFailed.selector, refuser, 5));
    }

    /// @dev The attack: send a wei during the steps. The recipient rejects it, so the steps revert.
    function test_Execute_WhenAStrangersWeiArrivesDuringTheSteps_DoesNotFallBack() public {
        address refuser = deployCode("NativeRefuser");
        dollar.mint(address(executor), 100);
        vm.deal(address(target), 1);
        Programs.Draft memory draft = dollars();
        draft.plain(address(target), abi.encodeCall(target.give, (1)));
        execute(draft.packedWithFallback(refuser, STRANGER, 200_000, 100_000));
        assertEq(dollar.balanceOf(refuser), 100, "recipient");
        assertEq(dollar.balanceOf(STRANGER), 0, "fallback recipient");
        assertEq(address(executor).balance, 1, "stays");
    }

    /// @dev The attack: send a wei before the call, so that a target that requires an exact value rejects the call.
    function test_Execute_WhenNativeWasForced_StillPaysExactPrice() public {
        vm.deal(address(executor), 1);
        vm.deal(address(this), 200);
        seesNext(100, 100);
        execute(100, show(natives(100), Programs.draw(3, 0, 10_000)).packed(USER));
        Programs.Draft memory later = natives(100).plain(address(target), recordData());
        seesNext(100, 100);
        later = show(later, Programs.draw(3, 0, 10_000));
        execute(100, later.packedWithFallback(USER, STRANGER, 200_000, 100_000));
        assertEq(address(executor).balance, 1, "forced");
    }

    function test_Execute_WhenNativeWasForcedAndSeveralTokensAreDeclared_StillPaysExactPrice() public {
        vm.deal(address(executor), 1);
        vm.deal(address(this), 100);
        Programs.Draft memory draft = dollars().declare(Programs.NATIVE, false, 100);
        draft.plain(address(target), recordData());
        seesNext(100, 100);
        execute(100, show(draft, Programs.draw(3, 1, 10_000)).packed(USER));
        assertEq(address(executor).balance, 1, "forced");
    }

    function test_Execute_WhenNoNativeIsLeft_DoesNotCallTheRecipient() public {
        address refuser = deployCode("NativeRefuser");
        vm.deal(address(this), 5);
        seesNext(5, 5);
        execute(5, show(natives(5), Programs.draw(3, 0, 10_000)).packed(refuser));
        assertEq(address(target).balance, 5, "target");
    }

    function test_Execute_WhenOneWeiIsLeft_SweepsIt() public {
        vm.deal(address(this), 1);
        execute(1, natives(1).packed(USER));
        assertEq(USER.balance, 1, "user");
        assertEq(address(executor).balance, 0, "executor");
    }

    function test_Execute_WhenRecipientAcceptsNativeWithoutCallDataOnly_PaysIt() public {
        address wallet = deployCode("SolverWallet");
        vm.deal(address(this), 5);
        execute(5, natives(5).packed(wallet));
        assertEq(wallet.balance, 5, "recipient");
        assertEq(address(executor).balance, 0, "executor");
    }

    function test_Execute_WhenTargetReturnsUndeclaredNative_SweepsIt() public {
        vm.deal(address(target), 5);
        Programs.Draft memory draft;
        execute(draft.plain(address(target), abi.encodeCall(target.give, (5))).packed(USER));
        assertEq(USER.balance, 5, "user");
    }

    function test_Execute_WhenNativeIsForced_ChangesNothingForARecipientThatRefusesIt() public {
        vm.deal(address(executor), 1);
        dollar.mint(address(executor), 100);
        address refuser = deployCode("NativeRefuser");
        execute(dollars().packed(refuser));
        assertEq(dollar.balanceOf(refuser), 100, "recipient");
        assertEq(address(executor).balance, 1, "forced");
    }

    function test_Execute_WhenNativeIsForced_ChangesNothingForARecipientThatBurnsGas() public {
        vm.deal(address(executor), 1);
        dollar.mint(address(executor), 100);
        address burner = deployCode("GasBurner");
        Programs.Draft memory draft = dollars();
        executeWithGas(300_000, draft.check(address(dollar), 100).packed(burner));
        assertEq(dollar.balanceOf(burner), 100, "recipient");
    }

    function test_Execute_WhenNativeIsForced_StillFallsBack() public {
        vm.deal(address(executor), 1);
        dollar.mint(address(executor), 100);
        address refuser = deployCode("NativeRefuser");
        Programs.Draft memory draft = dollars();
        draft.plain(address(target), abi.encodeCall(target.fail, (1)));
        execute(draft.packedWithFallback(USER, refuser, 100_000, 100_000));
        assertEq(dollar.balanceOf(refuser), 100, "fallback recipient");
    }

    function test_Execute_WhenNativeWasForced_DoesNotCountItAsInput() public {
        vm.deal(address(executor), 1);
        refuses(
            natives(1).packed(USER),
            abi.encodeWithSelector(IPushExecutor.InsufficientInput.selector, Programs.NATIVE, 0, 1)
        );
    }

    function test_Execute_WhenNativeComesThroughTheRouter_RunsWithAllOfIt() public {
        vm.deal(address(router), 100);
        seesNext(100, 100);
        bytes memory program = show(natives(100), Programs.draw(3, 0, 10_000)).packed(USER);
        router.cleanupNativeViaCall(0, address(executor), executeData(program));
        assertEq(address(router).balance, 0, "router");
        assertEq(address(target).balance, 100, "target");
    }

    function test_Execute_WhenNativeProgramFallsBack_PaysTheFallbackRecipient() public {
        vm.deal(address(this), 100);
        Programs.Draft memory draft = natives(100);
        draft.step(address(target), Programs.draw(3, 0, 10_000), 1, "", abi.encodeCall(target.fail, (1)));
        execute(100, draft.packedWithFallback(USER, STRANGER, 100_000, 100_000));
        assertEq(STRANGER.balance, 100, "fallback recipient");
        assertEq(address(executor).balance, 0, "executor");
    }

    function test_Execute_WhenNativeRefuserIsTheFallbackRecipient_Reverts() public {
        address refuser = deployCode("NativeRefuser");
        vm.deal(address(this), 100);
        Programs.Draft memory draft = natives(100).plain(address(target), abi.encodeCall(target.fail, (1)));
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.NativeTransferFailed.selector, refuser, 100));
        execute(100, draft.packedWithFallback(USER, refuser, 100_000, 100_000));
    }

    function test_Execute_WhenUserGainsNative_CountsItsGain() public {
        vm.deal(address(this), 100);
        vm.deal(USER, 1_000);
        execute(100, natives(100).check(Programs.NATIVE, 100).packed(USER));
        vm.deal(address(this), 100);
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.InsufficientOutput.selector, Programs.NATIVE, 100, 101));
        execute(100, natives(100).check(Programs.NATIVE, 101).packed(USER));
    }

    function natives(uint256 minimumIn) internal pure returns (Programs.Draft memory draft) {
        return draft.declare(Programs.NATIVE, false, minimumIn);
    }

    function invalidDraw(uint256 draw) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.InvalidDraw.selector, 0, draw);
    }
}
