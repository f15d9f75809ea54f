// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {INativeProxy} from "../../../contracts/interfaces/INativeProxy.sol";
import {IWrappedNative} from "../../../contracts/interfaces/IWrappedNative.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {HostileWrappedNative} from "../../../contracts/mocks/HostileWrappedNative.sol";
import {NativeHook} from "../../../contracts/mocks/NativeHook.sol";
import {NativeRefuser} from "../../../contracts/mocks/NativeRefuser.sol";
import {WrappedNativeProxy} from "../../../contracts/proxies/WrappedNativeProxy.sol";
import {NativeGuards} from "../../../contracts/testing/NativeGuards.sol";
import {ProxyGuards} from "../../../contracts/testing/ProxyGuards.sol";
import {Test} from "../support/Test.sol";

contract WrappedNativeProxyTest is Test, ProxyGuards, NativeGuards {
    HostileWrappedNative internal wrapped = HostileWrappedNative(deployCode("HostileWrappedNative"));
    HostileWrappedNative internal hostile = HostileWrappedNative(deployCode("HostileWrappedNative"));
    WrappedNativeProxy internal hostileProxy =
        WrappedNativeProxy(deployCode("WrappedNativeProxy", abi.encode(hostile)));

    function setUp() public {
        vm.warp(1_000);
        WrappedNativeProxy made = WrappedNativeProxy(deployCode("WrappedNativeProxy", abi.encode(wrapped)));
        proxy = made;
        nativeProxy = made;
    }

    function test_Constructor_WhenWrappedNativeIsGiven_HasNativeOutput() public view {
        assertEq(address(proxy.inputToken()), address(wrapped), "input");
        assertEq(address(proxy.outputToken()), address(0), "output");
    }

    function test_Constructor_WhenNothingTakesTheInput_ApprovesNobody() public {
        vm.expectCall(address(wrapped), abi.encodeWithSelector(wrapped.approve.selector), 0);
        deployCode("WrappedNativeProxy", abi.encode(wrapped));
    }

    function test_Constructor_WhenWrappedNativeHasNoCode_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.TokenWithoutCode.selector, STRANGER));
        deployCode("WrappedNativeProxy", abi.encode(IWrappedNative(STRANGER)));
    }

    function test_Receive_WhenSenderIsNotTheWrappedNative_Reverts() public {
        vm.deal(STRANGER, 1);
        vm.prank(STRANGER);
        (bool success, bytes memory returnData) = address(proxy).call{value: 1}("");
        assertFalse(success, "success");
        assertEq(returnData, abi.encodeWithSelector(INativeProxy.NativeRefused.selector, STRANGER), "return data");
    }

    function test_Execute_WhenRecipientRefusesNative_Reverts() public {
        NativeRefuser refuser = NativeRefuser(deployCode("NativeRefuser"));
        fund(100);
        vm.expectRevert(
            abi.encodeWithSelector(
                IDestinationProxy.NativeTransferFailed.selector,
                address(refuser),
                100,
                abi.encodeWithSelector(NativeRefuser.Refused.selector, 100)
            )
        );
        run(address(refuser), 0, 0);
    }

    function test_Execute_WhenRecipientReenters_Reverts() public {
        reentersBy(abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, 1_000)));
    }

    function test_Execute_WhenRecipientReentersTheNativeSide_Reverts() public {
        reentersBy(abi.encodeCall(INativeProxy.executeNative, (USER, 0, 0, 1_000)));
    }

    function test_ExecuteNative_WhenWrappedNativeReenters_Reverts() public {
        nativeProxy = hostileProxy;
        hostile.arm(address(hostileProxy), abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, 1_000)));
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        pay(100, PAYEE, 0, 0);
    }

    function test_Execute_WhenWrappedNativePaysLess_PaysOnlyThatAmount() public {
        giveHostile(100, 10_000, 9_000);
        vm.deal(address(hostileProxy), 50);
        (, uint256 amountOut) = run(USER, 100, 90);
        assertEq(amountOut, 90, "amount out");
        assertEq(USER.balance, 90, "user");
        assertEq(address(hostileProxy).balance, 50, "forced native");
    }

    function test_Execute_WhenWrappedNativePaysLessThanMinimum_Reverts() public {
        giveHostile(100, 10_000, 9_000);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 90, 91));
        run(USER, 100, 91);
    }

    function test_ExecuteNative_WhenWrappedNativeMintsLessThanMinimum_Reverts() public {
        giveHostile(0, 9_000, 10_000);
        nativeProxy = hostileProxy;
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 90, 91));
        pay(100, PAYEE, 91, 0);
    }

    function test_ExecuteNative_WhenWrappedNativeMintsLess_DepositsThatAmount() public {
        giveHostile(0, 9_000, 10_000);
        nativeProxy = hostileProxy;
        (uint256 amountIn, uint256 amountOut) = pay(100, PAYEE, 90, 90);
        assertEq(amountIn, 90, "amount in");
        assertEq(amountOut, 90, "amount out");
        assertEq(hostile.balanceOf(PAYEE), 90, "payee");
    }

    /// @dev Some wrapped native tokens can send native currency to any account, so the proxy can hold native
    /// currency that is not part of a fill.
    function test_Receive_WhenWrappedNativeSendsUnrequested_NeverPaysItOut() public {
        vm.deal(address(hostile), 30);
        vm.prank(address(hostile));
        (bool success,) = address(hostileProxy).call{value: 30}("");
        assertTrue(success, "success");
        giveHostile(100, 10_000, 10_000);
        run(USER, 100, 100);
        assertEq(USER.balance, 100, "user");
        assertEq(address(hostileProxy).balance, 30, "proxy afterwards");
    }

    function deliver(address to, uint256 amount) internal override {
        IWrappedNative token = IWrappedNative(address(proxy.inputToken()));
        vm.deal(address(this), amount);
        token.deposit{value: amount}();
        if (amount != 0) token.transfer(to, amount);
    }

    function outputOf(address account) internal view override returns (uint256) {
        return account.balance;
    }

    function nativeOutputOf(address account) internal view override returns (uint256) {
        return wrapped.balanceOf(account);
    }

    function giveHostile(uint256 delivered, uint256 mintedBps, uint256 paidBps) private {
        proxy = hostileProxy;
        hostile.give(10_000, 10_000);
        fund(delivered);
        hostile.give(mintedBps, paidBps);
    }

    function reentersBy(bytes memory data) private {
        NativeHook recipient = NativeHook(deployCode("NativeHook"));
        recipient.arm(address(proxy), data);
        fund(100);
        bytes memory reentered = abi.encodeWithSelector(ReentryGuard.Reentered.selector);
        vm.expectRevert(
            abi.encodeWithSelector(IDestinationProxy.NativeTransferFailed.selector, recipient, 100, reentered)
        );
        run(address(recipient), 0, 0);
    }
}
