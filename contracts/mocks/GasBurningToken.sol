// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token whose `balanceOf` burns all gas
contract GasBurningToken is ERC20 {
    constructor() ERC20("Gas Burning Token", "BURN") {}

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function balanceOf(address) public pure override returns (uint256) {
        // An invalid opcode consumes all gas of the call.
        assembly ("memory-safe") {
            invalid()
        }
    }
}
