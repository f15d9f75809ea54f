// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Functions of a Compound v3 market that crosscall calls
interface IComet {
    /// @dev The market's data on a collateral asset.
    struct AssetInfo {
        uint8 offset;
        address asset;
        address priceFeed;
        uint64 scale;
        uint64 borrowCollateralFactor;
        uint64 liquidateCollateralFactor;
        uint64 liquidationFactor;
        uint128 supplyCap;
    }

    /// @notice Takes `amount` of the asset from the caller and credits it to `dst`: the base asset first repays the
    /// debt of `dst`, and other assets are collateral.
    function supplyTo(address dst, address asset, uint256 amount) external;

    /// @notice Base asset that an account has supplied, with interest.
    function balanceOf(address account) external view returns (uint256);

    /// @notice Base asset that an account owes, with interest.
    function borrowBalanceOf(address account) external view returns (uint256);

    /// @notice Amount of a collateral that an account has supplied.
    function collateralBalanceOf(address account, address asset) external view returns (uint128);

    /// @notice The base asset, which the market lends.
    function baseToken() external view returns (address);

    /// @notice Data on a collateral asset. Reverts if the asset is not a collateral of the market.
    function getAssetInfoByAddress(address asset) external view returns (AssetInfo memory);
}
