// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TwoDoorToken} from "./TwoDoorToken.sol";

/// @title The second address of a token
contract SecondDoor is IERC20 {
    TwoDoorToken private immutable _token;

    constructor(TwoDoorToken token) {
        _token = token;
    }

    /// @inheritdoc IERC20
    function transfer(address to, uint256 amount) external override returns (bool) {
        _token.transferFor(msg.sender, to, amount);
        return true;
    }

    /// @inheritdoc IERC20
    function approve(address spender, uint256 amount) external override returns (bool) {
        _token.approveFor(msg.sender, spender, amount);
        return true;
    }

    /// @inheritdoc IERC20
    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        _token.transferFromFor(msg.sender, from, to, amount);
        return true;
    }

    /// @inheritdoc IERC20
    function balanceOf(address holder) external view override returns (uint256) {
        return _token.balanceOf(holder);
    }

    /// @inheritdoc IERC20
    function allowance(address owner, address spender) external view override returns (uint256) {
        return _token.allowance(owner, spender);
    }

    /// @inheritdoc IERC20
    function totalSupply() external view override returns (uint256) {
        return _token.totalSupply();
    }
}
