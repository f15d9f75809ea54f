// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {Test} from "../support/Test.sol";

contract LocalVaultTest is Test {
    LocalDollar internal dollar = LocalDollar(create("LocalDollar"));
    LocalVault internal vault = LocalVault(create("LocalVault", abi.encode(dollar, "Local Vault", "lvUSDC")));

    function test_Metadata_IsThatOfTheConstructor() public view {
        eq(vault.name(), "Local Vault", "name");
        eq(vault.symbol(), "lvUSDC", "symbol");
        eq(vault.decimals(), 6, "decimals");
        eq(vault.asset(), address(dollar), "asset");
    }

    function test_Deposit_WhenAssetsWereDonated_MintsFewerShares() public {
        dollar.mint(address(this), 300);
        dollar.approve(address(vault), 300);
        eq(vault.deposit(100, address(this)), 100, "first shares");
        dollar.mint(address(vault), 101);
        eq(vault.deposit(200, address(this)), 100, "second shares");
    }
}
