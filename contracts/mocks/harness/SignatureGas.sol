// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ECDSA as SoladyECDSA} from "solady/src/utils/ECDSA.sol";
import {SignatureCheckerLib} from "solady/src/utils/SignatureCheckerLib.sol";
import {RequestSignature} from "../../libraries/RequestSignature.sol";
import {SignedHash} from "../../libraries/SignedHash.sol";

/// @title Measures the gas of a signature check inside a contract
/// @notice Each function returns the gas to hash the seven words, recover the signer of the message, and revert unless
/// it is the solver wallet.
contract SignatureGas {
    using RequestSignature for RequestSignature.Request;

    address private immutable _solver;

    constructor(address solver) {
        _solver = solver;
    }

    /// @notice Checks with crosscall's library.
    function ofLibrary(RequestSignature.Request calldata request, bytes calldata signature)
        external
        view
        returns (uint256)
    {
        uint256 before = gasleft();
        request.requireSigned(_solver, signature);
        return before - gasleft();
    }

    /// @notice Checks with OpenZeppelin, from memory. Requires low s and 65 bytes.
    function ofOpenZeppelin(RequestSignature.Request calldata request, bytes calldata signature)
        external
        view
        returns (uint256)
    {
        uint256 before = gasleft();
        bytes32 hash = MessageHashUtils.toEthSignedMessageHash(keccak256(abi.encode(request)));
        _requireSolver(ECDSA.recover(hash, signature));
        return before - gasleft();
    }

    /// @notice Checks with OpenZeppelin, from calldata. Requires low s and 65 bytes.
    function ofOpenZeppelinCalldata(RequestSignature.Request calldata request, bytes calldata signature)
        external
        view
        returns (uint256)
    {
        uint256 before = gasleft();
        bytes32 hash = MessageHashUtils.toEthSignedMessageHash(keccak256(abi.encode(request)));
        _requireSolver(ECDSA.recoverCalldata(hash, signature));
        return before - gasleft();
    }

    /// @notice Checks with Solady, from memory. Accepts high s, and 64 or 65 bytes.
    function ofSolady(RequestSignature.Request calldata request, bytes calldata signature)
        external
        view
        returns (uint256)
    {
        uint256 before = gasleft();
        bytes32 hash = SoladyECDSA.toEthSignedMessageHash(keccak256(abi.encode(request)));
        _requireSolver(SoladyECDSA.recover(hash, signature));
        return before - gasleft();
    }

    /// @notice Checks with Solady, from calldata. Accepts high s, and 64 or 65 bytes.
    function ofSoladyCalldata(RequestSignature.Request calldata request, bytes calldata signature)
        external
        view
        returns (uint256)
    {
        uint256 before = gasleft();
        bytes32 hash = SoladyECDSA.toEthSignedMessageHash(keccak256(abi.encode(request)));
        _requireSolver(SoladyECDSA.recoverCalldata(hash, signature));
        return before - gasleft();
    }

    /// @notice Checks ERC-1271 wallets too, with Solady, from calldata. Accepts high s, and 64 or 65 bytes.
    function ofSoladyChecker(RequestSignature.Request calldata request, bytes calldata signature)
        external
        view
        returns (uint256)
    {
        uint256 before = gasleft();
        bytes32 hash = SoladyECDSA.toEthSignedMessageHash(keccak256(abi.encode(request)));
        if (!SignatureCheckerLib.isValidSignatureNowCalldata(_solver, hash, signature)) _requireSolver(address(0));
        return before - gasleft();
    }

    function _requireSolver(address signer) private view {
        if (signer != _solver) revert SignedHash.WrongSigner(signer, _solver);
    }
}
