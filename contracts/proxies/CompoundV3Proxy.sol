// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IComet} from "../interfaces/external/IComet.sol";
import {IWrappedNative} from "../interfaces/IWrappedNative.sol";
import {DestinationProxy} from "./DestinationProxy.sol";
import {NativeProxy} from "./NativeProxy.sol";

/// @title Supplies the delivered amount to one Compound v3 market
/// @notice The input is the market's base asset or one of its collaterals. For the base asset, the output is the
/// recipient's gain in balance plus the reduction of its debt, because the market first repays a borrower's debt. For a
/// collateral, the output is the recipient's gain in collateral. `outputToken` is the market, which records both.
/// @dev Warning: the market rounds base balances down and debt up, so the output can be up to two units below the
/// amount. With a `minimumOut` equal to the amount, some fills fail.
contract CompoundV3Proxy is NativeProxy {
    /// @dev Offset that keeps balance minus debt positive: a market stores both in less than 128 bits.
    uint256 private constant _DEBT_FREE = type(uint128).max;

    /// @notice Whether the input is the market's base asset, rather than a collateral.
    bool public immutable isBase;

    /// @dev Reverts with the market's own error if the asset is neither the base asset nor a collateral.
    /// @param wrappedNative_ The chain's wrapped native token; the zero address for a proxy without native input.
    constructor(IComet comet, IERC20 asset, IWrappedNative wrappedNative_)
        NativeProxy(asset, IERC20(address(comet)), address(comet), wrappedNative_)
    {
        isBase = comet.baseToken() == address(asset);
        if (!isBase) comet.getAssetInfoByAddress(address(asset));
    }

    /// @inheritdoc DestinationProxy
    function _act(uint256 amountIn, address recipient) internal override withApproval(amountIn) {
        _comet().supplyTo(recipient, address(inputToken), amountIn);
    }

    /// @inheritdoc DestinationProxy
    function _outputOf(address recipient) internal view override returns (uint256) {
        IComet comet = _comet();
        if (!isBase) return comet.collateralBalanceOf(recipient, address(inputToken));
        return _DEBT_FREE + super._outputOf(recipient) - comet.borrowBalanceOf(recipient);
    }

    function _comet() private view returns (IComet) {
        return IComet(address(outputToken));
    }
}
