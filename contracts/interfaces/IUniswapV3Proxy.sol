// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Destination proxy that swaps along one path of Uniswap v3
interface IUniswapV3Proxy {
    /// @notice Uniswap's two v3 routers, which have functions with the same names but different parameters.
    /// @param SwapRouter The first router; its parameters have a deadline.
    /// @param SwapRouter02 The second router; its parameters have no deadline.
    enum Generation {
        SwapRouter,
        SwapRouter02
    }

    /// @notice A path must have one to three fees, and one more token than fees.
    error PathMalformed(uint256 tokens, uint256 fees);

    /// @notice The path ends with its first token.
    error PathReturns(address token);

    /// @notice Two neighboring tokens of the path have no pool with this fee.
    error PoolMissing(address tokenA, address tokenB, uint24 fee);

    /// @notice The router maps this recipient to another address: 1 to its caller, 2 to itself.
    error RecipientIsPlaceholder(address recipient);

    /// @notice The router that the proxy swaps with.
    function swapRouter() external view returns (address);

    /// @notice Generation of that router.
    function generation() external view returns (Generation);

    /// @notice The path in the router's encoding: a token (20 bytes), a fee (3 bytes), a token, and so on.
    function path() external view returns (bytes memory);
}
