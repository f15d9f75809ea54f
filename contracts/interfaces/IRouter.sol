// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title The router of the service on a destination chain
/// @notice Runs the calls of a fill. It is the caller of each of them, it is public and it has no owner: whatever it
/// holds or has approved when a transaction ends, anyone can take.
/// @dev Functions and events are those of the live v3 router. The errors are those of the local stand-in: the live
/// router reports the same failures under other selectors, so nothing may be concluded from a router error by name.
interface IRouter {
    /// @param target What is called. An address without code accepts any call.
    /// @param allowFailure Whether the multicall goes on when this call fails.
    /// @param value Native amount sent with the call.
    /// @param callData Selector and arguments.
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    /// @param success Whether the call ended without a revert.
    /// @param returnData What it returned, or its revert data.
    struct Result {
        bool success;
        bytes returnData;
    }

    /// @notice A call of a multicall succeeded.
    event SolverCallExecuted(address to, bytes data, uint256 amount);

    /// @notice Native left the router for `to`, or reached the router (`to` is then the router).
    event SolverNativeTransfer(address to, uint256 amount);

    /// @notice A cleanup or the final refund moved funds. A zero currency is the native one.
    event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata);

    /// @notice The router is busy for another caller.
    /// @param caller Who tried to enter.
    /// @param allowed The only address, beside the router itself, that may enter now.
    error ReentrantCall(address caller, address allowed);

    /// @notice An array is not as long as the first one.
    error ArrayLengthMismatch(uint256 actual, uint256 expected);

    /// @notice The call of a "via call" cleanup reverted.
    error CallFailed(address target, bytes returnData);

    /// @notice The receiver of native refused it.
    error NativeTransferFailed(address to, uint256 amount, bytes returnData);

    /// @notice A token answered an approval with false.
    error ApproveFailed(address token, address spender, uint256 amount);

    /// @notice An NFT arrived while no `nftRecipient` was set.
    error NoNftRecipient(address token);

    /// @notice The router cannot forward NFTs to itself.
    error InvalidNftRecipient(address nftRecipient);

    /// @notice Runs the calls in order, then sends all native left.
    /// @dev Warning: a gas-starved call is an ordinary failure here, so a call with `allowFailure` may be skipped by
    /// whoever chooses the gas limit.
    /// @param calls The calls. The first that fails without `allowFailure` reverts all, with its own revert data.
    /// @param refundTo Receives the native left; zero means the caller.
    /// @param nftRecipient Receives the ERC-721 and ERC-1155 tokens that arrive during the calls; with zero, they are
    /// refused.
    /// @param metadata Repeated in the `FundsMovement` of the refund.
    /// @return results One entry a call.
    function multicall(
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Result[] memory results);

    /// @notice Sends ERC-20 balances of the router.
    /// @param tokens The tokens; an empty balance is skipped.
    /// @param recipients Receives the token of the same index.
    /// @param amounts What to send; zero means the full balance.
    /// @param metadata Repeated in each `FundsMovement`.
    function cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes calldata metadata
    ) external;

    /// @notice Sends native of the router.
    /// @param amount What to send; zero means the full balance, and nothing happens if that is zero.
    /// @param recipient Receives it; zero means the caller.
    /// @param metadata Repeated in the `FundsMovement`.
    function cleanupNative(uint256 amount, address recipient, bytes calldata metadata) external;

    /// @notice Approves each address for a token of the router and calls it.
    /// @dev Warning: reverts on tokens that return nothing from `approve`, and leaves standing what the called address
    /// did not spend of its allowance.
    /// @param tokens The tokens.
    /// @param tos Approved for the token of the same index, then called.
    /// @param datas Call data for the address of the same index.
    /// @param amounts What to approve; zero means the full balance.
    function cleanupErc20sViaCall(
        address[] calldata tokens,
        address[] calldata tos,
        bytes[] calldata datas,
        uint256[] calldata amounts
    ) external;

    /// @notice Calls an address with native of the router as value.
    /// @param amount The value; zero means the full balance.
    /// @param to What is called, also when the value is zero.
    /// @param data Its call data.
    function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external;
}
