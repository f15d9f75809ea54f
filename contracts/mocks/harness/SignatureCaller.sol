// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RequestSignature} from "../../libraries/RequestSignature.sol";

/// @title A contract that imports the library
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

    /// @notice The same. Returns memory of the caller that the check must not change: the first bytes that it allocated,
    /// here the seven words, and bytes without a value, which are read from a fixed place. Also returns how much more
    /// memory is allocated afterwards.
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
