// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {RequestSignature} from "../libraries/RequestSignature.sol";

/// @title Additional check by a receiver before a payment
/// @notice A policy can only reject payments; it cannot bypass the receiver's own checks.
/// @dev Warning: the owner of a policy can stop all payments of receivers that use it. It cannot move funds.
interface IRequestPolicy {
    /// @notice Accepts a request, or reverts with the policy's own error.
    /// @dev The receiver makes a static call to it after it verifies the request's signature, and before the payment.
    /// @param request The seven words that the solver wallet signed.
    /// @return accepted The selector of this function, so that a contract with a permissive fallback cannot serve as a
    /// policy.
    function check(RequestSignature.Request calldata request) external view returns (bytes4 accepted);
}
