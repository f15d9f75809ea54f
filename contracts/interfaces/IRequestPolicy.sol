// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {RequestSignature} from "../libraries/RequestSignature.sol";

/// @title What a receiver asks before it takes a payment
/// @notice A policy can only refuse: it never lets a payment pass that the receiver's own checks would not.
/// @dev Warning: the owner of a policy can stop all payments of the receivers that ask it. It cannot move funds.
interface IRequestPolicy {
    /// @notice Accepts a request, or reverts with the policy's own error.
    /// @dev Asked before the payment is made, by a static call. The signature of the request was checked already.
    /// @param request The seven words that the solver wallet signed.
    /// @return accepted The selector of this function, so that a contract that answers anything is no policy.
    function check(RequestSignature.Request calldata request) external view returns (bytes4 accepted);
}
