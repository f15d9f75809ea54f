// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Guards nothing.
abstract contract ReentryGuard {
    modifier nonReentrant() {
        _;
    }
}
