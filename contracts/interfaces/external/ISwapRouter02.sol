// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Functions of Uniswap's second v3 router that crosscall calls
/// @dev The addresses 1 and 2 as recipient mean the caller and the router.
interface ISwapRouter02 {
    struct ExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 sqrtPriceLimitX96;
    }

    struct ExactInputParams {
        bytes path;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
    }

    /// @notice Swaps in one pool.
    function exactInputSingle(ExactInputSingleParams calldata params) external payable returns (uint256 amountOut);

    /// @notice Swaps in the pools of a path.
    function exactInput(ExactInputParams calldata params) external payable returns (uint256 amountOut);
}
