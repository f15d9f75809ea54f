// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IAttestationVerifier} from "../interfaces/IAttestationVerifier.sol";
import {OracleExecution} from "../libraries/OracleExecution.sol";
import {SignedHash} from "../libraries/SignedHash.sol";

/// @title Verifies that enough oracles signed an execution
/// @notice See `IAttestationVerifier` for the guarantees and their limits.
contract AttestationVerifier is IAttestationVerifier {
    using OracleExecution for OracleExecution.Execution;

    /// @inheritdoc IAttestationVerifier
    bytes32 public immutable override domainSeparator;

    /// @inheritdoc IAttestationVerifier
    uint256 public immutable override threshold;

    /// @inheritdoc IAttestationVerifier
    mapping(address account => bool) public override isSigner;

    address[] private _signers;

    /// @param signers_ The oracles, in ascending order.
    /// @param threshold_ Required number of signatures.
    /// @param oracleVersion Version of the oracle contract: `2` today, `1` before.
    /// @param hubChainId The hub's EVM chain id.
    /// @param oracle The oracle contract on the hub.
    constructor(
        address[] memory signers_,
        uint256 threshold_,
        string memory oracleVersion,
        uint256 hubChainId,
        address oracle
    ) {
        if (threshold_ == 0 || threshold_ > signers_.length) {
            revert ThresholdOutOfRange(threshold_, signers_.length);
        }
        if (oracle == address(0)) revert OracleIsZero();
        address previous = address(0);
        for (uint256 i = 0; i < signers_.length; ++i) {
            address signer = signers_[i];
            if (signer <= previous) revert SignersNotAscending(previous, signer);
            isSigner[signer] = true;
            previous = signer;
        }
        _signers = signers_;
        threshold = threshold_;
        domainSeparator = OracleExecution.domainSeparator(oracleVersion, hubChainId, oracle);
    }

    /// @inheritdoc IAttestationVerifier
    function verify(OracleExecution.Execution calldata execution, OracleSignature[] calldata signatures)
        external
        view
        override
        returns (bytes32 digest)
    {
        if (signatures.length < threshold) revert TooFewSignatures(signatures.length, threshold);
        digest = execution.digest(domainSeparator);
        address previous = address(0);
        for (uint256 i = 0; i < signatures.length; ++i) {
            address signer = signatures[i].signer;
            if (signer <= previous) revert SignaturesNotAscending(previous, signer);
            if (!isSigner[signer]) revert UnknownSigner(signer);
            SignedHash.requireSigned(digest, signer, signatures[i].signature);
            if (signer.code.length != 0) _requireOwn(digest, signatures, i);
            previous = signer;
        }
    }

    /// @inheritdoc IAttestationVerifier
    function hashExecution(OracleExecution.Execution calldata execution) external view override returns (bytes32) {
        return execution.digest(domainSeparator);
    }

    /// @inheritdoc IAttestationVerifier
    function signers() external view override returns (address[] memory) {
        return _signers;
    }

    /// @dev Reverts if the key behind a wallet's signature is another oracle, or signed for an earlier one.
    function _requireOwn(bytes32 digest, OracleSignature[] calldata signatures, uint256 index) private view {
        address wallet = signatures[index].signer;
        address key = SignedHash.recover(digest, signatures[index].signature);
        // Zero if the wallet has its own form of signatures.
        if (key == wallet || key == address(0)) return;
        bool isShared = isSigner[key];
        for (uint256 i = 0; i < index && !isShared; ++i) {
            isShared = SignedHash.recover(digest, signatures[i].signature) == key;
        }
        if (isShared) revert SignatureOfAnotherSigner(wallet, key);
    }
}
