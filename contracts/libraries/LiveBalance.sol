// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Reads live balances
library LiveBalance {
    /// @notice The token does not tell a balance: it has no code, reverts, or answers with less than a word.
    error BalanceUnreadable(address token);

    /// @notice What `holder` has of `token`, in its smallest unit. The zero address is the chain's native currency.
    function read(address token, address holder) internal view returns (uint256 amount) {
        if (token == address(0)) return holder.balance;
        bool success;
        // Saves the copies that Solidity makes of a call's data. Same as: amount = IERC20(token).balanceOf(holder)
        assembly ("memory-safe") {
            mstore(0, 0x70a0823100000000000000000000000000000000000000000000000000000000)
            mstore(4, holder)
            success := staticcall(gas(), token, 0, 36, 0, 32)
            success := and(success, gt(returndatasize(), 31))
            amount := mload(0)
        }
        if (!success) revert BalanceUnreadable(token);
    }
}
