// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IRequestPolicy} from "../../interfaces/IRequestPolicy.sol";
import {RequestSignature} from "../../libraries/RequestSignature.sol";

/// @title Accepts requests with listed recipients
/// @notice Recipients are listed per chain, because the same address can have different owners on different chains. A
/// recipient is a bytes32 to support other VMs; an EVM address is padded with zeros on the left.
contract RecipientAllowList is IRequestPolicy, Ownable2Step {
    /// @notice Whether a recipient is listed for a chain.
    mapping(uint256 chainId => mapping(bytes32 recipient => bool)) public isAllowed;

    /// @notice A recipient was added or removed.
    event RecipientSet(uint256 indexed chainId, bytes32 indexed recipient, bool allowed);

    /// @notice The recipient of the request is not listed for its destination chain.
    error RecipientNotAllowed(uint256 chainId, bytes32 recipient);

    constructor(address owner_) Ownable(owner_) {}

    /// @notice Adds or removes a recipient for a chain.
    function setRecipient(uint256 chainId, bytes32 recipient, bool allowed) external onlyOwner {
        isAllowed[chainId][recipient] = allowed;
        emit RecipientSet(chainId, recipient, allowed);
    }

    /// @inheritdoc IRequestPolicy
    function check(RequestSignature.Request calldata request) external view override returns (bytes4 accepted) {
        if (!isAllowed[request.destinationChainId][request.destinationUser]) {
            revert RecipientNotAllowed(request.destinationChainId, request.destinationUser);
        }
        return IRequestPolicy.check.selector;
    }
}
