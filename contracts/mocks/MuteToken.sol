// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token whose `balanceOf` reverts
contract MuteToken is ERC20 {
    constructor() ERC20("Mute Token", "MUTE") {}

    /// @notice Error of `balanceOf`.
    error NoAnswer(address holder);

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function balanceOf(address holder) public pure override returns (uint256) {
        revert NoAnswer(holder);
    }
}
