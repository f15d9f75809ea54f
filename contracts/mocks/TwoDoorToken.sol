// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {SecondDoor} from "./SecondDoor.sol";

/// @title Token with two addresses: the second one forwards calls for its caller
contract TwoDoorToken is ERC20 {
    /// @notice The token's other address.
    SecondDoor public immutable second = new SecondDoor(this);

    constructor() ERC20("Two Door Token", "TWO") {}

    /// @notice Only the other address can act for its callers.
    error NotSecondDoor(address caller);

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @notice `transfer` for a caller of the other address.
    function transferFor(address caller, address to, uint256 amount) external {
        _requireSecondDoor();
        _transfer(caller, to, amount);
    }

    /// @notice `approve` for a caller of the other address.
    function approveFor(address caller, address spender, uint256 amount) external {
        _requireSecondDoor();
        _approve(caller, spender, amount);
    }

    /// @notice `transferFrom` for a caller of the other address.
    function transferFromFor(address caller, address from, address to, uint256 amount) external {
        _requireSecondDoor();
        _spendAllowance(from, caller, amount);
        _transfer(from, to, amount);
    }

    function _requireSecondDoor() private view {
        if (msg.sender != address(second)) revert NotSecondDoor(msg.sender);
    }
}
