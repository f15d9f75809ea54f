// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Vault that misbehaves on deposit
/// @notice Can take only a part, make an attacker's call, or burn the receiver's shares.
contract HostileVault is ERC4626 {
    uint256 private _takenBps = 10_000;
    bool private _seizes;
    address private _target;
    bytes private _data;

    constructor(IERC20 asset_) ERC20("Hostile Vault", "EVIL") ERC4626(asset_) {}

    /// @notice Takes only this share of the assets, in basis points.
    function take(uint256 takenBps) external {
        _takenBps = takenBps;
    }

    /// @notice Burns all shares of the receiver at the end of a deposit.
    function seize() external {
        _seizes = true;
    }

    /// @notice Makes a call during each deposit and bubbles its revert data.
    function arm(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    /// @inheritdoc ERC4626
    function deposit(uint256 assets, address receiver) public override returns (uint256 shares) {
        if (_target != address(0)) Address.functionCall(_target, _data);
        shares = super.deposit((assets * _takenBps) / 10_000, receiver);
        if (_seizes) _burn(receiver, balanceOf(receiver));
    }
}
