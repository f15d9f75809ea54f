// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OneRouterExecutor} from "./OneRouterExecutor.sol";

/// @title {OneRouterExecutor} with a second denied router
/// @dev For comparison only.
contract TwoRoutersExecutor is OneRouterExecutor {
    address private immutable _second;

    constructor(address first, address second) OneRouterExecutor(first) {
        _second = second;
    }

    /// @inheritdoc OneRouterExecutor
    function _isPrivileged(address account) internal view override returns (bool isPrivileged) {
        isPrivileged = super._isPrivileged(account);
        address second = _second;
        // Branchless, as in the executor. Same as: isPrivileged = isPrivileged || account == second
        assembly ("memory-safe") {
            isPrivileged := or(isPrivileged, eq(account, second))
        }
    }
}
