// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {Test} from "./Test.sol";

/// @title What every proxy refuses, and what it leaves behind
/// @dev The proxy under test gives one unit of output for one of input.
abstract contract ProxyGuards is Test {
    address internal constant CALLER = address(0xca11);
    address internal constant USER = address(0xa11ce);
    address internal constant STRANGER = address(0xb0b);

    IDestinationProxy internal proxy;

    /// @dev Gives input to an account.
    function deliver(address to, uint256 amount) internal virtual;

    /// @dev What an account has of the output.
    function outputOf(address account) internal view virtual returns (uint256);

    function test_Execute_WhenFunded_GivesOutputAndLeavesNothing() public {
        fund(100);
        vm.expectEmit(address(proxy));
        emit IDestinationProxy.Executed(CALLER, USER, 100, 100);
        (uint256 amountIn, uint256 amountOut) = run(USER, 100, 100);
        assertEq(amountIn, 100, "amount in");
        assertEq(amountOut, 100, "amount out");
        assertEq(outputOf(USER), 100, "output");
        restsEmpty(0);
    }

    function testFuzz_Execute_AnyAmount_GivesOutputAndLeavesNothing(uint96 amount, uint96 donation) public {
        vm.assume(amount != 0);
        fund(amount);
        deliver(address(proxy), donation);
        (uint256 amountIn, uint256 amountOut) = run(USER, amount, amount);
        assertEq(amountIn, amount, "amount in");
        assertEq(amountOut, amount, "amount out");
        assertEq(outputOf(USER), amount, "output");
        restsEmpty(donation);
    }

    function test_Execute_WhenDeadlineHasPassed_Reverts() public {
        fund(100);
        vm.warp(1_001);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.DeadlinePassed.selector, 1_000, 1_001));
        run(USER, 0, 0);
    }

    function test_Execute_WhenRecipientIsZero_Reverts() public {
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsZero.selector));
        run(address(0), 0, 0);
    }

    function test_Execute_WhenRecipientIsProxy_Reverts() public {
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsProxy.selector, address(proxy)));
        run(address(proxy), 0, 0);
    }

    function test_Execute_WhenRecipientIsCaller_Reverts() public {
        fund(100);
        vm.etch(CALLER, hex"00");
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsCaller.selector, CALLER));
        run(CALLER, 0, 0);
    }

    function test_Execute_WhenRecipientIsInputToken_Reverts() public {
        fund(100);
        address token = address(proxy.inputToken());
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsToken.selector, token));
        run(token, 0, 0);
    }

    function test_Execute_WhenRecipientIsOutputToken_Reverts() public {
        fund(100);
        address token = address(proxy.outputToken());
        if (token == address(0)) vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsZero.selector));
        else vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsToken.selector, token));
        run(token, 0, 0);
    }

    function test_Execute_WhenBalanceIsZero_Reverts() public {
        fund(0);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        run(USER, 0, 0);
    }

    function test_Execute_WhenDonationWouldFillMinimum_Reverts() public {
        fund(99);
        deliver(address(proxy), 1);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 99, 100));
        run(USER, 100, 0);
    }

    function test_Execute_WhenOutputIsBelowMinimum_Reverts() public {
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 100, 101));
        run(USER, 0, 101);
    }

    function test_Execute_WhenStrangerCalls_MovesOnlyItsOwnBalance() public {
        fund(100);
        deliver(STRANGER, 7);
        IERC20 input = proxy.inputToken();
        vm.prank(STRANGER);
        input.approve(address(proxy), type(uint256).max);
        vm.prank(STRANGER);
        (uint256 amountIn, ) = proxy.execute(USER, 0, 0, 1_000);
        assertEq(amountIn, 7, "amount in");
        assertEq(input.balanceOf(CALLER), 100, "caller");
    }

    function test_Execute_WhenNativeWasForcedIn_LeavesItAlone() public {
        fund(100);
        vm.deal(address(proxy), 7);
        (, uint256 amountOut) = run(USER, 100, 100);
        assertEq(amountOut, 100, "amount out");
        assertEq(address(proxy).balance, 7, "forced native");
    }

    function test_Execute_WhenNativeIsSent_Reverts() public {
        fund(100);
        vm.deal(CALLER, 1);
        bytes memory data = abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, 1_000));
        vm.prank(CALLER);
        (bool success, bytes memory returnData) = address(proxy).call{value: 1}(data);
        assertFalse(success, "success");
        assertEq(returnData, "", "return data");
    }

    function fund(uint256 amount) internal {
        vm.warp(1_000);
        deliver(CALLER, amount);
        IERC20 input = proxy.inputToken();
        vm.prank(CALLER);
        input.approve(address(proxy), type(uint256).max);
    }

    function run(address recipient, uint256 minimumIn, uint256 minimumOut) internal returns (uint256, uint256) {
        vm.prank(CALLER);
        return proxy.execute(recipient, minimumIn, minimumOut, 1_000);
    }

    function restsEmpty(uint256 donation) internal view {
        IERC20 input = proxy.inputToken();
        assertEq(input.balanceOf(CALLER), 0, "caller's input");
        assertEq(input.balanceOf(address(proxy)), donation, "proxy's input");
        assertEq(outputOf(address(proxy)), 0, "proxy's output");
    }
}
