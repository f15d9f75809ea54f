// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IRequestPolicy} from "../../interfaces/IRequestPolicy.sol";
import {RequestSignature} from "../../libraries/RequestSignature.sol";

/// @title Accepts requests that are filled to listed recipients
/// @notice A recipient is listed for a chain, since the same address can be somebody else's on another one. It is a
/// bytes32, zeros on the left of an EVM address, so that recipients of other kinds of chains fit.
contract RecipientAllowList is IRequestPolicy, Ownable2Step {
    /// @notice Whether a recipient is listed for a chain.
    mapping(uint256 chainId => mapping(bytes32 recipient => bool)) public isAllowed;

    /// @notice A recipient was listed, or taken off the list.
    event RecipientSet(uint256 indexed chainId, bytes32 indexed recipient, bool allowed);

    /// @notice The recipient of the request is not listed for its destination chain.
    error RecipientNotAllowed(uint256 chainId, bytes32 recipient);

    constructor(address owner_) Ownable(owner_) {}

    /// @notice Lists a recipient for a chain, or takes it off the list.
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
