// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PackedBalances} from "./PackedBalances.sol";

/// @title Token whose balances are in the low bits of words in another contract
/// @dev Allowances can only be increased or decreased.
contract PackedToken {
    PackedBalances internal immutable balances = new PackedBalances();

    mapping(address owner => mapping(address spender => uint256 amount)) public allowance;

    uint256 public cap = type(uint256).max;

    function mint(address account, uint256 amount) external {
        balances.add(account, amount);
    }

    function increaseAllowance(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] += amount;
        return true;
    }

    function balanceOf(address account) external view returns (uint256) {
        uint256 word = balances.words(account);
        return cap == type(uint256).max ? word & type(uint96).max : 0;
    }
}
