// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {ProxyGuards} from "../../../contracts/testing/ProxyGuards.sol";
import {MintProxy} from "../../../examples/MintProxy.sol";
import {NftSale} from "../../../examples/NftSale.sol";
import {Test} from "../support/Test.sol";

contract MintProxyTest is Test, ProxyGuards {
    uint256 internal constant PRICE = 100;
    address internal constant SELLER = address(0x5e11e4);

    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    NftSale internal sale = NftSale(deployCode("NftSale", abi.encode(dollar, PRICE, SELLER)));

    function setUp() public {
        proxy = MintProxy(deployCode("MintProxy", abi.encode(sale)));
    }

    function test_Execute_WhenAmountIsBelowThePrice_Reverts() public {
        fund(99);
        vm.expectRevert(abi.encodeWithSelector(MintProxy.PriceNotMet.selector, 99, 100));
        run(USER, 0, 0);
    }

    function testFuzz_Execute_AnyAmount_PaysTheSellerAndGivesTheChange(uint256 amount) public {
        amount = bound(amount, PRICE, 10 * PRICE);
        fund(amount);
        vm.expectEmit(address(proxy));
        emit IDestinationProxy.Executed(CALLER, USER, amount, amount / PRICE);
        run(USER, amount, amount / PRICE);
        assertEq(sale.balanceOf(USER), amount / PRICE, "NFTs");
        assertEq(dollar.balanceOf(USER), amount % PRICE, "change");
        assertEq(dollar.balanceOf(SELLER), amount - (amount % PRICE), "seller");
        assertEq(dollar.balanceOf(address(proxy)), 0, "proxy");
    }

    function deliver(address to, uint256 amount) internal override {
        dollar.mint(to, amount);
    }

    function outputOf(address account) internal view override returns (uint256) {
        return sale.balanceOf(account);
    }

    function outputFor(uint256 amountIn) internal pure override returns (uint256) {
        return amountIn / PRICE;
    }

    function inputUnit() internal pure override returns (uint256) {
        return PRICE;
    }

    function maximumUnits() internal pure override returns (uint256) {
        return 10;
    }
}
