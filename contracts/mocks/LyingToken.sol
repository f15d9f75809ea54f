// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token that returns a wrong balance for one holder
contract LyingToken is ERC20 {
    address private _holder;
    uint256 private _told;

    constructor() ERC20("Lying Token", "LIE") {}

    /// @notice Sets the returned balance of a holder.
    function setBalance(address holder, uint256 balance) external {
        _holder = holder;
        _told = balance;
    }

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function balanceOf(address holder) public view override returns (uint256) {
        return holder == _holder ? _told : super.balanceOf(holder);
    }
}
