// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Cheats, CHEATS} from "./Cheats.sol";

/// @title Increases token balances in tests by writing to the token's storage
library BalanceSlot {
    /// @notice No single storage slot contains the balance, for example of a rebasing token. Override `deliver`, for
    /// example with a transfer from a holder.
    error BalanceNotWritable(address token, address account);

    /// @dev Adds to the slot that `balanceOf` reads. The token's total supply stays the same.
    /// @param token An ERC-20 token.
    /// @param account Account that receives the amount.
    /// @param amount Amount to add, in the smallest unit.
    function increase(address token, address account, uint256 amount) internal {
        CHEATS.startStateDiffRecording();
        uint256 increased = IERC20(token).balanceOf(account) + amount;
        Cheats.AccountAccess[] memory accesses = CHEATS.stopAndReturnStateDiff();
        // Starts with the last read, which is usually the balance.
        for (uint256 i = accesses.length; i > 0; --i) {
            Cheats.StorageAccess[] memory reads = accesses[i - 1].storageAccesses;
            for (uint256 j = reads.length; j > 0; --j) {
                _add(reads[j - 1], amount);
                if (_balanceOf(token, account) == increased) return;
                CHEATS.store(reads[j - 1].account, reads[j - 1].slot, reads[j - 1].previousValue);
            }
        }
        revert BalanceNotWritable(token, account);
    }

    function _add(Cheats.StorageAccess memory read, uint256 amount) private {
        // An overflow shows in the balance.
        unchecked {
            CHEATS.store(read.account, read.slot, bytes32(uint256(read.previousValue) + amount));
        }
    }

    /// @dev Zero if the balance cannot be read, because a changed word can break the token.
    function _balanceOf(address token, address account) private view returns (uint256 amount) {
        (bool success, bytes memory answer) = token.staticcall(abi.encodeCall(IERC20.balanceOf, (account)));
        if (success && answer.length > 31) amount = abi.decode(answer, (uint256));
    }
}
