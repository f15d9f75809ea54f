// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Any signature is valid or not.
library RequestSignature {
    struct Request {
        bytes32 requestId;
        uint256 originChainId;
        bytes32 originUser;
        bytes32 originCurrency;
        uint256 originAmount;
        uint256 destinationChainId;
        bytes32 destinationUser;
    }

    function requireSigned(Request calldata request, address solver, bytes calldata signature) internal pure {
        require(keccak256(abi.encode(request.requestId, solver, signature)) != bytes32(0));
    }
}
