// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {IRequestPolicy} from "../../interfaces/IRequestPolicy.sol";
import {RequestSignature} from "../../libraries/RequestSignature.sol";

/// @title Accepts requests while it is not paused
/// @notice While paused, requests revert with `EnforcedPause`.
/// @dev Warning: renouncing the ownership of a paused policy pauses its receivers forever.
contract PausePolicy is IRequestPolicy, Ownable2Step, Pausable {
    constructor(address owner_) Ownable(owner_) {}

    /// @notice Rejects all requests until `unpause`.
    function pause() external onlyOwner {
        _pause();
    }

    /// @notice Accepts requests again.
    function unpause() external onlyOwner {
        _unpause();
    }

    /// @inheritdoc IRequestPolicy
    function check(RequestSignature.Request calldata) external view override whenNotPaused returns (bytes4 accepted) {
        return IRequestPolicy.check.selector;
    }
}
