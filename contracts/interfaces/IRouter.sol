// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title The service's router on a destination chain
/// @notice Runs the calls of a fill. It is the caller of each of them, it is public, and it has no owner: whatever it
/// holds or has approved when a transaction ends, anyone can take.
/// @dev Functions and events are those of the live v3 router. So are `CallFailed`, `TransferFailed` and
/// `NoRecipientSet`, which do not pass on the reason: it can only be found in a trace. The live router reports the other
/// failures under names of its own.
interface IRouter {
    /// @param target The call's target. A call to an address without code succeeds.
    /// @param allowFailure Whether the multicall continues if this call fails.
    /// @param value Native amount sent with the call.
    /// @param callData Selector and arguments.
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    /// @param success Whether the call ended without a revert.
    /// @param returnData Return data, or revert data.
    struct Result {
        bool success;
        bytes returnData;
    }

    /// @notice A call of a multicall succeeded.
    event SolverCallExecuted(address to, bytes data, uint256 amount);

    /// @notice Native currency left the router by `cleanupNative` or by the refund of a multicall, or it reached the
    /// router, which is then `to`. `cleanupNativeViaCall` does not emit it.
    event SolverNativeTransfer(address to, uint256 amount);

    /// @notice Funds moved: by `cleanupErc20s`, by `cleanupNative`, by the refund of a multicall, or as the value that a
    /// multicall was sent. Emitted after the move. A zero currency is the native one.
    event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata);

    /// @notice The router is busy for another caller.
    /// @param caller The account that tried to enter.
    /// @param allowed The only address, other than the router, that may enter now.
    error ReentrantCall(address caller, address allowed);

    /// @notice An array is not as long as the first one.
    error ArrayLengthMismatch(uint256 actual, uint256 expected);

    /// @notice The call of `cleanupErc20sViaCall` or `cleanupNativeViaCall` failed.
    error CallFailed();

    /// @notice A token's transfer failed.
    error TransferFailed();

    /// @notice The recipient rejected native currency.
    error NativeTransferFailed();

    /// @notice An NFT arrived while no `nftRecipient` was set.
    error NoRecipientSet();

    /// @notice The router cannot forward NFTs to itself.
    error InvalidNftRecipient(address nftRecipient);

    /// @notice Runs the calls in order, then sends all native currency that is left.
    /// @dev Warning: running out of gas is an ordinary failure of a call here. The sender, who chooses the gas limit, can
    /// make a call with `allowFailure` fail.
    /// @param calls The calls. The first that fails without `allowFailure` reverts all, with its own revert data.
    /// @param refundTo Receives the native currency that is left; zero means the caller.
    /// @param nftRecipient Receives the ERC-721 and ERC-1155 tokens that arrive during the calls, until a nested
    /// multicall ends; with zero, they are refused.
    /// @param metadata Repeated in the `FundsMovement` of the value and of the refund.
    /// @return results One entry per call.
    function multicall(Call3Value[] calldata calls, address refundTo, address nftRecipient, bytes calldata metadata)
        external
        payable
        returns (Result[] memory results);

    /// @notice Sends ERC-20 balances of the router.
    /// @param tokens The tokens; a token without a balance is skipped.
    /// @param recipients Receives the token of the same index.
    /// @param amounts What to send; zero means the full balance.
    /// @param metadata Repeated in each `FundsMovement`.
    function cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes calldata metadata
    ) external;

    /// @notice Sends native currency of the router.
    /// @param amount What to send; zero means the full balance, and nothing happens if that is zero.
    /// @param recipient Receives it; zero means the caller.
    /// @param metadata Repeated in the `FundsMovement`.
    function cleanupNative(uint256 amount, address recipient, bytes calldata metadata) external;

    /// @notice Approves each account for a token of the router, and calls it.
    /// @dev Warning: an account is not called, and nothing reverts, if the amount is zero and the router holds none of
    /// the token. The limits in its call data are then not enforced.
    ///
    /// Warning: it reverts on tokens that return nothing from `approve`, ignores an `approve` that returns false, and
    /// does not revoke what the called account did not spend of its allowance.
    /// @param tokens The tokens.
    /// @param tos Approved for the token of the same index, then called.
    /// @param datas Call data for the account of the same index.
    /// @param amounts What to approve; zero means the full balance.
    function cleanupErc20sViaCall(
        address[] calldata tokens,
        address[] calldata tos,
        bytes[] calldata datas,
        uint256[] calldata amounts
    ) external;

    /// @notice Calls an account with native currency of the router as value.
    /// @dev Warning: the account is not called, and nothing reverts, if the amount is zero and the router holds no
    /// native currency. The limits in the call data are then not enforced. Let a call before it fail in that case.
    /// @param amount The value; zero means the full balance.
    /// @param to The call's target.
    /// @param data Its call data.
    function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external;
}
