// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {RequestSignature} from "../libraries/RequestSignature.sol";

/// @title Additional check of a receiver before a payment
/// @notice A policy can only reject payments; it cannot bypass the receiver's own checks.
/// @dev Warning: the owner of a policy can stop all payments of receivers that use it. It cannot move funds.
interface IRequestPolicy {
    /// @notice Accepts a request, or reverts with the policy's own error.
    /// @dev Called before the payment, by a static call, after the request's signature was verified.
    /// @param request The seven words that the solver wallet signed.
    /// @return accepted The selector of this function, so that a contract with a permissive fallback is not a policy.
    function check(RequestSignature.Request calldata request) external view returns (bytes4 accepted);
}
