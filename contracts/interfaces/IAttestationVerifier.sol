// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {OracleExecution} from "../libraries/OracleExecution.sol";

/// @title Tells whether enough oracles have signed an execution
/// @notice Knows some oracles by their addresses and how many of them are enough. An execution passes when so many
/// different ones have signed exactly it, for one oracle contract on one hub. An oracle is a key or an ERC-1271 wallet.
/// Nobody owns the verifier: what it trusts is fixed when it is deployed, and it may stand on any chain.
///
/// @dev Warning: it remembers nothing. An execution that passed once passes for ever, on every verifier that trusts the
/// same oracles: whoever acts on one must remember its idempotencyKey.
///
/// Warning: as many oracles as are enough, together, can make anything pass. An oracle whose key is lost is got rid of
/// by using another verifier.
interface IAttestationVerifier {
    /// @param signer The oracle.
    /// @param signature Its signature: 65 or 64 bytes of a key, or whatever its wallet takes.
    struct OracleSignature {
        address signer;
        bytes signature;
    }

    /// @notice The oracles are given in ascending order, without the zero address: so none is given twice.
    error SignersNotAscending(address previous, address signer);

    /// @notice One oracle at least must be needed, and not more than there are.
    error ThresholdOutOfRange(uint256 threshold, uint256 signers);

    /// @notice An oracle contract has an address.
    error OracleIsZero();

    /// @notice Fewer have signed than are needed.
    error TooFewSignatures(uint256 signatures, uint256 threshold);

    /// @notice The signatures are not in the ascending order of their signers, or one signer is there twice.
    error SignaturesNotAscending(address previous, address signer);

    /// @notice This is none of the oracles.
    error UnknownSigner(address signer);

    /// @notice Reverts unless enough oracles have signed the execution.
    /// @dev All signatures that are given must be right, also those beyond what is needed; what is wrong with one is said
    /// by the errors of `SignedHash`.
    /// @param execution What the oracles have signed.
    /// @param signatures In ascending order of their signers.
    /// @return digest What was signed.
    function verify(
        OracleExecution.Execution calldata execution,
        OracleSignature[] calldata signatures
    ) external view returns (bytes32 digest);

    /// @notice What oracles sign of an execution.
    /// @param execution The order.
    function hashExecution(OracleExecution.Execution calldata execution) external view returns (bytes32);

    /// @notice The EIP-712 domain of the oracle contract.
    function domainSeparator() external view returns (bytes32);

    /// @notice So many oracles are enough.
    function threshold() external view returns (uint256);

    /// @notice Whether this is one of the oracles.
    /// @param account Any address.
    function isSigner(address account) external view returns (bool);

    /// @notice The oracles, in ascending order.
    function signers() external view returns (address[] memory);
}
