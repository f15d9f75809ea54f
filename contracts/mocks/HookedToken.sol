// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Token that makes an attacker's call during the next transfer
contract HookedToken is ERC20 {
    address private _target;
    bytes private _data;

    constructor() ERC20("Hooked Token", "HOOK") {}

    /// @notice Sets the call. The token makes it once, and bubbles its revert data.
    function arm(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        address target = _target;
        if (target == address(0)) return;
        _target = address(0);
        Address.functionCall(target, _data);
    }
}
