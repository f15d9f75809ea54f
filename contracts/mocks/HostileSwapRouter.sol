// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPeripheryState} from "../interfaces/external/IPeripheryState.sol";
import {ISwapRouter} from "../interfaces/external/ISwapRouter.sol";
import {ISwapRouter02} from "../interfaces/external/ISwapRouter02.sol";
import {IUniswapV3Factory} from "../interfaces/external/IUniswapV3Factory.sol";

/// @title Router with the ABIs of both Uniswap v3 routers and their factory, that misbehaves on demand
/// @notice Swaps one for one, from its own balance. Can take or pay only a part, or make an attacker's call.
contract HostileSwapRouter is ISwapRouter, IPeripheryState, IUniswapV3Factory {
    /// @notice A swap was requested. The deadline is zero for the router whose swaps have no deadline.
    event SwapRequested(bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum);

    uint256 private _takenBps = 10_000;
    uint256 private _paidBps = 10_000;
    address private _target;
    bytes private _data;

    /// @notice Takes and pays only these shares, in basis points.
    function take(uint256 takenBps, uint256 paidBps) external {
        _takenBps = takenBps;
        _paidBps = paidBps;
    }

    /// @notice Makes a call during each swap, and bubbles its revert data.
    function arm(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    /// @inheritdoc ISwapRouter
    function exactInputSingle(ISwapRouter.ExactInputSingleParams calldata p)
        external
        payable
        override
        returns (uint256)
    {
        bytes memory path = abi.encodePacked(p.tokenIn, p.fee, p.tokenOut);
        emit SwapRequested(path, p.recipient, p.deadline, p.amountIn, p.amountOutMinimum);
        return _swap(p.tokenIn, p.tokenOut, p.recipient, p.amountIn);
    }

    /// @inheritdoc ISwapRouter
    function exactInput(ISwapRouter.ExactInputParams calldata p) external payable override returns (uint256) {
        emit SwapRequested(p.path, p.recipient, p.deadline, p.amountIn, p.amountOutMinimum);
        return _swapAlong(p.path, p.recipient, p.amountIn);
    }

    /// @notice See `ISwapRouter02`, whose structs have the same names as those of `ISwapRouter`.
    function exactInputSingle(ISwapRouter02.ExactInputSingleParams calldata p) external payable returns (uint256) {
        bytes memory path = abi.encodePacked(p.tokenIn, p.fee, p.tokenOut);
        emit SwapRequested(path, p.recipient, 0, p.amountIn, p.amountOutMinimum);
        return _swap(p.tokenIn, p.tokenOut, p.recipient, p.amountIn);
    }

    /// @notice See `ISwapRouter02`, whose structs have the same names as those of `ISwapRouter`.
    function exactInput(ISwapRouter02.ExactInputParams calldata p) external payable returns (uint256) {
        emit SwapRequested(p.path, p.recipient, 0, p.amountIn, p.amountOutMinimum);
        return _swapAlong(p.path, p.recipient, p.amountIn);
    }

    /// @inheritdoc IPeripheryState
    function factory() external view override returns (IUniswapV3Factory) {
        return this;
    }

    /// @notice A pool exists for every non-zero fee.
    function getPool(address, address, uint24 fee) external view override returns (address) {
        return fee == 0 ? address(0) : address(this);
    }

    function _swapAlong(bytes calldata path, address recipient, uint256 amountIn) private returns (uint256) {
        address first = address(bytes20(path[:20]));
        return _swap(first, address(bytes20(path[path.length - 20:])), recipient, amountIn);
    }

    function _swap(address tokenIn, address tokenOut, address recipient, uint256 amountIn)
        private
        returns (uint256 amountOut)
    {
        if (_target != address(0)) Address.functionCall(_target, _data);
        SafeERC20.safeTransferFrom(IERC20(tokenIn), msg.sender, address(this), (amountIn * _takenBps) / 10_000);
        amountOut = (amountIn * _paidBps) / 10_000;
        SafeERC20.safeTransfer(IERC20(tokenOut), recipient, amountOut);
    }
}
