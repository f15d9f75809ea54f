// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RequestSignature} from "../../libraries/RequestSignature.sol";

/// @title Contract that imports the library for the second version
contract SignatureV2Caller {
    using RequestSignature for RequestSignature.RequestV2;
    using RequestSignature for RequestSignature.Fill;

    /// @notice Hash of the seven words.
    function digest(RequestSignature.RequestV2 calldata request) external pure returns (bytes32) {
        return request.digest();
    }

    /// @notice The signed hash.
    function messageHash(RequestSignature.RequestV2 calldata request) external pure returns (bytes32) {
        return request.messageHash();
    }

    /// @notice Reverts unless the solver wallet signed.
    function requireSigned(RequestSignature.RequestV2 calldata request, address solver, bytes calldata signature)
        external
        view
    {
        request.requireSigned(solver, signature);
    }

    /// @notice Reverts unless the solver wallet signed a request that this contract pays.
    function requireSignedFill(
        RequestSignature.Fill calldata fill,
        address originCurrency,
        address solver,
        bytes calldata signature
    ) external view {
        fill.requireSigned(originCurrency, solver, signature);
    }

    /// @notice The signed hash of a request that this contract pays, in a currency with dirty upper bits. Also returns
    /// memory that the hash must not change, and the additional memory allocated.
    function dirtyHash(RequestSignature.Fill calldata fill, address currency)
        external
        view
        returns (bytes32 hash, bytes memory first, bytes memory none, uint256 allocated)
    {
        address dirty;
        assembly ("memory-safe") {
            dirty := or(currency, shl(160, not(0)))
        }
        first = abi.encode(fill);
        uint256 free = _freeMemory();
        hash = fill.messageHash(dirty);
        return (hash, first, none, _freeMemory() - free);
    }

    /// @notice An EVM address as a word.
    function word(address account) external pure returns (bytes32) {
        return RequestSignature.word(account);
    }

    function _freeMemory() private pure returns (uint256 free) {
        assembly ("memory-safe") {
            free := mload(0x40)
        }
    }
}
