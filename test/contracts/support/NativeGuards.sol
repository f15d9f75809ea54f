// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {INativeProxy} from "../../../contracts/interfaces/INativeProxy.sol";
import {Test} from "./Test.sol";

/// @title What the native side of every proxy refuses, and what it leaves behind
/// @dev The proxy under test gives one unit of output for one of native.
abstract contract NativeGuards is Test {
    address internal constant PAYER = address(0xca11e4);
    address internal constant PAYEE = address(0xbeef);

    INativeProxy internal nativeProxy;

    /// @dev What an account has of the output.
    function nativeOutputOf(address account) internal view virtual returns (uint256);

    function test_ExecuteNative_WhenNativeIsCarried_GivesOutputAndLeavesNothing() public {
        vm.expectEmit(address(nativeProxy));
        emit IDestinationProxy.Executed(PAYER, PAYEE, 100, 100);
        (uint256 amountIn, uint256 amountOut) = pay(100, PAYEE, 100, 100);
        assertEq(amountIn, 100, "amount in");
        assertEq(amountOut, 100, "amount out");
        nativeRestsEmpty(100, 0, 0);
    }

    function testFuzz_ExecuteNative_AnyAmount_GivesOutputAndLeavesNothing(
        uint96 amount,
        uint96 forced,
        uint96 donation
    ) public {
        vm.assume(amount != 0);
        vm.deal(address(this), donation);
        nativeProxy.wrappedNative().deposit{value: donation}();
        nativeProxy.wrappedNative().transfer(address(nativeProxy), donation);
        vm.deal(address(nativeProxy), forced);
        (, uint256 amountOut) = pay(amount, PAYEE, amount, amount);
        assertEq(amountOut, amount, "amount out");
        nativeRestsEmpty(amount, forced, donation);
    }

    function test_ExecuteNative_WhenDeadlineHasPassed_Reverts() public {
        vm.warp(1_001);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.DeadlinePassed.selector, 1_000, 1_001));
        pay(1, PAYEE, 0, 0);
    }

    function test_ExecuteNative_WhenRecipientIsZero_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsZero.selector));
        pay(1, address(0), 0, 0);
    }

    function test_ExecuteNative_WhenRecipientIsProxy_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsProxy.selector, address(nativeProxy)));
        pay(1, address(nativeProxy), 0, 0);
    }

    function test_ExecuteNative_WhenRecipientIsCaller_Reverts() public {
        vm.etch(PAYER, hex"00");
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsCaller.selector, PAYER));
        pay(1, PAYER, 0, 0);
    }

    function test_ExecuteNative_WhenRecipientIsWrappedNative_Reverts() public {
        address token = address(nativeProxy.wrappedNative());
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsToken.selector, token));
        pay(1, token, 0, 0);
    }

    function test_ExecuteNative_WhenNoNativeIsCarried_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        pay(0, PAYEE, 0, 0);
    }

    function test_ExecuteNative_WhenForcedNativeWouldFillMinimum_Reverts() public {
        vm.deal(address(nativeProxy), 1);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 99, 100));
        pay(99, PAYEE, 100, 0);
    }

    function test_ExecuteNative_WhenOutputIsBelowMinimum_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 100, 101));
        pay(100, PAYEE, 0, 101);
    }

    function pay(
        uint256 amount,
        address recipient,
        uint256 minimumIn,
        uint256 minimumOut
    ) internal returns (uint256, uint256) {
        vm.deal(PAYER, amount);
        vm.prank(PAYER);
        return nativeProxy.executeNative{value: amount}(recipient, minimumIn, minimumOut, 1_000);
    }

    function nativeRestsEmpty(uint256 output, uint256 forced, uint256 donation) internal view {
        assertEq(nativeOutputOf(PAYEE), output, "output");
        assertEq(address(nativeProxy).balance, forced, "proxy's native");
        assertEq(nativeProxy.wrappedNative().balanceOf(address(nativeProxy)), donation, "proxy's wrapped native");
    }
}
