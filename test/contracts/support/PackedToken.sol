// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PackedBalances} from "./PackedBalances.sol";

/// @title Token with balances in the low bits of words in another contract, like those of proxies and of USDC
contract PackedToken {
    PackedBalances internal immutable balances = new PackedBalances();

    function mint(address account, uint256 amount) external {
        balances.add(account, amount);
    }

    function balanceOf(address account) external view returns (uint256) {
        return balances.words(account) & type(uint96).max;
    }
}
