// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IWrappedNative} from "../interfaces/IWrappedNative.sol";

/// @title Wrapped native token that misbehaves on demand
/// @notice Can pay less than it owes, or make an attacker's call.
contract HostileWrappedNative is ERC20, IWrappedNative {
    uint256 private _mintedBps = 10_000;
    uint256 private _paidBps = 10_000;
    address private _target;
    bytes private _data;

    constructor() ERC20("Hostile Wrapped Native", "EVIL") {}

    /// @notice Pays only these shares of its debt, in basis points.
    function give(uint256 mintedBps, uint256 paidBps) external {
        _mintedBps = mintedBps;
        _paidBps = paidBps;
    }

    /// @notice Makes a call during each deposit and withdrawal, and bubbles its revert data.
    function arm(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    /// @inheritdoc IWrappedNative
    function deposit() external payable override {
        if (_target != address(0)) Address.functionCall(_target, _data);
        _mint(msg.sender, (msg.value * _mintedBps) / 10_000);
    }

    /// @inheritdoc IWrappedNative
    function withdraw(uint256 amount) external override {
        if (_target != address(0)) Address.functionCall(_target, _data);
        _burn(msg.sender, amount);
        Address.sendValue(payable(msg.sender), (amount * _paidBps) / 10_000);
    }
}
