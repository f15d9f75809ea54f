// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Guard against reentry that no nested call can clear
/// @notice While a guarded function runs, every other entry into a guarded function of the contract reverts.
/// @dev Only the entry that took the guard gives it back, so nothing that runs in between can open it. The flag is a
/// `transient` variable; the build for chains without transient storage drops that keyword, and the same code keeps
/// the flag in storage. It is given back as a number other than zero, since a slot in use is cheaper to write.
abstract contract ReentryGuard {
    uint256 private constant _OPEN = 1;
    uint256 private constant _ENTERED = 2;

    uint256 private transient _state;

    /// @notice A guarded function is running already.
    error Reentered();

    modifier nonReentrant() {
        if (_state == _ENTERED) revert Reentered();
        _state = _ENTERED;
        _;
        _state = _OPEN;
    }
}
