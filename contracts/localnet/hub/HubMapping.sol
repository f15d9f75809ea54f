// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IAttestationVerifier} from "../../interfaces/IAttestationVerifier.sol";
import {HubSigned} from "./HubSigned.sol";

/// @title The generic mapping of the local settlement hub
/// @notice Stores statements that oracles signed: that a solver did not settle an order, or the id that a wallet's
/// nonce represents.
abstract contract HubMapping is HubSigned {
    struct Entry {
        bytes data;
        uint256 createdAt;
    }

    bytes32 private constant _SET_ENTRY_TYPEHASH =
        keccak256("SetEntry(address user,bytes32 id,bytes data,bytes32 nonce)");

    mapping(address user => mapping(bytes32 id => Entry)) private _entries;

    mapping(address user => mapping(bytes32 nonce => bool)) private _usedNonces;

    /// @notice An entry was set.
    event EntrySet(address indexed user, bytes32 indexed id, bytes data);

    /// @notice An entry with this nonce was already set.
    error EntryRepeated(address user, bytes32 nonce);

    /// @notice Sets an entry that enough oracles signed.
    /// @param user The hub account that the entry belongs to.
    /// @param id The entry's id.
    /// @param data The entry's data.
    /// @param nonce Nonce, valid once per account.
    /// @param signatures The signatures, in ascending order of their signers.
    function setEntry(
        address user,
        bytes32 id,
        bytes calldata data,
        bytes32 nonce,
        IAttestationVerifier.OracleSignature[] calldata signatures
    ) external {
        if (_usedNonces[user][nonce]) revert EntryRepeated(user, nonce);
        _usedNonces[user][nonce] = true;
        bytes32 structHash = keccak256(abi.encode(_SET_ENTRY_TYPEHASH, user, id, keccak256(data), nonce));
        _requireOracles("RelayGenericMapping", structHash, signatures);
        _entries[user][id] = Entry(data, block.timestamp);
        emit EntrySet(user, id, data);
    }

    /// @notice An entry; its time is zero if it does not exist.
    /// @param user The hub account.
    /// @param id The entry's id.
    function getEntry(address user, bytes32 id) external view returns (bytes memory data, uint256 createdAt) {
        Entry storage entry = _entries[user][id];
        return (entry.data, entry.createdAt);
    }
}
