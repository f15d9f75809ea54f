// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title A call of a fill that swaps along one path of Uniswap v3
interface IUniswapV3Proxy {
    /// @notice Uniswap has two routers for v3 whose functions have the same names and different parameters.
    /// @param SwapRouter The first, whose parameters have a deadline.
    /// @param SwapRouter02 The second, whose parameters have none.
    enum Generation {
        SwapRouter,
        SwapRouter02
    }

    /// @notice A path has one to three fees, and one token more than fees.
    error PathMalformed(uint256 tokens, uint256 fees);

    /// @notice The path ends with the token that it begins with.
    error PathReturns(address token);

    /// @notice Two neighbours of the path have no pool at this fee.
    error PoolMissing(address tokenA, address tokenB, uint24 fee);

    /// @notice The router maps this recipient to another one: 1 to its caller, 2 to itself.
    error RecipientIsPlaceholder(address recipient);

    /// @notice The router that the proxy swaps by.
    function swapRouter() external view returns (address);

    /// @notice Which of the two routers that is.
    function generation() external view returns (Generation);

    /// @notice The path, as the router reads it: a token of 20 bytes, a fee of 3, a token, and so on.
    function path() external view returns (bytes memory);
}
