// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IAaveV3Pool} from "../interfaces/external/IAaveV3Pool.sol";
import {IAaveV3Token} from "../interfaces/external/IAaveV3Token.sol";
import {IAaveV3Proxy} from "../interfaces/IAaveV3Proxy.sol";
import {IWrappedNative} from "../interfaces/IWrappedNative.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";
import {DestinationProxy} from "./DestinationProxy.sol";
import {NativeProxy} from "./NativeProxy.sol";

/// @title Supplies the delivered amount to one reserve of Aave v3, or repays debt in it
/// @notice The input is the reserve's asset, the output its aToken, minted to the recipient.
/// @dev Warning: an index scales balances of aTokens and debt, so the gain can differ from the amount by a unit. With a
/// `minimumOut` equal to the amount, some fills fail, so set it two units lower.
contract AaveV3Proxy is IAaveV3Proxy, NativeProxy {
    /// @dev The pool's constant for variable-rate debt.
    uint256 private constant _VARIABLE = 2;

    /// @inheritdoc IAaveV3Proxy
    IAaveV3Pool public immutable override pool;

    /// @inheritdoc IAaveV3Proxy
    IAaveV3Token public immutable override debtToken;

    /// @param aToken The reserve's aToken, which determines the pool and the asset.
    /// @param debtToken_ The reserve's variable debt token.
    /// @param wrappedNative_ The chain's wrapped native token; the zero address for a proxy without native input.
    constructor(IAaveV3Token aToken, IAaveV3Token debtToken_, IWrappedNative wrappedNative_)
        NativeProxy(IERC20(aToken.UNDERLYING_ASSET_ADDRESS()), aToken, address(aToken.POOL()), wrappedNative_)
    {
        pool = aToken.POOL();
        debtToken = debtToken_;
        IAaveV3Pool.ReserveData memory reserve = pool.getReserveData(address(inputToken));
        _requireOfPool(address(aToken), reserve.aTokenAddress);
        _requireOfPool(address(debtToken_), reserve.variableDebtTokenAddress);
    }

    /// @inheritdoc IAaveV3Proxy
    function repay(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline)
        external
        override
        nonReentrant
        returns (uint256 amountIn, uint256 amountRepaid)
    {
        _requireUsable(borrower, deadline);
        uint256 rest = LiveBalance.read(address(inputToken), address(this));
        amountIn = _pull(rest, minimumIn);
        amountRepaid = _repayWith(amountIn, borrower, minimumRepaid);
        _sweep(borrower, rest);
    }

    /// @inheritdoc IAaveV3Proxy
    function repayNative(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline)
        external
        payable
        override
        nonReentrant
        returns (uint256 amountIn, uint256 amountRepaid)
    {
        _requireUsable(borrower, deadline);
        uint256 rest = LiveBalance.read(address(inputToken), address(this));
        amountIn = _wrap(rest, minimumIn);
        amountRepaid = _repayWith(amountIn, borrower, minimumRepaid);
        _sweep(borrower, rest);
    }

    /// @inheritdoc DestinationProxy
    function _act(uint256 amountIn, address recipient) internal override withApproval(amountIn) {
        pool.supply(address(inputToken), amountIn, recipient, 0);
    }

    /// @dev Repays and measures the reduction of the debt.
    function _repayWith(uint256 amountIn, address borrower, uint256 minimumRepaid)
        private
        withApproval(amountIn)
        returns (uint256 amountRepaid)
    {
        uint256 owed = LiveBalance.read(address(debtToken), borrower);
        pool.repay(address(inputToken), amountIn, _VARIABLE, borrower);
        amountRepaid = _requireGained(LiveBalance.read(address(debtToken), borrower), owed, minimumRepaid);
        emit Repaid(msg.sender, borrower, amountIn, amountRepaid);
    }

    function _requireOfPool(address token, address tokenOfPool) private pure {
        if (token != tokenOfPool) revert ReserveTokenMismatch(token, tokenOfPool);
    }
}
