// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IAaveV3Pool} from "../interfaces/external/IAaveV3Pool.sol";
import {ReserveToken} from "./ReserveToken.sol";

/// @title Pool with Aave's ABI that misbehaves on demand
/// @notice Has one reserve, without interest. Can take or credit only a part, or make an attacker's call.
contract HostilePool is IAaveV3Pool {
    /// @notice Token of supplied assets.
    ReserveToken public immutable aToken;

    /// @notice Token of variable debt.
    ReserveToken public immutable debtToken;

    uint256 private _takenBps = 10_000;
    uint256 private _bookedBps = 10_000;
    address private _target;
    bytes private _data;

    constructor(address asset) {
        aToken = new ReserveToken(this, asset);
        debtToken = new ReserveToken(this, asset);
    }

    /// @notice Takes and credits only these shares, in basis points.
    function take(uint256 takenBps, uint256 bookedBps) external {
        _takenBps = takenBps;
        _bookedBps = bookedBps;
    }

    /// @notice Makes a call during each supply and repayment, and bubbles its revert data.
    function arm(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    /// @inheritdoc IAaveV3Pool
    function supply(address asset, uint256 amount, address onBehalfOf, uint16) external override {
        aToken.mint(onBehalfOf, _take(asset, amount));
    }

    /// @inheritdoc IAaveV3Pool
    function repay(address asset, uint256 amount, uint256, address onBehalfOf) external override returns (uint256) {
        uint256 owed = debtToken.balanceOf(onBehalfOf);
        debtToken.burn(onBehalfOf, _take(asset, amount < owed ? amount : owed));
        return amount;
    }

    /// @inheritdoc IAaveV3Pool
    function getReserveData(address) external view override returns (ReserveData memory reserve) {
        reserve.aTokenAddress = address(aToken);
        reserve.variableDebtTokenAddress = address(debtToken);
    }

    function _take(address asset, uint256 amount) private returns (uint256 booked) {
        if (_target != address(0)) Address.functionCall(_target, _data);
        SafeERC20.safeTransferFrom(IERC20(asset), msg.sender, address(aToken), (amount * _takenBps) / 10_000);
        booked = (amount * _bookedBps) / 10_000;
    }
}
