// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {MintProxy} from "../../../examples/MintProxy.sol";
import {NftSale} from "../../../examples/NftSale.sol";
import {Test} from "../support/Test.sol";

contract MintProxyTest is Test {
    address internal constant USER = address(0xa11ce);
    address internal constant SELLER = address(0x5e11e4);

    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    NftSale internal sale = NftSale(deployCode("NftSale", abi.encode(dollar, 100, SELLER)));
    MintProxy internal proxy = MintProxy(deployCode("MintProxy", abi.encode(sale)));

    function test_Execute_WhenAmountIsBelowThePrice_Reverts() public {
        fund(99);
        vm.expectRevert(abi.encodeWithSelector(MintProxy.PriceNotMet.selector, 99, 100));
        proxy.execute(USER, 0, 0, block.timestamp);
    }

    function testFuzz_Execute_AnyAmount_MintsMaximumAndReturnsChange(uint256 amount) public {
        amount = bound(amount, 100, 1_000);
        fund(amount);
        vm.expectEmit(address(proxy));
        emit IDestinationProxy.Executed(address(this), USER, amount, amount / 100);
        proxy.execute(USER, amount, amount / 100, block.timestamp);
        assertEq(sale.balanceOf(USER), amount / 100, "NFTs");
        assertEq(dollar.balanceOf(USER), amount % 100, "change");
        assertEq(dollar.balanceOf(SELLER), amount - (amount % 100), "seller");
        assertEq(dollar.balanceOf(address(proxy)), 0, "proxy");
    }

    function fund(uint256 amount) private {
        dollar.mint(address(this), amount);
        dollar.approve(address(proxy), amount);
    }
}
