// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IAaveV3Pool} from "./external/IAaveV3Pool.sol";
import {IAaveV3Token} from "./external/IAaveV3Token.sol";

/// @title A call of a fill that supplies to one reserve of Aave v3, or repays debt in it
interface IAaveV3Proxy {
    /// @notice The proxy repaid with `amountIn` of the caller; the debt of the borrower fell by `amountRepaid`.
    event Repaid(address indexed caller, address indexed borrower, uint256 amountIn, uint256 amountRepaid);

    /// @notice The token given is not the one that the pool has for the asset.
    error ReserveTokenMismatch(address token, address tokenOfPool);

    /// @notice Repays variable debt with the caller's whole balance of the asset, which must be approved to the proxy
    /// before.
    /// @dev Takes from the caller and from nobody else. Reverts with the pool's own error where there is no debt.
    /// @param borrower Whose debt is repaid. Receives the input that the debt did not need.
    /// @param minimumIn Least input that must arrive at the proxy. At least one unit must arrive in any case.
    /// @param minimumRepaid By how much the debt must fall at least. Debt is rounded: leave a unit or two.
    /// @param deadline Last second (Unix) at which this may run.
    /// @return amountIn What arrived at the proxy, after any fee of the token.
    /// @return amountRepaid By how much the debt fell.
    function repay(
        address borrower,
        uint256 minimumIn,
        uint256 minimumRepaid,
        uint256 deadline
    ) external returns (uint256 amountIn, uint256 amountRepaid);

    /// @notice Repays variable debt with the native that the call carries.
    /// @dev As `repay`; what the debt did not need goes to the borrower as the wrapped token.
    /// @param borrower Whose debt is repaid. Receives the input that the debt did not need.
    /// @param minimumIn Least native that must arrive, wrapped, at the proxy. At least one unit in any case.
    /// @param minimumRepaid By how much the debt must fall at least. Debt is rounded: leave a unit or two.
    /// @param deadline Last second (Unix) at which this may run.
    /// @return amountIn What arrived at the proxy, wrapped.
    /// @return amountRepaid By how much the debt fell.
    function repayNative(
        address borrower,
        uint256 minimumIn,
        uint256 minimumRepaid,
        uint256 deadline
    ) external payable returns (uint256 amountIn, uint256 amountRepaid);

    /// @notice The pool that the proxy supplies to.
    function pool() external view returns (IAaveV3Pool);

    /// @notice The token that counts variable debt.
    function debtToken() external view returns (IAaveV3Token);
}
