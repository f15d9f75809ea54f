// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Proxy that acts on the delivered amount
/// @notice The delivered amount is unknown when a user signs, so a proxy reads it during the fill: it takes the
/// caller's whole balance, uses it for a recipient, and keeps nothing.
interface IDestinationProxy {
    /// @notice The proxy acted on `amountIn` of the caller's tokens; the recipient received `amountOut`.
    event Executed(address indexed caller, address indexed recipient, uint256 amountIn, uint256 amountOut);

    /// @notice A token of the proxy has no code on this chain.
    error TokenWithoutCode(address token);

    /// @notice The deadline has passed.
    error DeadlinePassed(uint256 deadline, uint256 timestamp);

    /// @notice The recipient is the zero address.
    error RecipientIsZero();

    /// @notice The recipient is the proxy, where the funds would be stuck.
    error RecipientIsProxy(address proxy);

    /// @notice The recipient is the calling contract: in a fill the public router, from which anyone could take the
    /// funds.
    error RecipientIsCaller(address caller);

    /// @notice The recipient is a token of the proxy, where the funds would be stuck.
    error RecipientIsToken(address token);

    /// @notice Less input arrived than required. `minimumIn` is 1 by default.
    error InsufficientInput(uint256 amountIn, uint256 minimumIn);

    /// @notice The recipient received less output than required.
    error InsufficientOutput(uint256 amountOut, uint256 minimumOut);

    /// @notice The recipient rejected native currency.
    error NativeTransferFailed(address recipient, uint256 amount, bytes returnData);

    /// @notice The proxy would have kept part of the input.
    error InputLeft(uint256 amount);

    /// @notice The proxy would have kept an allowance for its input.
    error AllowanceLeft(address spender, uint256 amount);

    /// @notice Acts on the caller's whole balance of the input token, which must be approved for the proxy.
    /// @dev Takes tokens from the caller only. Unused input goes to the recipient.
    /// @param recipient Account that receives the output and the unused input.
    /// @param minimumIn Minimum input that must arrive at the proxy. At least one unit must arrive in any case.
    /// @param minimumOut Minimum output that the recipient must gain.
    /// @param deadline Last second at which the call may run, in Unix time.
    /// @return amountIn Input that arrived at the proxy, after the token's transfer fee.
    /// @return amountOut Output that the recipient gained, excluding unused input.
    function execute(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)
        external
        returns (uint256 amountIn, uint256 amountOut);

    /// @notice Renews the maximum allowance that the proxy gave its target when it was deployed. Anyone may call it,
    /// even in a fill before `execute`. It changes nothing if the proxy approves in each fill.
    /// @dev Needed only if the token cleared or lowered the allowance, for example in an upgrade. Fills do not read it,
    /// which saves about 1,000 gas. It is safe: the target is fixed, and the proxy holds no user funds between
    /// transactions.
    function restoreAllowance() external;

    /// @notice The token that the proxy takes from the caller.
    function inputToken() external view returns (IERC20);

    /// @notice The token that the recipient receives; zero for native currency.
    function outputToken() external view returns (IERC20);
}
