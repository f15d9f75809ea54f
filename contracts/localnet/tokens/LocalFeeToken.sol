// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token for local chains that burns a share of every transfer
/// @notice One account pays no fee, as is usual for the owners of such tokens. It can add the token to a pool, which
/// requires exact amounts.
/// @dev Warning: anyone may mint.
contract LocalFeeToken is ERC20 {
    /// @notice The burned share, in hundredths of a percent.
    uint256 public constant FEE_BPS = 100;

    /// @notice Account that sends without a fee.
    address public immutable exempt;

    /// @param exempt_ Account that sends without a fee.
    constructor(address exempt_) ERC20("Local Fee Token", "FEE") {
        exempt = exempt_;
    }

    /// @notice Mints tokens without a fee.
    /// @param to Recipient of the tokens.
    /// @param amount Amount in units of 10^-18.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        bool isFree = from == address(0) || to == address(0) || from == exempt;
        uint256 fee = isFree ? 0 : (value * FEE_BPS) / 10_000;
        if (fee != 0) super._update(from, address(0), fee);
        super._update(from, to, value - fee);
    }
}
