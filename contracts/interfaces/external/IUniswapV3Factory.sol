// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Functions of Uniswap's v3 factory that crosscall calls
interface IUniswapV3Factory {
    /// @notice The pool of two tokens, in any order, with a fee. The zero address if the pool does not exist.
    function getPool(address tokenA, address tokenB, uint24 fee) external view returns (address pool);
}
