// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IComet} from "../interfaces/external/IComet.sol";

/// @title Stand-in for a Compound v3 market, for tests
/// @notice Compound does not publish its code as a package. This contract implements what a supplier can observe:
/// base balances (principal times an index, rounded down for lenders and up for borrowers), supply that first repays
/// debt, collateral with a supply cap, a pause of supply, the errors, and the maximum amount, which means the whole
/// debt.
/// @dev Warning: not a market. Interest does not accrue (`setIndexes` sets it), a loan needs no collateral, and there
/// are no prices, withdrawals, liquidations, permissions or rewards.
contract CometStandIn is IComet {
    uint256 private constant _INDEX_SCALE = 1e15;

    /// @inheritdoc IComet
    address public immutable override baseToken;

    address private immutable _collateral;
    uint128 private immutable _supplyCap;

    uint256 private _supplyIndex = _INDEX_SCALE;
    uint256 private _borrowIndex = _INDEX_SCALE;
    bool private _paused;
    uint128 private _totalCollateral;

    /// @dev Positive for a lender, negative for a borrower.
    mapping(address account => int256 units) private _principals;
    mapping(address account => uint128 units) private _collaterals;

    /// @notice Compound's error.
    error BadAsset();

    /// @notice Compound's error.
    error InvalidUInt128();

    /// @notice Compound's error.
    error Paused();

    /// @notice Compound's error.
    error SupplyCapExceeded();

    /// @notice Compound's error.
    error TransferInFailed();

    constructor(address baseToken_, address collateral_, uint128 supplyCap_) {
        baseToken = baseToken_;
        _collateral = collateral_;
        _supplyCap = supplyCap_;
    }

    /// @notice Pauses or resumes supply.
    function pause(bool paused) external {
        _paused = paused;
    }

    /// @notice Sets the interest indexes, which start at 10^15.
    function setIndexes(uint256 supplyIndex, uint256 borrowIndex) external {
        _supplyIndex = supplyIndex;
        _borrowIndex = borrowIndex;
    }

    /// @notice Lends the base asset to an account, without collateral.
    function lend(address account, uint256 amount) external {
        _setPresent(account, _presentOf(account) - int256(amount));
        IERC20(baseToken).transfer(account, amount);
    }

    /// @inheritdoc IComet
    function supplyTo(address dst, address asset, uint256 amount) external override {
        if (_paused) revert Paused();
        if (asset == baseToken) _supplyBase(dst, amount == type(uint256).max ? borrowBalanceOf(dst) : amount);
        else _supplyCollateral(dst, asset, amount);
    }

    /// @inheritdoc IComet
    function balanceOf(address account) external view override returns (uint256) {
        int256 present = _presentOf(account);
        return present > 0 ? uint256(present) : 0;
    }

    /// @inheritdoc IComet
    function collateralBalanceOf(address account, address asset) external view override returns (uint128) {
        return asset == _collateral ? _collaterals[account] : 0;
    }

    /// @inheritdoc IComet
    function getAssetInfoByAddress(address asset) public view override returns (AssetInfo memory info) {
        if (asset != _collateral) revert BadAsset();
        info.asset = asset;
        info.supplyCap = _supplyCap;
    }

    /// @inheritdoc IComet
    function borrowBalanceOf(address account) public view override returns (uint256) {
        int256 present = _presentOf(account);
        return present < 0 ? uint256(-present) : 0;
    }

    function _supplyBase(address dst, uint256 amount) private {
        uint256 arrived = _takeIn(baseToken, amount);
        _setPresent(dst, _presentOf(dst) + int256(arrived));
    }

    function _supplyCollateral(address dst, address asset, uint256 amount) private {
        if (amount > type(uint128).max) revert InvalidUInt128();
        uint128 arrived = uint128(_takeIn(asset, amount));
        uint128 supplyCap = getAssetInfoByAddress(asset).supplyCap;
        _totalCollateral += arrived;
        if (_totalCollateral > supplyCap) revert SupplyCapExceeded();
        _collaterals[dst] += arrived;
    }

    /// @dev Accepts tokens that return nothing, and counts the received amount, as Compound does.
    function _takeIn(address asset, uint256 amount) private returns (uint256 arrived) {
        uint256 held = IERC20(asset).balanceOf(address(this));
        bytes memory transfer = abi.encodeCall(IERC20.transferFrom, (msg.sender, address(this), amount));
        // solhint-disable-next-line avoid-low-level-calls
        (bool success, bytes memory returnData) = asset.call(transfer);
        if (!success || (returnData.length != 0 && !abi.decode(returnData, (bool)))) revert TransferInFailed();
        arrived = IERC20(asset).balanceOf(address(this)) - held;
    }

    function _setPresent(address account, int256 present) private {
        _principals[account] = present < 0
            ? -int256(Math.mulDiv(uint256(-present), _INDEX_SCALE, _borrowIndex, Math.Rounding.Ceil))
            : int256(Math.mulDiv(uint256(present), _INDEX_SCALE, _supplyIndex));
    }

    /// @dev Rounds toward zero, even for debt: the principal of a loan is rounded up.
    function _presentOf(address account) private view returns (int256) {
        int256 principal = _principals[account];
        return (principal * int256(principal < 0 ? _borrowIndex : _supplyIndex)) / int256(_INDEX_SCALE);
    }
}
