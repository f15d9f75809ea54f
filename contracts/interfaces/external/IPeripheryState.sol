// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IUniswapV3Factory} from "./IUniswapV3Factory.sol";

/// @title Immutables of every router of Uniswap v3
interface IPeripheryState {
    /// @notice The factory of the pools in which the router swaps.
    function factory() external view returns (IUniswapV3Factory);
}
