// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token that rejects transfers from and to blocked accounts
contract BlocklistToken is ERC20 {
    mapping(address account => bool) private _blocked;

    constructor() ERC20("Blocklist Token", "BLOCK") {}

    /// @notice The account is blocked.
    error Blocked(address account);

    /// @notice Blocks an account.
    function blockAccount(address account) external {
        _blocked[account] = true;
    }

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (_blocked[from]) revert Blocked(from);
        if (_blocked[to]) revert Blocked(to);
        super._update(from, to, value);
    }
}
