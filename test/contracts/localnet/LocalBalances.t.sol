// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LocalBalances} from "../../../contracts/localnet/LocalBalances.sol";
import {LocalTether} from "../../../contracts/localnet/tokens/LocalTether.sol";
import {Test} from "../support/Test.sol";

contract LocalBalancesTest is Test {
    LocalBalances internal reader = LocalBalances(deployCode("LocalBalances"));
    LocalTether internal token = LocalTether(deployCode("LocalTether"));

    function test_Read_ReturnsEachCurrencyOfEachAccount_AndTheLargestValueForBrokenTokens() public {
        address burner = address(0xb1);
        address reverter = address(0xb2);
        address codeless = address(0xb3);
        vm.etch(burner, hex"fe");
        vm.etch(reverter, hex"5f5ffd");
        address[] memory accounts = new address[](2);
        (accounts[0], accounts[1]) = (address(0xa1), address(0xa2));
        address[] memory currencies = new address[](5);
        (currencies[0], currencies[1], currencies[2]) = (burner, reverter, codeless);
        currencies[4] = address(token);
        vm.deal(accounts[0], 7);
        token.mint(accounts[1], 9);

        uint256[] memory balances = reader.read{gas: 1_000_000}(accounts, currencies);

        assertEq(balances.length, 10, "one per account and currency");
        for (uint256 i = 0; i < 10; ++i) {
            uint256 currency = i % 5;
            if (currency < 3) assertEq(balances[i], type(uint256).max, "broken");
            if (currency == 3) assertEq(balances[i], i < 5 ? 7 : 0, "native");
            if (currency == 4) assertEq(balances[i], i < 5 ? 0 : 9, "token");
        }
    }
}
