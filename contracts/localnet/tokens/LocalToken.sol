// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title Plain 18-decimal token for local chains, with EIP-2612
/// @dev Warning: anyone may mint.
contract LocalToken is ERC20Permit {
    constructor() ERC20("Local Token", "TKN") ERC20Permit("Local Token") {}

    /// @notice Mints tokens.
    /// @param to Recipient of the tokens.
    /// @param amount Amount in units of 10^-18.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
