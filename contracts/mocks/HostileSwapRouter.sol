// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPeripheryState} from "../interfaces/external/IPeripheryState.sol";
import {ISwapRouter} from "../interfaces/external/ISwapRouter.sol";
import {ISwapRouter02} from "../interfaces/external/ISwapRouter02.sol";
import {IUniswapV3Factory} from "../interfaces/external/IUniswapV3Factory.sol";

/// @title Router with the ABIs of both of Uniswap's, and their factory, that misbehaves on demand
/// @notice Swaps one for one, from what it holds. Can take a part only, pay a part only, or make a call of an
/// attacker's choice.
contract HostileSwapRouter is ISwapRouter, IPeripheryState, IUniswapV3Factory {
    /// @notice A swap was asked for. The deadline is zero where the router of that generation has none.
    event Asked(bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum);

    uint256 private _takenBps = 10_000;
    uint256 private _paidBps = 10_000;
    address private _target;
    bytes private _data;

    /// @notice Takes and pays these shares only, in hundredths of a percent.
    function take(uint256 takenBps, uint256 paidBps) external {
        _takenBps = takenBps;
        _paidBps = paidBps;
    }

    /// @notice Makes a call during each swap, and passes its revert data on.
    function arm(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    /// @inheritdoc ISwapRouter
    function exactInputSingle(
        ISwapRouter.ExactInputSingleParams calldata p
    ) external payable override returns (uint256) {
        bytes memory path = abi.encodePacked(p.tokenIn, p.fee, p.tokenOut);
        emit Asked(path, p.recipient, p.deadline, p.amountIn, p.amountOutMinimum);
        return _swap(p.tokenIn, p.tokenOut, p.recipient, p.amountIn);
    }

    /// @inheritdoc ISwapRouter
    function exactInput(ISwapRouter.ExactInputParams calldata p) external payable override returns (uint256) {
        emit Asked(p.path, p.recipient, p.deadline, p.amountIn, p.amountOutMinimum);
        return _swapAlong(p.path, p.recipient, p.amountIn);
    }

    /// @notice As `ISwapRouter02` has it, whose structs share their names with those of `ISwapRouter`.
    function exactInputSingle(ISwapRouter02.ExactInputSingleParams calldata p) external payable returns (uint256) {
        bytes memory path = abi.encodePacked(p.tokenIn, p.fee, p.tokenOut);
        emit Asked(path, p.recipient, 0, p.amountIn, p.amountOutMinimum);
        return _swap(p.tokenIn, p.tokenOut, p.recipient, p.amountIn);
    }

    /// @notice As `ISwapRouter02` has it, whose structs share their names with those of `ISwapRouter`.
    function exactInput(ISwapRouter02.ExactInputParams calldata p) external payable returns (uint256) {
        emit Asked(p.path, p.recipient, 0, p.amountIn, p.amountOutMinimum);
        return _swapAlong(p.path, p.recipient, p.amountIn);
    }

    /// @inheritdoc IPeripheryState
    function factory() external view override returns (IUniswapV3Factory) {
        return this;
    }

    /// @notice Every pool exists whose fee is not zero.
    function getPool(address, address, uint24 fee) external view override returns (address) {
        return fee == 0 ? address(0) : address(this);
    }

    function _swapAlong(bytes calldata path, address recipient, uint256 amountIn) private returns (uint256) {
        address first = address(bytes20(path[:20]));
        return _swap(first, address(bytes20(path[path.length - 20:])), recipient, amountIn);
    }

    function _swap(
        address tokenIn,
        address tokenOut,
        address recipient,
        uint256 amountIn
    ) private returns (uint256 amountOut) {
        if (_target != address(0)) Address.functionCall(_target, _data);
        SafeERC20.safeTransferFrom(IERC20(tokenIn), msg.sender, address(this), (amountIn * _takenBps) / 10_000);
        amountOut = (amountIn * _paidBps) / 10_000;
        SafeERC20.safeTransfer(IERC20(tokenOut), recipient, amountOut);
    }
}
