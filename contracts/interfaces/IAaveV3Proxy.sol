// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IAaveV3Pool} from "./external/IAaveV3Pool.sol";
import {IAaveV3Token} from "./external/IAaveV3Token.sol";

/// @title Destination proxy for one reserve of Aave v3: supply or repay
interface IAaveV3Proxy {
    /// @notice The proxy repaid `amountIn` of the caller's tokens; the borrower's debt fell by `amountRepaid`.
    event Repaid(address indexed caller, address indexed borrower, uint256 amountIn, uint256 amountRepaid);

    /// @notice The given token is not the pool's token for the asset.
    error ReserveTokenMismatch(address token, address tokenOfPool);

    /// @notice Repays variable debt with the caller's whole balance of the asset, which must be approved for the proxy.
    /// @dev Takes tokens from the caller only. Reverts with the pool's error if there is no debt.
    /// @param borrower The debtor. Receives the unused input.
    /// @param minimumIn Minimum input that must arrive at the proxy. At least one unit must arrive in any case.
    /// @param minimumRepaid Minimum reduction of the debt. Set it one or two units below the expected reduction,
    /// because debt is rounded.
    /// @param deadline Last second at which the call may run, in Unix time.
    /// @return amountIn Input that arrived at the proxy, after the token's transfer fee.
    /// @return amountRepaid Reduction of the debt.
    function repay(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline)
        external
        returns (uint256 amountIn, uint256 amountRepaid);

    /// @notice Repays variable debt with the call's value.
    /// @dev Like `repay`, but the borrower receives the unused input as wrapped token.
    /// @param borrower The debtor. Receives the unused input.
    /// @param minimumIn Minimum native amount that must arrive, wrapped, at the proxy. At least one unit in any case.
    /// @param minimumRepaid Minimum reduction of the debt. Set it one or two units below the expected reduction,
    /// because debt is rounded.
    /// @param deadline Last second at which the call may run, in Unix time.
    /// @return amountIn Wrapped input that arrived at the proxy.
    /// @return amountRepaid Reduction of the debt.
    function repayNative(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline)
        external
        payable
        returns (uint256 amountIn, uint256 amountRepaid);

    /// @notice The pool that the proxy supplies to.
    function pool() external view returns (IAaveV3Pool);

    /// @notice The reserve's variable debt token.
    function debtToken() external view returns (IAaveV3Token);
}
