// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {Test} from "../support/Test.sol";

contract LocalVaultTest is Test {
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    LocalVault internal vault = LocalVault(deployCode("LocalVault", abi.encode(dollar, "Local Vault", "lvUSDC")));

    function test_Metadata_MatchesTheConstructor() public view {
        assertEq(vault.name(), "Local Vault", "name");
        assertEq(vault.symbol(), "lvUSDC", "symbol");
        assertEq(vault.decimals(), 6, "decimals");
        assertEq(vault.asset(), address(dollar), "asset");
    }

    function test_Deposit_WhenAssetsWereDonated_MintsFewerShares() public {
        dollar.mint(address(this), 300);
        dollar.approve(address(vault), 300);
        assertEq(vault.deposit(100, address(this)), 100, "first shares");
        dollar.mint(address(vault), 101);
        assertEq(vault.deposit(200, address(this)), 100, "second shares");
    }
}
