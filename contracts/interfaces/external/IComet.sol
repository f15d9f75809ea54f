// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Functions of a Compound v3 market that the kit calls
interface IComet {
    /// @dev The market's data of a collateral.
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

    /// @notice Takes `amount` of the asset from the caller and books it for `dst`: the base asset repays what `dst`
    /// owes before it is supplied, any other is collateral.
    function supplyTo(address dst, address asset, uint256 amount) external;

    /// @notice Base asset that an account has supplied, with interest.
    function balanceOf(address account) external view returns (uint256);

    /// @notice Base asset that an account owes, with interest.
    function borrowBalanceOf(address account) external view returns (uint256);

    /// @notice Amount of a collateral that an account has supplied.
    function collateralBalanceOf(address account, address asset) external view returns (uint128);

    /// @notice The asset that is lent.
    function baseToken() external view returns (address);

    /// @notice Reverts where the asset is no collateral of the market.
    function getAssetInfoByAddress(address asset) external view returns (AssetInfo memory);
}
