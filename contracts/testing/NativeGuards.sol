// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IDestinationProxy} from "../interfaces/IDestinationProxy.sol";
import {INativeProxy} from "../interfaces/INativeProxy.sol";
import {CHEATS} from "./Cheats.sol";

/// @title Tests of the native input of a proxy: rejected calls and leftover funds
/// @notice Inherit it together with `ProxyGuards`. Set `nativeProxy` in `setUp`, and implement `nativeOutputOf`.
/// @dev For proxies that give one unit of output for one unit of native currency.
abstract contract NativeGuards {
    address internal constant PAYER = address(0xca11e4);
    address internal constant PAYEE = address(0xbeef);

    /// @dev The proxy under test.
    INativeProxy internal nativeProxy;

    function test_ExecuteNative_WhenNativeIsCarried_GivesOutputAndLeavesNothing() public {
        CHEATS.expectEmit(address(nativeProxy));
        emit IDestinationProxy.Executed(PAYER, PAYEE, 100, 100);
        (uint256 amountIn, uint256 amountOut) = pay(100, PAYEE, 100, 100);
        CHEATS.assertEq(amountIn, 100, "amount in");
        CHEATS.assertEq(amountOut, 100, "amount out");
        nativeRestsEmpty(100, 0, 0);
    }

    function testFuzz_ExecuteNative_AnyAmount_GivesOutputAndLeavesNothing(uint96 less, uint96 forced, uint96 donation)
        public
    {
        uint256 amount = uint256(less) + 1;
        CHEATS.deal(address(this), donation);
        nativeProxy.wrappedNative().deposit{value: donation}();
        nativeProxy.wrappedNative().transfer(address(nativeProxy), donation);
        CHEATS.deal(address(nativeProxy), forced);
        (, uint256 amountOut) = pay(amount, PAYEE, amount, amount);
        CHEATS.assertEq(amountOut, amount, "amount out");
        nativeRestsEmpty(amount, forced, donation);
    }

    function test_ExecuteNative_WhenDeadlineHasPassed_Reverts() public {
        uint256 deadline = block.timestamp - 1;
        CHEATS.expectRevert(
            abi.encodeWithSelector(IDestinationProxy.DeadlinePassed.selector, deadline, block.timestamp)
        );
        nativeProxy.executeNative(PAYEE, 0, 0, deadline);
    }

    function test_ExecuteNative_WhenRecipientIsZero_Reverts() public {
        CHEATS.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsZero.selector));
        pay(1, address(0), 0, 0);
    }

    function test_ExecuteNative_WhenRecipientIsProxy_Reverts() public {
        CHEATS.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsProxy.selector, address(nativeProxy)));
        pay(1, address(nativeProxy), 0, 0);
    }

    function test_ExecuteNative_WhenRecipientIsCaller_Reverts() public {
        CHEATS.etch(PAYER, hex"00");
        CHEATS.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsCaller.selector, PAYER));
        pay(1, PAYER, 0, 0);
    }

    function test_ExecuteNative_WhenRecipientIsWrappedNative_Reverts() public {
        address token = address(nativeProxy.wrappedNative());
        CHEATS.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsToken.selector, token));
        pay(1, token, 0, 0);
    }

    function test_ExecuteNative_WhenNoNativeIsCarried_Reverts() public {
        CHEATS.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        pay(0, PAYEE, 0, 0);
    }

    function test_ExecuteNative_WhenForcedNativeWouldFillMinimum_Reverts() public {
        CHEATS.deal(address(nativeProxy), 1);
        CHEATS.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 99, 100));
        pay(99, PAYEE, 100, 0);
    }

    function test_ExecuteNative_WhenOutputIsBelowMinimum_Reverts() public {
        CHEATS.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 100, 101));
        pay(100, PAYEE, 0, 101);
    }

    /// @dev The account's balance of the output.
    function nativeOutputOf(address account) internal view virtual returns (uint256);

    /// @dev Executes with native currency.
    function pay(uint256 amount, address recipient, uint256 minimumIn, uint256 minimumOut)
        internal
        returns (uint256, uint256)
    {
        CHEATS.deal(PAYER, amount);
        CHEATS.prank(PAYER);
        return nativeProxy.executeNative{value: amount}(recipient, minimumIn, minimumOut, block.timestamp);
    }

    /// @dev Asserts the output of `PAYEE`, and that the proxy holds only donations.
    function nativeRestsEmpty(uint256 output, uint256 forced, uint256 donation) internal view {
        CHEATS.assertEq(nativeOutputOf(PAYEE), output, "output");
        CHEATS.assertEq(address(nativeProxy).balance, forced, "proxy's native");
        CHEATS.assertEq(nativeProxy.wrappedNative().balanceOf(address(nativeProxy)), donation, "proxy's wrapped native");
    }
}
