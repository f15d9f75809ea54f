// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Pausable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol";

/// @title Token that anyone can pause
contract PausableToken is ERC20Pausable {
    constructor() ERC20("Pausable Token", "PAUSE") {}

    /// @notice Stops all transfers.
    function pause() external {
        _pause();
    }

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
