// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token that returns false instead of reverting
contract FalseToken is ERC20 {
    mapping(bytes4 selector => bool) private _refuses;

    constructor() ERC20("False Token", "FALSE") {}

    /// @notice Makes `transfer`, `transferFrom` or `approve` return false.
    function refuse(bytes4 selector) external {
        _refuses[selector] = true;
    }

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function approve(address spender, uint256 value) public override returns (bool) {
        return !_refuses[msg.sig] && super.approve(spender, value);
    }

    /// @inheritdoc ERC20
    function transfer(address to, uint256 value) public override returns (bool) {
        return !_refuses[msg.sig] && super.transfer(to, value);
    }

    /// @inheritdoc ERC20
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        return !_refuses[msg.sig] && super.transferFrom(from, to, value);
    }
}
