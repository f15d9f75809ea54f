// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Reads live balances and allowances
library LiveBalance {
    /// @notice A balance or allowance cannot be read: the token has no code, reverts, or returns less than a word.
    error BalanceUnreadable(address token);

    /// @notice Balance of `holder` in `token`, in the smallest unit. The zero address is the native currency.
    function read(address token, address holder) internal view returns (uint256 amount) {
        if (token == address(0)) return holder.balance;
        return ofToken(token, holder);
    }

    /// @notice Balance of `holder` in a token other than native currency.
    function ofToken(address token, address holder) internal view returns (uint256 amount) {
        bool success;
        // Saves Solidity's memory copies of the call data. Same as: amount = IERC20(token).balanceOf(holder)
        assembly ("memory-safe") {
            mstore(0, 0x70a0823100000000000000000000000000000000000000000000000000000000)
            // The legacy code generator does not clear the upper bits of an address.
            mstore(4, and(holder, 0xffffffffffffffffffffffffffffffffffffffff))
            success := staticcall(gas(), token, 0, 36, 0, 32)
            success := and(success, gt(returndatasize(), 31))
            amount := mload(0)
        }
        if (!success) revert BalanceUnreadable(token);
    }

    /// @notice Allowance of `spender` for the `token` of `holder`, in the smallest unit.
    function allowance(address token, address holder, address spender) internal view returns (uint256 amount) {
        bool success;
        // As above. Same as: amount = IERC20(token).allowance(holder, spender)
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, 0xdd62ed3e00000000000000000000000000000000000000000000000000000000)
            mstore(add(free, 4), and(holder, 0xffffffffffffffffffffffffffffffffffffffff))
            mstore(add(free, 36), and(spender, 0xffffffffffffffffffffffffffffffffffffffff))
            success := staticcall(gas(), token, free, 68, 0, 32)
            success := and(success, gt(returndatasize(), 31))
            amount := mload(0)
        }
        if (!success) revert BalanceUnreadable(token);
    }
}
