// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {LocalDollar} from "@crosscall/contracts/localnet/tokens/LocalDollar.sol";
import {FillTest} from "@crosscall/contracts/testing/FillTest.sol";
import {ProxyGuards} from "@crosscall/contracts/testing/ProxyGuards.sol";
import {MintProxy} from "../src/MintProxy.sol";
import {NftSale} from "../src/NftSale.sol";

/// @title Uses both helpers with forge-std, and fills with and without a router on a fork
contract GuardsTest is Test, ProxyGuards, FillTest {
    LocalDollar internal dollar = new LocalDollar();
    NftSale internal sale = new NftSale(dollar, 25e6, makeAddr("seller"));

    function setUp() public {
        proxy = new MintProxy(sale);
    }

    function test_Fill_WhenChainIsAForkWithoutRouter_Reverts() public {
        vm.createSelectFork("mainnet", 26_400_000);
        vm.etch(routerAddress(), "");
        vm.expectRevert(abi.encodeWithSelector(RouterNotFound.selector, routerAddress(), 1));
        fill(new Call[](0), address(0), 5, USER);
    }

    function test_Fill_WhenChainIsAFork_CallsItsRouter() public {
        vm.createSelectFork("mainnet", 26_400_000);
        bytes memory code = routerAddress().code;
        vm.mockCallRevert(routerAddress(), "", "mocked");
        vm.expectRevert(bytes("mocked"));
        fill(new Call[](0), address(0), 5, USER);
        assertEq(routerAddress().code, code);
    }

    function test_PlaceRouter_WhenTraced_IsLabeled() public {
        assertEq(vm.getLabel(placeRouter()), "Router");
    }

    function test_Fill_WhenUserIsPranked_ComesFromTheSolver() public {
        vm.startPrank(USER);
        fill(new Call[](0), address(0), 5, USER);
        assertEq(this.sender(), USER);
        vm.stopPrank();
        assertDelivered(address(0), USER, 5);
    }

    function sender() external view returns (address) {
        return msg.sender;
    }

    function deliver(address to, uint256 amount) internal override {
        dollar.mint(to, amount);
    }

    function outputOf(address account) internal view override returns (uint256) {
        return sale.balanceOf(account);
    }

    function inputUnit() internal pure override returns (uint256) {
        return 25e6;
    }

    function outputFor(uint256 amountIn) internal pure override returns (uint256) {
        return amountIn / 25e6;
    }

    function maximumUnits() internal pure override returns (uint256) {
        return 10;
    }
}
