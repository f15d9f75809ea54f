// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title The service's router on a destination chain
/// @notice Runs the calls of a fill, as their caller. The router is public and has no owner: anyone can take the funds
/// and allowances that it has when a transaction ends.
/// @dev Functions, events and errors are those of the live v3 router. `CallFailed`, `TransferFailed` and
/// `ETHTransferFailed` omit the reason, which only a trace shows.
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

    /// @param success Whether the call succeeded.
    /// @param returnData Return data, or revert data.
    struct Result {
        bool success;
        bytes returnData;
    }

    /// @notice A call of a multicall succeeded.
    event SolverCallExecuted(address to, bytes data, uint256 amount);

    /// @notice Native currency left the router in `cleanupNative` or the refund of a multicall, or arrived at the
    /// router (`to` is then the router). `cleanupNativeViaCall` does not emit it.
    event SolverNativeTransfer(address to, uint256 amount);

    /// @notice Funds moved: in `cleanupErc20s`, in `cleanupNative`, in the refund of a multicall, or as the value of a
    /// multicall. Emitted after the transfer. A zero currency is the native currency.
    event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata);

    /// @notice The router is locked by another caller.
    /// @param storedSender The only address, other than the router, that can currently enter.
    /// @param actualSender The rejected caller.
    error InvalidMsgSender(address storedSender, address actualSender);

    /// @notice The arrays differ in length.
    error ArrayLengthsMismatch();

    /// @notice The call of `cleanupErc20sViaCall` or `cleanupNativeViaCall` failed.
    error CallFailed();

    /// @notice A token's transfer failed.
    error TransferFailed();

    /// @notice The recipient rejected native currency.
    error ETHTransferFailed();

    /// @notice An NFT arrived while no `nftRecipient` was set.
    error NoRecipientSet();

    /// @notice The router cannot forward NFTs to itself.
    error InvalidRecipient(address recipient);

    /// @notice Runs the calls in order, then sends all remaining native currency.
    /// @dev Warning: a call that runs out of gas fails like any other. The sender chooses the gas limit, and can make a
    /// call with `allowFailure` fail.
    /// @param calls The calls. The first call that fails without `allowFailure` reverts all calls, with its revert
    /// data.
    /// @param refundTo Account that receives the remaining native currency; zero means the caller.
    /// @param nftRecipient Account that receives the ERC-721 and ERC-1155 tokens that arrive during the calls, until a
    /// nested multicall ends; with zero, they are rejected.
    /// @param metadata Metadata in the `FundsMovement` events of the value and of the refund.
    /// @return results One entry per call.
    function multicall(Call3Value[] calldata calls, address refundTo, address nftRecipient, bytes calldata metadata)
        external
        payable
        returns (Result[] memory results);

    /// @notice Sends the router's ERC-20 balances.
    /// @param tokens The tokens; a token without a balance is skipped.
    /// @param recipients Recipients of the tokens with the same index.
    /// @param amounts Amounts to send; zero means the full balance.
    /// @param metadata Metadata in each `FundsMovement` event.
    function cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes calldata metadata
    ) external;

    /// @notice Sends the router's native currency.
    /// @param amount Amount to send; zero means the full balance, and nothing happens if that is zero.
    /// @param recipient Recipient of the amount; zero means the caller.
    /// @param metadata Metadata in the `FundsMovement` event.
    function cleanupNative(uint256 amount, address recipient, bytes calldata metadata) external;

    /// @notice Approves each account for one of the router's tokens, and calls the account.
    /// @dev Warning: an account is not called, and nothing reverts, if the amount is zero and the router holds none of
    /// the token. The limits in its call data are then not enforced.
    ///
    /// Warning: it reverts on tokens that return nothing from `approve`, ignores an `approve` that returns false, and
    /// does not revoke unspent allowances.
    /// @param tokens The tokens.
    /// @param tos Accounts to approve for the tokens with the same index, and to call.
    /// @param datas Call data for the accounts with the same index.
    /// @param amounts Amounts to approve; zero means the full balance.
    function cleanupErc20sViaCall(
        address[] calldata tokens,
        address[] calldata tos,
        bytes[] calldata datas,
        uint256[] calldata amounts
    ) external;

    /// @notice Calls an account with the router's native currency as value.
    /// @dev Warning: the account is not called, and nothing reverts, if the amount is zero and the router holds no
    /// native currency. The limits in the call data are then not enforced. To prevent that, first make a call that
    /// then fails.
    /// @param amount The value; zero means the full balance.
    /// @param to The call's target.
    /// @param data Its call data.
    function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external;
}
