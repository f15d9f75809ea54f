// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {OracleExecution} from "../libraries/OracleExecution.sol";

/// @title Verifies that enough oracles signed an execution
/// @notice Has a fixed set of oracles and a threshold. An execution passes if at least that many different oracles
/// signed it for one oracle contract on one hub. An oracle is a key or an ERC-1271 wallet. The verifier has no owner,
/// its configuration never changes, and it works on any chain.
/// @dev Warning: the verifier is stateless. An execution that passed once passes forever on every verifier that trusts
/// the same oracles, so contracts that act on an execution must record its idempotencyKey.
///
/// Warning: list either a wallet or its keys, and no two wallets with a common key. One signature of a key does not count
/// for two oracles, but a wallet can require its keys to sign another hash, or have its own form of signatures: the
/// verifier cannot detect that one key signed for two such wallets. Each listed wallet's owners can also change.
///
/// Warning: a threshold of colluding oracles can make anything pass. To remove an oracle after it loses its key, deploy
/// another verifier.
interface IAttestationVerifier {
    /// @param signer The oracle.
    /// @param signature 64 or 65 bytes if the oracle is a key, or any bytes that its wallet accepts.
    struct OracleSignature {
        address signer;
        bytes signature;
    }

    /// @notice The oracles must be unique, in ascending order, without the zero address.
    error SignersNotAscending(address previous, address signer);

    /// @notice The threshold must be at least one, and at most the number of oracles.
    error ThresholdOutOfRange(uint256 threshold, uint256 signers);

    /// @notice The oracle contract cannot be the zero address.
    error OracleIsZero();

    /// @notice Fewer oracles signed than required.
    error TooFewSignatures(uint256 signatures, uint256 threshold);

    /// @notice The signatures are not in ascending order of their signers, or a signer is repeated.
    error SignaturesNotAscending(address previous, address signer);

    /// @notice The signer is not one of the oracles.
    error UnknownSigner(address signer);

    /// @notice An oracle's wallet accepted a signature made by another oracle's key, or by the key that signed for another
    /// oracle's wallet, which would count twice.
    error SignatureOfAnotherSigner(address wallet, address key);

    /// @notice Reverts unless enough oracles signed the execution.
    /// @dev All given signatures must be valid, even beyond the threshold; invalid ones revert with the errors of
    /// `SignedHash`.
    /// @param execution The execution that the oracles signed.
    /// @param signatures The signatures, in ascending order of their signers.
    /// @return digest The signed digest.
    function verify(OracleExecution.Execution calldata execution, OracleSignature[] calldata signatures)
        external
        view
        returns (bytes32 digest);

    /// @notice The digest of an execution that oracles sign.
    /// @param execution The execution.
    function hashExecution(OracleExecution.Execution calldata execution) external view returns (bytes32);

    /// @notice The EIP-712 domain of the oracle contract.
    function domainSeparator() external view returns (bytes32);

    /// @notice Required number of signatures.
    function threshold() external view returns (uint256);

    /// @notice Whether an account is one of the oracles.
    /// @param account Any address.
    function isSigner(address account) external view returns (bool);

    /// @notice The oracles, in ascending order.
    function signers() external view returns (address[] memory);
}
