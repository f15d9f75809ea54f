// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token that can keep units and approvals
/// @notice Rejects approvals above 96 bits. Can be set to leave some units with the caller of `transfer`, and to ignore
/// approvals of zero.
contract StickyToken is ERC20 {
    uint256 private _kept;
    bool private _keepsApprovals;

    constructor() ERC20("Sticky Token", "STICK") {}

    /// @notice The amount exceeds 96 bits.
    error ApprovalTooLarge(uint256 value);

    /// @notice Sets the misbehavior.
    function stick(uint256 kept, bool keepsApprovals) external {
        _kept = kept;
        _keepsApprovals = keepsApprovals;
    }

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function approve(address spender, uint256 value) public override returns (bool) {
        if (value > type(uint96).max) revert ApprovalTooLarge(value);
        if (_keepsApprovals && value == 0) return true;
        return super.approve(spender, value);
    }

    /// @inheritdoc ERC20
    function transfer(address to, uint256 value) public override returns (bool) {
        return super.transfer(to, value - _kept);
    }
}
