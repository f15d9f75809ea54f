// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {CallerPayer} from "../../../contracts/mocks/CallerPayer.sol";
import {ProxyGuards} from "../../../contracts/testing/ProxyGuards.sol";
import {Test} from "./Test.sol";

/// @title Tests of a proxy that forwards a protocol's payout
abstract contract ForwardTest is Test, ProxyGuards {
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    CallerPayer internal target;

    function testFuzz_Execute_WhenOutputWasDonated_ForwardsOnlyWhatArrived(uint96 amount, uint96 donation, uint256 bps)
        public
    {
        bps = bound(bps, 0, 10_000);
        target.pay(bps);
        giveOutput(address(proxy), donation);
        fund(uint256(amount) + 1);
        (, uint256 amountOut) = run(USER, 0, 0);
        assertEq(amountOut, ((uint256(amount) + 1) * bps) / 10_000, "amount out");
        assertEq(outputOf(USER), amountOut, "user");
        assertEq(outputOf(address(proxy)), donation, "proxy");
    }

    function test_Execute_WhenTargetPaysNothing_Reverts() public {
        target.pay(0);
        giveOutput(address(proxy), 100);
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 0, 1));
        run(USER, 0, 1);
    }

    /// @dev Gives output tokens to an account.
    function giveOutput(address to, uint256 amount) internal virtual;

    function deliver(address to, uint256 amount) internal override {
        dollar.mint(to, amount);
    }

    function setUpTarget(IERC20 output) internal {
        target = CallerPayer(deployCode("CallerPayer", abi.encode(dollar, output)));
        proxy = IDestinationProxy(deployCode("RedeemProxy", abi.encode(target)));
        giveOutput(address(target), type(uint128).max);
    }
}
