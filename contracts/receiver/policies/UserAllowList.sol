// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IRequestPolicy} from "../../interfaces/IRequestPolicy.sol";
import {RequestSignature} from "../../libraries/RequestSignature.sol";

/// @title Accepts requests of listed users
/// @notice The user is the payer on this chain.
contract UserAllowList is IRequestPolicy, Ownable2Step {
    /// @notice Whether a user is listed.
    mapping(bytes32 user => bool) public isAllowed;

    /// @notice A user was added or removed.
    event UserSet(bytes32 indexed user, bool allowed);

    /// @notice The user of the request is not listed.
    error UserNotAllowed(bytes32 user);

    constructor(address owner_) Ownable(owner_) {}

    /// @notice Adds or removes a user.
    function setUser(bytes32 user, bool allowed) external onlyOwner {
        isAllowed[user] = allowed;
        emit UserSet(user, allowed);
    }

    /// @inheritdoc IRequestPolicy
    function check(RequestSignature.Request calldata request) external view override returns (bytes4 accepted) {
        if (!isAllowed[request.originUser]) revert UserNotAllowed(request.originUser);
        return IRequestPolicy.check.selector;
    }
}
