// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Guard against reentry that no nested call can clear
/// @notice While a guarded function runs, every other entry into a guarded function of the contract reverts.
/// @dev Only the entry that took the guard gives it back, so nothing that runs in between can open it. The flag is a
/// `transient` variable; the build for chains without transient storage drops that keyword, and the same code keeps
/// the flag in storage.
abstract contract ReentryGuard {
    /// @notice A guarded function is running already.
    error Reentered();

    bool private transient _entered;

    modifier nonReentrant() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }
}
