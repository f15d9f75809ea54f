// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IDestinationProxy} from "../interfaces/IDestinationProxy.sol";
import {CHEATS} from "./Cheats.sol";

/// @title Tests that apply to every proxy: rejected calls and leftover funds
/// @notice Inherit it in a Foundry or Hardhat test, together with your own base such as forge-std's `Test`. Set `proxy`
/// in `setUp`, and implement `deliver` and `outputOf`.
abstract contract ProxyGuards {
    address internal constant CALLER = address(0xca11);
    address internal constant USER = address(0xa11ce);
    address internal constant STRANGER = address(0xb0b);

    /// @dev The proxy under test.
    IDestinationProxy internal proxy;

    function test_Execute_WhenFunded_GivesOutputAndLeavesNothing() public {
        uint256 amount = 100 * inputUnit();
        uint256 output = outputFor(amount);
        fund(amount);
        CHEATS.expectEmit(address(proxy));
        emit IDestinationProxy.Executed(CALLER, USER, amount, output);
        givesOutput(amount, output, 0);
    }

    function testFuzz_Execute_AnyAmount_GivesOutputAndLeavesNothing(uint96 amount, uint96 donation) public {
        uint256 input = (1 + (amount % maximumUnits())) * inputUnit();
        fund(input);
        deliver(address(proxy), donation);
        givesOutput(input, outputFor(input), donation);
    }

    function test_Execute_WhenDeadlineHasPassed_Reverts() public {
        fund(100 * inputUnit());
        uint256 deadline = block.timestamp - 1;
        CHEATS.expectRevert(
            abi.encodeWithSelector(IDestinationProxy.DeadlinePassed.selector, deadline, block.timestamp)
        );
        CHEATS.prank(CALLER);
        proxy.execute(USER, 0, 0, deadline);
    }

    function test_Execute_WhenRecipientIsZero_Reverts() public {
        rejects(address(0), abi.encodeWithSelector(IDestinationProxy.RecipientIsZero.selector));
    }

    function test_Execute_WhenRecipientIsProxy_Reverts() public {
        rejects(address(proxy), abi.encodeWithSelector(IDestinationProxy.RecipientIsProxy.selector, address(proxy)));
    }

    function test_Execute_WhenRecipientIsCaller_Reverts() public {
        CHEATS.etch(CALLER, hex"00");
        rejects(CALLER, abi.encodeWithSelector(IDestinationProxy.RecipientIsCaller.selector, CALLER));
    }

    function test_Execute_WhenRecipientIsInputToken_Reverts() public {
        address token = address(proxy.inputToken());
        rejects(token, abi.encodeWithSelector(IDestinationProxy.RecipientIsToken.selector, token));
    }

    function test_Execute_WhenRecipientIsOutputToken_Reverts() public {
        address token = address(proxy.outputToken());
        bytes memory asToken = abi.encodeWithSelector(IDestinationProxy.RecipientIsToken.selector, token);
        bytes memory asZero = abi.encodeWithSelector(IDestinationProxy.RecipientIsZero.selector);
        rejects(token, token == address(0) ? asZero : asToken);
    }

    function test_Execute_WhenBalanceIsZero_Reverts() public {
        fund(0);
        CHEATS.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        run(USER, 0, 0);
    }

    function test_Execute_WhenDonationWouldFillMinimum_Reverts() public {
        fund(99);
        deliver(address(proxy), 1);
        CHEATS.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 99, 100));
        run(USER, 100, 0);
    }

    function test_Execute_WhenOutputIsBelowMinimum_Reverts() public {
        uint256 output = outputFor(100 * inputUnit());
        fund(100 * inputUnit());
        CHEATS.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, output, output + 1));
        run(USER, 0, output + 1);
    }

    function test_Execute_WhenStrangerCalls_MovesOnlyItsOwnBalance() public {
        uint256 amount = 7 * inputUnit();
        fund(100);
        deliver(STRANGER, amount);
        IERC20 input = proxy.inputToken();
        CHEATS.prank(STRANGER);
        input.approve(address(proxy), type(uint256).max);
        CHEATS.prank(STRANGER);
        (uint256 amountIn,) = proxy.execute(USER, 0, 0, block.timestamp);
        CHEATS.assertEq(amountIn, amount, "amount in");
        CHEATS.assertEq(input.balanceOf(CALLER), 100, "caller");
    }

    function test_Execute_WhenNativeWasForcedIn_LeavesItAlone() public {
        uint256 amount = 100 * inputUnit();
        fund(amount);
        CHEATS.deal(address(proxy), 7);
        (, uint256 amountOut) = run(USER, amount, 0);
        CHEATS.assertEq(amountOut, outputFor(amount), "amount out");
        CHEATS.assertEq(address(proxy).balance, 7, "forced native");
    }

    function test_Execute_WhenNativeIsSent_Reverts() public {
        fund(100 * inputUnit());
        CHEATS.deal(CALLER, 1);
        bytes memory data = abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, block.timestamp));
        CHEATS.prank(CALLER);
        (bool success, bytes memory returnData) = address(proxy).call{value: 1}(data);
        CHEATS.assertFalse(success, "success");
        CHEATS.assertEq(returnData, "", "return data");
    }

    /// @dev Gives input tokens to an account, for example to the proxy.
    function deliver(address to, uint256 amount) internal virtual;

    /// @dev The account's balance of the output.
    function outputOf(address account) internal view virtual returns (uint256);

    /// @dev The output for an input of a multiple of `inputUnit`. By default, the same amount.
    function outputFor(uint256 amountIn) internal view virtual returns (uint256) {
        return amountIn;
    }

    /// @dev The smallest input that is used completely, such as the price of one NFT. Defaults to one.
    function inputUnit() internal view virtual returns (uint256) {
        return 1;
    }

    /// @dev The largest input in units.
    function maximumUnits() internal view virtual returns (uint256) {
        return type(uint96).max;
    }

    /// @dev Delivers input to the caller, as the router would receive it, and approves the proxy.
    function fund(uint256 amount) internal {
        deliver(CALLER, amount);
        IERC20 input = proxy.inputToken();
        CHEATS.prank(CALLER);
        input.approve(address(proxy), type(uint256).max);
    }

    /// @dev Executes as the caller.
    function run(address recipient, uint256 minimumIn, uint256 minimumOut) internal returns (uint256, uint256) {
        CHEATS.prank(CALLER);
        return proxy.execute(recipient, minimumIn, minimumOut, block.timestamp);
    }

    /// @dev Asserts that the caller has no input, and that the proxy has only the donation.
    function restsEmpty(uint256 donation) internal view {
        IERC20 input = proxy.inputToken();
        CHEATS.assertEq(input.balanceOf(CALLER), 0, "caller's input");
        CHEATS.assertEq(input.balanceOf(address(proxy)), donation, "proxy's input");
        CHEATS.assertEq(outputOf(address(proxy)), 0, "proxy's output");
    }

    function givesOutput(uint256 amount, uint256 output, uint256 donation) private {
        (uint256 amountIn, uint256 amountOut) = run(USER, amount, output);
        CHEATS.assertEq(amountIn, amount, "amount in");
        CHEATS.assertEq(amountOut, output, "amount out");
        CHEATS.assertEq(outputOf(USER), output, "output");
        restsEmpty(donation);
    }

    function rejects(address recipient, bytes memory reason) private {
        fund(100 * inputUnit());
        CHEATS.expectRevert(reason);
        run(recipient, 0, 0);
    }
}
