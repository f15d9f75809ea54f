// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Functions of an Aave v3 pool that crosscall calls
interface IAaveV3Pool {
    /// @dev The first fields of a reserve's data, which are the same in all versions of v3. The decoder ignores later
    /// fields.
    struct ReserveData {
        uint256 configuration;
        uint128 liquidityIndex;
        uint128 currentLiquidityRate;
        uint128 variableBorrowIndex;
        uint128 currentVariableBorrowRate;
        uint128 currentStableBorrowRate;
        uint40 lastUpdateTimestamp;
        uint16 id;
        address aTokenAddress;
        address stableDebtTokenAddress;
        address variableDebtTokenAddress;
    }

    /// @notice Takes `amount` of the asset from the caller and mints its aToken to `onBehalfOf`.
    function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode) external;

    /// @notice Takes up to `amount` of the asset from the caller and burns the same amount of `onBehalfOf`'s debt.
    /// @param interestRateMode 2 is the variable rate.
    /// @return repaid The amount taken.
    function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)
        external
        returns (uint256 repaid);

    /// @notice State and tokens of a reserve.
    function getReserveData(address asset) external view returns (ReserveData memory);
}
