// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Cheats, CHEATS} from "./Cheats.sol";

/// @title Changes made by a fill
/// @dev Stores the fill's storage writes. Undoing them temporarily shows any balance before the fill, even of accounts
/// that are only known afterwards.
library FillRecord {
    struct SlotWrite {
        address account;
        bytes32 slot;
        bytes32 previousValue;
    }

    struct NativeTransfer {
        address from;
        address to;
        uint256 amount;
    }

    struct Approval {
        address token;
        address owner;
        address spender;
    }

    /// @param isFilled Whether the last fill succeeded.
    /// @param writes Storage writes, in order.
    /// @param approvals Approvals made at any time during the fill.
    /// @param called The delivered token and each called account, without duplicates.
    struct Record {
        bool isFilled;
        SlotWrite[] writes;
        NativeTransfer[] transfers;
        Approval[] approvals;
        address[] called;
    }

    /// @param target The contract to call.
    /// @param data Call data for a function that returns one number.
    struct Getter {
        address target;
        bytes data;
    }

    // Values of `Cheats.AccountAccess.kind`.
    uint8 private constant _CALL = 0;
    uint8 private constant _CREATE = 4;
    uint8 private constant _SELF_DESTRUCT = 5;

    bytes4 private constant _INCREASE_ALLOWANCE = bytes4(keccak256("increaseAllowance(address,uint256)"));

    /// @dev More gas than a getter of any token needs, because other contracts can burn all of it.
    uint256 private constant _GETTER_GAS = 500_000;

    /// @dev Deletes the record of the last fill.
    function clear(Record storage record) internal {
        record.isFilled = false;
        delete record.writes;
        delete record.transfers;
        delete record.approvals;
        delete record.called;
    }

    /// @dev Records the accesses of a fill, except reverted accesses.
    /// @param currency The delivered currency.
    function save(Record storage record, Cheats.AccountAccess[] memory accesses, address currency) internal {
        record.isFilled = true;
        if (currency != address(0)) record.called.push(currency);
        for (uint256 i = 0; i < accesses.length; ++i) {
            Cheats.AccountAccess memory access = accesses[i];
            if (access.reverted) continue;
            if (access.kind == _CALL) _addCall(record, access);
            bool isTransfer = access.kind == _CALL || access.kind == _CREATE || access.kind == _SELF_DESTRUCT;
            if (isTransfer && access.value != 0) {
                record.transfers.push(NativeTransfer(access.accessor, access.account, access.value));
            }
            _addWrites(record, access.storageAccesses);
        }
    }

    /// @dev Change of a native balance.
    function nativeChangeOf(Record storage record, address account) internal view returns (int256 change) {
        for (uint256 i = 0; i < record.transfers.length; ++i) {
            NativeTransfer memory transfer = record.transfers[i];
            if (transfer.to == account) change += int256(transfer.amount);
            if (transfer.from == account) change -= int256(transfer.amount);
        }
    }

    /// @dev Values before the fill.
    function readBefore(Record storage record, Getter[] memory getters) internal returns (uint256[] memory values) {
        uint256 count = record.writes.length;
        bytes32[] memory current = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            current[i] = CHEATS.load(record.writes[i].account, record.writes[i].slot);
        }
        for (uint256 i = count; i > 0; --i) {
            SlotWrite memory write = record.writes[i - 1];
            CHEATS.store(write.account, write.slot, write.previousValue);
        }
        values = read(getters);
        for (uint256 i = 0; i < count; ++i) {
            CHEATS.store(record.writes[i].account, record.writes[i].slot, current[i]);
        }
    }

    /// @dev Current values; zero if a contract has no such function.
    function read(Getter[] memory getters) internal view returns (uint256[] memory values) {
        values = new uint256[](getters.length);
        for (uint256 i = 0; i < getters.length; ++i) {
            (bool success, bytes memory answer) = getters[i].target.staticcall{gas: _GETTER_GAS}(getters[i].data);
            if (success && answer.length == 32) values[i] = abi.decode(answer, (uint256));
        }
    }

    function _addCall(Record storage record, Cheats.AccountAccess memory access) private {
        if (!_contains(record.called, access.account)) record.called.push(access.account);
        bytes4 selector = bytes4(access.data);
        if (selector != IERC20.approve.selector && selector != _INCREASE_ALLOWANCE) return;
        if (access.data.length < 36) return;
        record.approvals.push(Approval(access.account, access.accessor, _firstArgument(access.data)));
    }

    function _addWrites(Record storage record, Cheats.StorageAccess[] memory accesses) private {
        for (uint256 i = 0; i < accesses.length; ++i) {
            Cheats.StorageAccess memory access = accesses[i];
            if (access.isWrite) record.writes.push(SlotWrite(access.account, access.slot, access.previousValue));
        }
    }

    function _contains(address[] storage accounts, address account) private view returns (bool) {
        for (uint256 i = 0; i < accounts.length; ++i) {
            if (accounts[i] == account) return true;
        }
        return false;
    }

    function _firstArgument(bytes memory data) private pure returns (address argument) {
        // Same as: (argument) = abi.decode(data[4:], (address)), which does not work for memory
        assembly ("memory-safe") {
            argument := mload(add(data, 36))
        }
    }
}
