// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {RequestSignature} from "../libraries/RequestSignature.sol";

/// @title Measures what a signature check costs inside a contract
contract SignatureGas {
    using RequestSignature for RequestSignature.Request;

    address private immutable _solver;

    constructor(address solver) {
        _solver = solver;
    }

    /// @notice The gas between entering and leaving the check of the library, hashing included.
    function ofLibrary(
        RequestSignature.Request calldata request,
        bytes calldata signature
    ) external view returns (uint256) {
        uint256 before = gasleft();
        request.requireSigned(_solver, signature);
        return before - gasleft();
    }

    /// @notice The same by OpenZeppelin, in its form for calldata.
    function ofOpenZeppelin(
        RequestSignature.Request calldata request,
        bytes calldata signature
    ) external view returns (uint256) {
        uint256 before = gasleft();
        bytes32 hash = MessageHashUtils.toEthSignedMessageHash(keccak256(abi.encode(request)));
        address signer = ECDSA.recoverCalldata(hash, signature);
        if (signer != _solver) revert RequestSignature.WrongSigner(signer, _solver);
        return before - gasleft();
    }
}
