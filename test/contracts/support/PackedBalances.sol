// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Balances stored in the low bits of words
contract PackedBalances {
    mapping(address account => uint256 word) public words;

    function add(address account, uint256 amount) external {
        words[account] = (1 << 255) | (7 << 200) | ((words[account] & type(uint96).max) + amount);
    }
}
