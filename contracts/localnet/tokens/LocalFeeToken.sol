// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token for local chains that burns a share of every transfer
/// @notice One account sends without a fee, as owners of such tokens often do. Only so can the token be added to a pool,
/// which requires exact amounts.
/// @dev Warning: anyone may mint.
contract LocalFeeToken is ERC20 {
    /// @notice The share burned, in hundredths of a percent.
    uint256 public constant FEE_BPS = 100;

    /// @notice Sends without fee.
    address public immutable exempt;

    /// @param exempt_ Sends without fee.
    constructor(address exempt_) ERC20("Local Fee Token", "FEE") {
        exempt = exempt_;
    }

    /// @notice Creates tokens, without fee.
    /// @param to Receives them.
    /// @param amount How many, in units of 10^-18.
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
