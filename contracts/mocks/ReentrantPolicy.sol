// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IRequestPolicy} from "../interfaces/IRequestPolicy.sol";
import {RequestSignature} from "../libraries/RequestSignature.sol";

/// @title Policy that calls its caller, and bubbles revert data
contract ReentrantPolicy is IRequestPolicy {
    bytes private _data;

    /// @notice Sets the data of the call to the caller.
    function arm(bytes calldata data) external {
        _data = data;
    }

    /// @inheritdoc IRequestPolicy
    function check(RequestSignature.Request calldata) external view override returns (bytes4 accepted) {
        Address.functionStaticCall(msg.sender, _data);
        return IRequestPolicy.check.selector;
    }
}
