// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {IRequestPolicy} from "../../interfaces/IRequestPolicy.sol";
import {RequestSignature} from "../../libraries/RequestSignature.sol";

/// @title Accepts requests while it is not paused
/// @notice A refused request reverts with `EnforcedPause`.
/// @dev Warning: an owner who renounces the ownership of a paused policy leaves its receivers without payments for good.
contract PausePolicy is IRequestPolicy, Ownable2Step, Pausable {
    constructor(address owner_) Ownable(owner_) {}

    /// @notice Refuses all requests from now on.
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
