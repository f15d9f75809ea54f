// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title The service's depository on an origin chain
/// @notice Takes deposits for orders, and runs requests that the allocator signed.
/// @dev Deposits are events only: ids are neither stored nor checked. Functions, events and errors are those of the live
/// depository. `TransferFromFailed` omits the reason.
interface IDepository {
    /// @param to The call's target.
    /// @param data Its call data.
    /// @param value Native amount sent with the call.
    /// @param allowFailure Whether the request continues if this call fails.
    struct Call {
        address to;
        bytes data;
        uint256 value;
        bool allowFailure;
    }

    /// @param success Whether the call succeeded.
    /// @param returnData Return data, or revert data.
    struct CallResult {
        bool success;
        bytes returnData;
    }

    /// @param calls The calls, run in order.
    /// @param nonce Distinguishes otherwise equal requests.
    /// @param expiration Time in Unix seconds, inclusive.
    struct CallRequest {
        Call[] calls;
        uint256 nonce;
        uint256 expiration;
    }

    /// @notice Native currency was deposited for the order `id`.
    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);

    /// @notice A token was deposited for the order `id`.
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);

    /// @notice A call of the request with the struct hash `id` succeeded.
    event RelayCallExecuted(bytes32 id, Call call);

    /// @notice The request has expired.
    error CallRequestExpired();

    /// @notice The signature is not the allocator's.
    error InvalidSignature();

    /// @notice The request was already executed.
    error CallRequestAlreadyUsed();

    /// @notice A call without `allowFailure` failed.
    error CallFailed(bytes returnData);

    /// @notice The allocator cannot be the zero address.
    error AddressCannotBeZero();

    /// @notice The caller is not the owner.
    error Unauthorized();

    /// @notice The token's `transferFrom` failed.
    error TransferFromFailed();

    /// @notice Deposits the call's native value.
    /// @param depositor Depositor in the event; zero means the caller.
    /// @param id The order.
    function depositNative(address depositor, bytes32 id) external payable;

    /// @notice Deposits an amount of the caller's tokens.
    /// @dev Warning: the event has the requested amount. The depository receives less if the token takes a fee.
    /// @param depositor Depositor in the event; zero means the caller.
    /// @param token The token. The caller has approved the depository.
    /// @param amount Amount to take from the caller.
    /// @param id The order.
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external;

    /// @notice Deposits as many tokens as the caller has approved.
    /// @param depositor Depositor in the event; zero means the caller.
    /// @param token The token. The caller has approved the depository.
    /// @param id The order.
    function depositErc20(address depositor, address token, bytes32 id) external;

    /// @notice Runs the calls of a request that the allocator signed. Anyone may send it.
    /// @dev Warning: a call that runs out of gas fails like any other. The sender chooses the gas limit, and can make a
    /// call with `allowFailure` fail.
    /// @param request The request.
    /// @param signature EIP-712 signature of the allocator, an account or an ERC-1271 wallet.
    /// @return results One entry per call.
    function execute(CallRequest calldata request, bytes calldata signature)
        external
        returns (CallResult[] memory results);

    /// @notice Replaces the allocator. Only the owner may call it.
    /// @param allocator_ The new allocator.
    function setAllocator(address allocator_) external;

    /// @notice Whether a request was executed.
    /// @param id The EIP-712 struct hash of the request.
    function callRequests(bytes32 id) external view returns (bool);

    /// @notice The signer of requests.
    function allocator() external view returns (address);

    /// @notice The account that may replace the allocator.
    function owner() external view returns (address);
}
