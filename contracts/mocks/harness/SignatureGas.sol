// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ECDSA as SoladyECDSA} from "solady/src/utils/ECDSA.sol";
import {SignatureCheckerLib} from "solady/src/utils/SignatureCheckerLib.sol";
import {RequestSignature} from "../../libraries/RequestSignature.sol";
import {SignedHash} from "../../libraries/SignedHash.sol";

/// @title Measures what a signature check costs inside a contract
/// @notice Each function returns the gas between entering and leaving the same job: hash the seven words, recover who
/// signed the message, and revert unless it was the solver wallet.
contract SignatureGas {
    using RequestSignature for RequestSignature.Request;

    address private immutable _solver;

    constructor(address solver) {
        _solver = solver;
    }

    /// @notice By the library of the kit.
    function ofLibrary(
        RequestSignature.Request calldata request,
        bytes calldata signature
    ) external view returns (uint256) {
        uint256 before = gasleft();
        request.requireSigned(_solver, signature);
        return before - gasleft();
    }

    /// @notice By OpenZeppelin, in its form for memory. Enforces low s; takes 65 bytes.
    function ofOpenZeppelin(
        RequestSignature.Request calldata request,
        bytes calldata signature
    ) external view returns (uint256) {
        uint256 before = gasleft();
        bytes32 hash = MessageHashUtils.toEthSignedMessageHash(keccak256(abi.encode(request)));
        _requireSolver(ECDSA.recover(hash, signature));
        return before - gasleft();
    }

    /// @notice By OpenZeppelin, in its form for calldata. Enforces low s; takes 65 bytes.
    function ofOpenZeppelinCalldata(
        RequestSignature.Request calldata request,
        bytes calldata signature
    ) external view returns (uint256) {
        uint256 before = gasleft();
        bytes32 hash = MessageHashUtils.toEthSignedMessageHash(keccak256(abi.encode(request)));
        _requireSolver(ECDSA.recoverCalldata(hash, signature));
        return before - gasleft();
    }

    /// @notice By Solady, in its form for memory. Accepts high s; takes 65 and 64 bytes.
    function ofSolady(
        RequestSignature.Request calldata request,
        bytes calldata signature
    ) external view returns (uint256) {
        uint256 before = gasleft();
        bytes32 hash = SoladyECDSA.toEthSignedMessageHash(keccak256(abi.encode(request)));
        _requireSolver(SoladyECDSA.recover(hash, signature));
        return before - gasleft();
    }

    /// @notice By Solady, in its form for calldata. Accepts high s; takes 65 and 64 bytes.
    function ofSoladyCalldata(
        RequestSignature.Request calldata request,
        bytes calldata signature
    ) external view returns (uint256) {
        uint256 before = gasleft();
        bytes32 hash = SoladyECDSA.toEthSignedMessageHash(keccak256(abi.encode(request)));
        _requireSolver(SoladyECDSA.recoverCalldata(hash, signature));
        return before - gasleft();
    }

    /// @notice By Solady, with ERC-1271 wallets, in its form for calldata. Accepts high s; takes 65 and 64 bytes.
    function ofSoladyChecker(
        RequestSignature.Request calldata request,
        bytes calldata signature
    ) external view returns (uint256) {
        uint256 before = gasleft();
        bytes32 hash = SoladyECDSA.toEthSignedMessageHash(keccak256(abi.encode(request)));
        if (!SignatureCheckerLib.isValidSignatureNowCalldata(_solver, hash, signature)) _requireSolver(address(0));
        return before - gasleft();
    }

    function _requireSolver(address signer) private view {
        if (signer != _solver) revert SignedHash.WrongSigner(signer, _solver);
    }
}
