// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RequestSignature} from "../../libraries/RequestSignature.sol";

/// @title Contract that imports the library
contract SignatureCaller {
    using RequestSignature for RequestSignature.Request;

    /// @notice Hash of the seven words.
    function digest(RequestSignature.Request calldata request) external pure returns (bytes32) {
        return request.digest();
    }

    /// @notice The signed hash.
    function messageHash(RequestSignature.Request calldata request) external pure returns (bytes32) {
        return request.messageHash();
    }

    /// @notice Reverts unless the solver wallet signed.
    function requireSigned(RequestSignature.Request calldata request, address solver, bytes calldata signature)
        external
        view
    {
        request.requireSigned(solver, signature);
    }

    /// @notice Like `requireSigned`, and returns memory that the check must not change: the first allocated bytes (the
    /// seven words), and an empty bytes value, which is read from a fixed slot. Also returns the additional memory
    /// allocated.
    function memoryAfter(RequestSignature.Request calldata request, address solver, bytes calldata signature)
        external
        view
        returns (bytes memory first, bytes memory none, uint256 allocated)
    {
        first = abi.encode(request);
        uint256 free = _freeMemory();
        request.requireSigned(solver, signature);
        return (first, none, _freeMemory() - free);
    }

    function _freeMemory() private pure returns (uint256 free) {
        assembly ("memory-safe") {
            free := mload(0x40)
        }
    }
}
