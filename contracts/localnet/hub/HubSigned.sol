// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IAttestationVerifier} from "../../interfaces/IAttestationVerifier.sol";
import {OracleExecution} from "../../libraries/OracleExecution.sol";
import {SignedHash} from "../../libraries/SignedHash.sol";

/// @title Base of the local settlement hub's parts: its oracles, and the ids of accounts and tokens
/// @dev The verifier is the only immutable, so that the runtime code with its address can be placed at any address.
abstract contract HubSigned {
    /// @notice The hub's chain id in signed data, the same on every chain.
    uint256 public constant HUB_CHAIN_ID = 31_337;

    bytes32 private constant _VERSION_HASH = keccak256("1");

    /// @notice The verifier of executions, with the oracles and their threshold.
    IAttestationVerifier public immutable verifier;

    /// @param verifier_ See `verifier`.
    constructor(IAttestationVerifier verifier_) {
        verifier = verifier_;
    }

    /// @dev Reverts unless enough oracles signed the EIP-712 struct for this contract under this name. The errors are
    /// those of the verifier and of `SignedHash`.
    function _requireOracles(
        string memory name,
        bytes32 structHash,
        IAttestationVerifier.OracleSignature[] calldata signatures
    ) internal view returns (bytes32 digest) {
        uint256 threshold = verifier.threshold();
        if (signatures.length < threshold) {
            revert IAttestationVerifier.TooFewSignatures(signatures.length, threshold);
        }
        digest = _digest(name, HUB_CHAIN_ID, address(this), structHash);
        address previous = address(0);
        for (uint256 i = 0; i < signatures.length; ++i) {
            address signer = signatures[i].signer;
            if (signer <= previous) revert IAttestationVerifier.SignaturesNotAscending(previous, signer);
            if (!verifier.isSigner(signer)) revert IAttestationVerifier.UnknownSigner(signer);
            SignedHash.requireSigned(digest, signer, signatures[i].signature);
            previous = signer;
        }
    }

    /// @dev The EIP-712 digest in a domain of version `1`.
    function _digest(string memory name, uint256 chainId, address contract_, bytes32 structHash)
        internal
        pure
        returns (bytes32)
    {
        bytes32 domain = keccak256(
            abi.encode(OracleExecution.DOMAIN_TYPEHASH, keccak256(bytes(name)), _VERSION_HASH, chainId, contract_)
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    /// @dev The hub account of an address on a chain.
    function _aliasOf(string memory chainId, bytes memory account) internal pure returns (address) {
        return address(uint160(_tokenOf(chainId, account)));
    }

    /// @dev The token that represents a currency on a chain.
    function _tokenOf(string memory chainId, bytes memory currency) internal pure returns (uint256) {
        return uint256(keccak256(abi.encodePacked(chainId, currency)));
    }
}
