// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Plain 18-decimal token for local chains
/// @dev Warning: anyone may mint.
contract LocalToken is ERC20 {
    constructor() ERC20("Local Token", "TKN") {}

    /// @notice Creates tokens.
    /// @param to Receives them.
    /// @param amount How many, in units of 10^-18.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
