// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA as SoladyECDSA} from "solady/src/utils/ECDSA.sol";
import {RequestSignature} from "../../libraries/RequestSignature.sol";
import {SignedHash} from "../../libraries/SignedHash.sol";

/// @title Measures the gas of a second-version signature check in a contract that itself pays the request
contract FillGas {
    using RequestSignature for RequestSignature.Fill;

    address private immutable _solver;

    constructor(address solver) {
        _solver = solver;
    }

    /// @notice Checks with crosscall's library.
    function ofLibrary(RequestSignature.Fill calldata fill, address originCurrency, bytes calldata signature)
        external
        view
        returns (uint256)
    {
        uint256 before = gasleft();
        fill.requireSigned(originCurrency, _solver, signature);
        return before - gasleft();
    }

    /// @notice Checks packed words, and the signature in memory, with Solady, as LI.FI's RelayFacet does.
    function ofPackedWords(RequestSignature.Fill calldata fill, address originCurrency, bytes calldata signature)
        external
        view
        returns (uint256)
    {
        uint256 before = gasleft();
        bytes memory words = abi.encodePacked(
            fill.requestId,
            block.chainid,
            RequestSignature.word(address(this)),
            RequestSignature.word(originCurrency),
            fill.destinationChainId,
            fill.destinationUser,
            fill.destinationCurrency
        );
        bytes32 hash = SoladyECDSA.toEthSignedMessageHash(keccak256(words));
        address signer = SoladyECDSA.recover(hash, signature);
        if (signer != _solver) revert SignedHash.WrongSigner(signer, _solver);
        return before - gasleft();
    }
}
