// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title Stand-in for the Calibur batch executor, for local chains
/// @notice An account that delegates to this code (EIP-7702) runs batches of calls that its key signed, sent by anyone.
/// It has the interface, the EIP-712 domain, the type hashes and the errors of Calibur, but only supports the account's
/// own key.
/// @dev Place its code at {IMPLEMENTATION}. Warning: it has no other keys, hooks or limits. Do not use it on live
/// chains.
contract LocalBatchExecutor is IERC1271 {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    struct BatchedCall {
        Call[] calls;
        bool revertOnFailure;
    }

    struct SignedBatchedCall {
        BatchedCall batchedCall;
        uint256 nonce;
        bytes32 keyHash;
        address executor;
        uint256 deadline;
    }

    /// @custom:storage-location erc7201:crosscall.LocalBatchExecutor
    struct State {
        mapping(uint256 key => uint256 sequence) sequences;
    }

    /// @notice Calibur's address on live chains; part of the EIP-712 domain.
    address public constant IMPLEMENTATION = 0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00;

    bytes32 private constant _DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)");
    bytes32 private constant _CALL_TYPEHASH = keccak256("Call(address to,uint256 value,bytes data)");
    bytes32 private constant _BATCH_TYPEHASH =
        keccak256("BatchedCall(Call[] calls,bool revertOnFailure)" "Call(address to,uint256 value,bytes data)");
    bytes32 private constant _SIGNED_BATCH_TYPEHASH = keccak256(
        "SignedBatchedCall(BatchedCall batchedCall,uint256 nonce,bytes32 keyHash,address executor,uint256 deadline)"
        "BatchedCall(Call[] calls,bool revertOnFailure)" "Call(address to,uint256 value,bytes data)"
    );

    /// @dev keccak256(abi.encode(uint256(keccak256("crosscall.LocalBatchExecutor")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant _STATE_SLOT = 0x3302e2edcdb3f366635733b68d4d46bff67357db6c294e928234bee044d83700;

    /// @notice Only the account's own key (zero) is supported.
    error UnknownKey(bytes32 keyHash);

    /// @notice Another account must send the batch.
    error UnauthorizedExecutor(address caller, address executor);

    /// @notice The deadline of the batch has passed.
    error SignatureExpired(uint256 signatureDeadline);

    /// @notice The account did not sign this batch for this chain.
    error InvalidSignature();

    /// @notice The nonce was already used, or is not the next nonce of its key.
    error InvalidNonce();

    /// @notice A call of the batch failed.
    error CallFailed(bytes reason);

    receive() external payable {}

    /// @notice Runs a batch that the account signed.
    /// @param signedBatchedCall The signed batch.
    /// @param wrappedSignature `abi.encode(signature, hookData)`; hook data must be empty.
    function execute(SignedBatchedCall calldata signedBatchedCall, bytes calldata wrappedSignature) external payable {
        _consume(signedBatchedCall, wrappedSignature);
        Call[] calldata calls = signedBatchedCall.batchedCall.calls;
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory reason) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (!success && signedBatchedCall.batchedCall.revertOnFailure) revert CallFailed(reason);
        }
    }

    /// @inheritdoc IERC1271
    /// @dev Accepts ECDSA signatures of 64 or 65 bytes by the account's own key, so tokens still accept its permits.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view override returns (bytes4) {
        (address signer, ECDSA.RecoverError failure,) = signature.length == 64
            ? ECDSA.tryRecover(hash, bytes32(signature[:32]), bytes32(signature[32:]))
            : ECDSA.tryRecover(hash, signature);
        return failure == ECDSA.RecoverError.NoError && signer == address(this)
            ? IERC1271.isValidSignature.selector
            : bytes4(0xffffffff);
    }

    /// @notice The next sequence number of a nonce key.
    /// @param key The upper 192 bits of nonces.
    function getSeq(uint256 key) external view returns (uint256) {
        return _state().sequences[key];
    }

    function _consume(SignedBatchedCall calldata batch, bytes calldata wrappedSignature) private {
        if (batch.keyHash != bytes32(0)) revert UnknownKey(batch.keyHash);
        if (batch.executor != address(0) && batch.executor != msg.sender) {
            revert UnauthorizedExecutor(msg.sender, batch.executor);
        }
        if (batch.deadline != 0 && block.timestamp > batch.deadline) {
            revert SignatureExpired(batch.deadline);
        }
        (bytes memory signature,) = abi.decode(wrappedSignature, (bytes, bytes));
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(_hash(batch), signature);
        if (failure != ECDSA.RecoverError.NoError || signer != address(this)) revert InvalidSignature();
        uint256 key = batch.nonce >> 64;
        if (batch.nonce != ((key << 64) | _state().sequences[key])) revert InvalidNonce();
        ++_state().sequences[key];
    }

    function _hash(SignedBatchedCall calldata batch) private view returns (bytes32) {
        Call[] calldata calls = batch.batchedCall.calls;
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            hashes[i] = keccak256(abi.encode(_CALL_TYPEHASH, calls[i].to, calls[i].value, keccak256(calls[i].data)));
        }
        bytes32 batchHash = keccak256(
            abi.encode(_BATCH_TYPEHASH, keccak256(abi.encodePacked(hashes)), batch.batchedCall.revertOnFailure)
        );
        bytes32 structHash = keccak256(
            abi.encode(_SIGNED_BATCH_TYPEHASH, batchHash, batch.nonce, batch.keyHash, batch.executor, batch.deadline)
        );
        bytes32 domain = keccak256(
            abi.encode(
                _DOMAIN_TYPEHASH,
                keccak256("Calibur"),
                keccak256("1.0.0"),
                block.chainid,
                address(this),
                bytes32(uint256(uint160(IMPLEMENTATION)))
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, structHash));
    }

    function _state() private pure returns (State storage state) {
        bytes32 slot = _STATE_SLOT;
        // Solidity has no other way to place a struct at a slot.
        assembly ("memory-safe") {
            state.slot := slot
        }
    }
}
