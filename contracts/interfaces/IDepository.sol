// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title The depository of the service on an origin chain
/// @notice Takes deposits, each tied to an order by its id, and pays out what the allocator has signed.
/// @dev Deposits are events only: ids are neither stored nor checked. Functions and events are those of the live
/// depository, the errors are those of the local stand-in.
interface IDepository {
    /// @param to What is called.
    /// @param data Its call data.
    /// @param value Native amount sent with the call.
    /// @param allowFailure Whether the request goes on when this call fails.
    struct Call {
        address to;
        bytes data;
        uint256 value;
        bool allowFailure;
    }

    /// @param calls The calls, run in order.
    /// @param nonce Tells apart requests that are otherwise the same.
    /// @param expiration Unix seconds, inclusive.
    struct CallRequest {
        Call[] calls;
        uint256 nonce;
        uint256 expiration;
    }

    /// @notice Native was deposited for the order `id`.
    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);

    /// @notice A token was deposited for the order `id`.
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);

    /// @notice A call of the request with the struct hash `id` succeeded.
    event RelayCallExecuted(bytes32 id, Call call);

    /// @notice The request may not be executed any more.
    error RequestExpired(uint256 expiration, uint256 timestamp);

    /// @notice The signature over `digest` is not the allocator's.
    error InvalidSignature(address allocator, bytes32 digest);

    /// @notice The request was executed before.
    error RequestAlreadyExecuted(bytes32 id);

    /// @notice A call of the request reverted, and it was not allowed to.
    error CallFailed(uint256 index, address to, bytes returnData);

    /// @notice Deposits the native amount sent.
    /// @param depositor Named in the event; zero means the caller.
    /// @param id The order.
    function depositNative(address depositor, bytes32 id) external payable;

    /// @notice Deposits an amount of a token of the caller.
    /// @dev Warning: the event tells the amount asked for, which is more than arrives if the token takes a fee.
    /// @param depositor Named in the event; zero means the caller.
    /// @param token The token, approved to the depository before.
    /// @param amount What to take from the caller.
    /// @param id The order.
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external;

    /// @notice Deposits as much of a token of the caller as the caller has approved.
    /// @param depositor Named in the event; zero means the caller.
    /// @param token The token, approved to the depository before.
    /// @param id The order.
    function depositErc20(address depositor, address token, bytes32 id) external;

    /// @notice Runs the calls of a request that the allocator signed; anyone may send it.
    /// @dev Warning: a gas-starved call is an ordinary failure here, so a call with `allowFailure` may be skipped by
    /// whoever chooses the gas limit.
    /// @param request The request.
    /// @param signature EIP-712 signature of the allocator, an account or an ERC-1271 wallet.
    function execute(CallRequest calldata request, bytes calldata signature) external;

    /// @notice Whether a request was executed.
    /// @param id The EIP-712 struct hash of the request.
    function callRequests(bytes32 id) external view returns (bool);

    /// @notice Who signs the requests.
    function allocator() external view returns (address);
}
