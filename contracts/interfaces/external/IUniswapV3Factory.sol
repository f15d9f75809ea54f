// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title What the kit calls of Uniswap's v3 factory
interface IUniswapV3Factory {
    /// @notice The pool of two tokens, in any order, at a fee. The zero address where there is none.
    function getPool(address tokenA, address tokenB, uint24 fee) external view returns (address pool);
}
