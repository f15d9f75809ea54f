// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Reentrancy guard that nested calls cannot clear
/// @notice While a guarded function runs, all calls to the contract's guarded functions revert.
/// @dev Only the outermost entry releases the guard. The state is in transient storage, at a hashed slot, so that it
/// cannot collide with a variable of a contract that inherits this.
///
/// The build for chains without transient storage replaces `tload` with `sload` and `tstore` with `sstore`, and
/// releases the guard with 1, because writing a non-zero slot is cheaper.
abstract contract ReentryGuard {
    uint256 private constant _OPEN = 0;
    uint256 private constant _ENTERED = _OPEN + 1;

    /// @dev The ERC-7201 slot of `crosscall.ReentryGuard`.
    uint256 private constant _SLOT = 0x617edc8767e9c2519a1617821732ec4d826dbbfaf7db2f6c4cf975608c13c500;

    /// @notice A guarded function is already running.
    error Reentered();

    modifier nonReentrant() {
        if (_readState() > _OPEN) revert Reentered();
        _writeState(_ENTERED);
        _;
        _writeState(_OPEN);
    }

    function _readState() private view returns (uint256 state) {
        // The keyword `transient` requires Solidity 0.8.28, and uses more gas. Same as: state = _state
        assembly ("memory-safe") {
            state := tload(_SLOT)
        }
    }

    function _writeState(uint256 state) private {
        // As above. Same as: _state = state
        assembly ("memory-safe") {
            tstore(_SLOT, state)
        }
    }
}
