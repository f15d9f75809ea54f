// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {HalfForwarder} from "../../../contracts/mocks/harness/HalfForwarder.sol";
import {Test} from "../support/Test.sol";

contract DestinationProxyTest is Test {
    address internal constant USER = address(0xa11ce);
    IERC20 internal constant NO_CODE = IERC20(address(0xdead));

    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));

    function test_Constructor_WhenInputHasNoCode_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.TokenWithoutCode.selector, NO_CODE));
        deployCode("HalfForwarder", abi.encode(NO_CODE, dollar));
    }

    function test_Constructor_WhenOutputHasNoCode_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.TokenWithoutCode.selector, NO_CODE));
        deployCode("HalfForwarder", abi.encode(dollar, NO_CODE));
    }

    function test_Execute_WhenInputIsOutput_DoesNotCountTheSweep() public {
        HalfForwarder proxy = HalfForwarder(deployCode("HalfForwarder", abi.encode(dollar, dollar)));
        dollar.mint(address(this), 101);
        dollar.approve(address(proxy), 101);
        (uint256 amountIn, uint256 amountOut) = proxy.execute(USER, 101, 50, block.timestamp);
        assertEq(amountIn, 101, "amount in");
        assertEq(amountOut, 50, "amount out");
        assertEq(dollar.balanceOf(USER), 101, "user");
        assertEq(dollar.balanceOf(address(proxy)), 0, "proxy");
    }
}
