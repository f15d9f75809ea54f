// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Reentrancy guard that nested calls cannot clear
/// @notice While a guarded function runs, every call of a guarded function of the contract reverts.
/// @dev Only the outermost entry releases the guard. The flag is a `transient` variable. The build for chains without
/// transient storage removes that keyword and keeps the flag in storage; the open state is not zero, since writing a
/// slot in use is cheaper.
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
