// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {SignedHash} from "./SignedHash.sol";

/// @title The service's signature over a request
/// @notice The service's solver wallet signs seven words of a request. This library hashes them and checks the
/// signature.
/// @dev Warning: a signature contains neither a contract nor a time. It is valid on every contract that trusts the same
/// solver wallet, and does not expire. A contract that acts on it must record the requestId, not the signature, and
/// must compare `originChainId` with its own chain.
///
/// Warning: the words do not include the orderId of a deposit, so this does not link a request to an order.
library RequestSignature {
    /// @dev An EVM address is padded with zeros on the left. An address of another VM is the raw 32 bytes of its
    /// native encoding.
    /// @param requestId The request's id.
    /// @param originChainId Chain of the payment.
    /// @param originUser The payer.
    /// @param originCurrency Currency of the payment; zero is the native currency of an EVM chain.
    /// @param originAmount Exact amount of the payment, in the smallest unit.
    /// @param destinationChainId Chain of the fill.
    /// @param destinationUser Recipient of the fill.
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

    /// @notice The signed hash: the digest as an EIP-191 personal message of 32 bytes.
    function messageHash(Request calldata request) internal pure returns (bytes32 hash) {
        // Saves the memory copy of abi.encode. Same as:
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

    /// @notice Reverts with an error of `SignedHash` unless the solver wallet signed the request.
    /// @param request The seven words.
    /// @param solver The service's solver wallet, an account or an ERC-1271 contract.
    /// @param signature Its signature.
    function requireSigned(Request calldata request, address solver, bytes calldata signature) internal view {
        SignedHash.requireSigned(messageHash(request), solver, signature);
    }
}
