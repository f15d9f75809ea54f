// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {SignedHash} from "./SignedHash.sol";

/// @title The service's signature over a request
/// @notice The service's solver wallet signs seven words of a request. This library hashes them and checks who signed.
/// @dev Warning: a signature names neither a contract nor a time. It holds on every contract that trusts the same
/// solver wallet, and forever: whoever acts on it must remember the requestId, never the signature, and must compare
/// `originChainId` with the chain it runs on.
///
/// Warning: the orderId of a deposit is not among the words. Nothing here tells which order belongs to a request.
library RequestSignature {
    /// @dev An EVM address becomes its bytes32 by zeros on the left. An address of another kind of chain is the raw 32
    /// bytes of its native encoding.
    /// @param requestId The request.
    /// @param originChainId The chain that the payment is made on.
    /// @param originUser Who pays.
    /// @param originCurrency What is paid in; zero is the native currency of an EVM chain.
    /// @param originAmount What is paid, exactly.
    /// @param destinationChainId The chain that the fill happens on.
    /// @param destinationUser Who gets the fill.
    struct Request {
        bytes32 requestId;
        uint256 originChainId;
        bytes32 originUser;
        bytes32 originCurrency;
        uint256 originAmount;
        uint256 destinationChainId;
        bytes32 destinationUser;
    }

    /// @notice Hash of the seven words.
    function digest(Request calldata request) internal pure returns (bytes32) {
        return keccak256(abi.encode(request));
    }

    /// @notice What is signed: the digest, as EIP-191 personal message of 32 bytes.
    function messageHash(Request calldata request) internal pure returns (bytes32 hash) {
        // Saves the copy that abi.encode makes in memory for good. The same in Solidity:
        //   hash = MessageHashUtils.toEthSignedMessageHash(keccak256(abi.encode(request)));
        // Writes beyond the free memory pointer and in the scratch space only.
        assembly ("memory-safe") {
            let free := mload(0x40)
            calldatacopy(free, request, 224)
            mstore(0x00, "\x19Ethereum Signed Message:\n32")
            mstore(0x1c, keccak256(free, 224))
            hash := keccak256(0x00, 0x3c)
        }
    }

    /// @notice Reverts unless the solver wallet signed exactly this request, with the errors of `SignedHash`.
    /// @param request The seven words.
    /// @param solver The service's solver wallet, an account or an ERC-1271 contract.
    /// @param signature Its signature.
    function requireSigned(Request calldata request, address solver, bytes calldata signature) internal view {
        SignedHash.requireSigned(messageHash(request), solver, signature);
    }
}
