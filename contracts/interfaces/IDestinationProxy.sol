// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title A call of a fill that acts on the amount that was delivered
/// @notice The delivered amount is not known when a user signs. A proxy reads it when the fill runs: it takes the whole
/// balance of its caller, acts on it for a recipient and keeps nothing of it.
interface IDestinationProxy {
    /// @notice The proxy acted on `amountIn` of the caller; the recipient got `amountOut`.
    event Executed(address indexed caller, address indexed recipient, uint256 amountIn, uint256 amountOut);

    /// @notice A token of the proxy has no code on this chain.
    error TokenWithoutCode(address token);

    /// @notice The call came too late.
    error DeadlinePassed(uint256 deadline, uint256 timestamp);

    /// @notice The recipient is the zero address.
    error RecipientIsZero();

    /// @notice The recipient is the proxy, where the funds would be stuck.
    error RecipientIsProxy(address proxy);

    /// @notice The recipient is the caller, which is the public router in a fill, where anyone could take the funds.
    error RecipientIsCaller(address caller);

    /// @notice The recipient is a token of the proxy, where the funds would be stuck.
    error RecipientIsToken(address token);

    /// @notice Less input arrived than asked for. `minimumIn` is 1 where the caller set none.
    error InsufficientInput(uint256 amountIn, uint256 minimumIn);

    /// @notice The recipient got less output than asked for.
    error InsufficientOutput(uint256 amountOut, uint256 minimumOut);

    /// @notice The proxy would have kept input of the caller.
    error InputLeft(uint256 amount);

    /// @notice The proxy would have kept an allowance of its input open.
    error AllowanceLeft(address spender, uint256 amount);

    /// @notice Acts on the caller's whole balance of the input token, which must be approved to the proxy before.
    /// @dev Takes from the caller and from nobody else. Input that is not used goes to the recipient.
    /// @param recipient Receives the output and the input left.
    /// @param minimumIn Least input that must arrive at the proxy. At least one unit must arrive in any case.
    /// @param minimumOut Least output that the recipient must gain.
    /// @param deadline Last second (Unix) at which this may run.
    /// @return amountIn What arrived at the proxy, after any fee of the token.
    /// @return amountOut How much output the recipient gained, input left not counted.
    function execute(
        address recipient,
        uint256 minimumIn,
        uint256 minimumOut,
        uint256 deadline
    ) external returns (uint256 amountIn, uint256 amountOut);

    /// @notice The token that the proxy takes.
    function inputToken() external view returns (IERC20);

    /// @notice The token that the recipient gets. The zero address is the chain's native currency.
    function outputToken() external view returns (IERC20);
}
