// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token with a fallback that accepts every unknown call, including `permit`
contract FallbackToken is ERC20 {
    constructor() ERC20("Fallback Token", "FALL") {}

    fallback() external {}

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
