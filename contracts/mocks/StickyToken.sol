// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token that does not let go
/// @notice Can be told to leave one unit with whoever calls `transfer`, and to ignore approvals of zero.
contract StickyToken is ERC20 {
    bool private _keepsDust;
    bool private _keepsApprovals;

    constructor() ERC20("Sticky Token", "STICK") {}

    /// @notice Chooses the misbehaviour.
    function stick(bool keepsDust, bool keepsApprovals) external {
        _keepsDust = keepsDust;
        _keepsApprovals = keepsApprovals;
    }

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function approve(address spender, uint256 value) public override returns (bool) {
        if (_keepsApprovals && value == 0) return true;
        return super.approve(spender, value);
    }

    /// @inheritdoc ERC20
    function transfer(address to, uint256 value) public override returns (bool) {
        return super.transfer(to, _keepsDust ? value - 1 : value);
    }
}
