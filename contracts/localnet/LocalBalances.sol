// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Reads balances of many accounts in one `eth_call`
/// @notice Never deployed: a state override of the call puts this code at any address.
contract LocalBalances {
    /// @notice Value of a balance that could not be read.
    uint256 private constant UNREADABLE = type(uint256).max;

    /// @dev More gas than `balanceOf` of common tokens needs. A token that burns all of it leaves gas for the others.
    uint256 private constant BALANCE_GAS = 100_000;

    /// @notice Reads the balance of each account in each currency.
    /// @param accounts The accounts.
    /// @param currencies The currencies; the zero address is native currency.
    /// @return balances Balances by account, then by currency; the largest value for a token that reverts or returns no
    /// number.
    function read(address[] calldata accounts, address[] calldata currencies)
        external
        view
        returns (uint256[] memory balances)
    {
        balances = new uint256[](accounts.length * currencies.length);
        for (uint256 i = 0; i < accounts.length; ++i) {
            for (uint256 j = 0; j < currencies.length; ++j) {
                uint256 place = i * currencies.length + j;
                balances[place] = currencies[j] == address(0) ? accounts[i].balance : _read(currencies[j], accounts[i]);
            }
        }
    }

    function _read(address token, address account) private view returns (uint256) {
        // solhint-disable-next-line avoid-low-level-calls
        (bool success, bytes memory data) =
            token.staticcall{gas: BALANCE_GAS}(abi.encodeCall(IERC20.balanceOf, (account)));
        return success && data.length >= 32 ? abi.decode(data, (uint256)) : UNREADABLE;
    }
}
