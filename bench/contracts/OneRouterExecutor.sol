// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PushExecutor} from "../../contracts/executor/PushExecutor.sol";

/// @title The push executor with one more denied address: programs cannot call, approve or pay that router
/// @dev For comparison only.
contract OneRouterExecutor is PushExecutor {
    address private immutable _router;

    constructor(address router) {
        _router = router;
    }

    /// @inheritdoc PushExecutor
    function _isPrivileged(address account) internal view virtual override returns (bool isPrivileged) {
        isPrivileged = super._isPrivileged(account);
        address router = _router;
        // Branchless, as in the executor. Same as: isPrivileged = isPrivileged || account == router
        assembly ("memory-safe") {
            isPrivileged := or(isPrivileged, eq(account, router))
        }
    }
}
