// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {SignedHash} from "./SignedHash.sol";

/// @title The service's signature over a request
/// @notice The service's solver wallet signs seven words of a request, in two versions. This library hashes them and
/// checks the signature.
/// @dev `Request` is the first version, with the amount of the payment. `RequestV2` is the second, with the currency of
/// the fill. `Fill` is the second version of a request that the calling contract itself pays.
///
/// Warning: a signature contains no time, so it does not expire. Only `Fill` binds it to a contract and a chain; with
/// the others it is valid on every contract that trusts the same solver wallet. A contract that acts on a signature must
/// record the requestId, not the signature, and must compare `originChainId` with its own chain.
///
/// Warning: the second version contains no amount. The contract must decide the amount to pay.
///
/// Warning: the words do not include the orderId of a deposit, so the signature does not link a request to an order.
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

    /// @dev Addresses are encoded as in `Request`.
    /// @param requestId The request's id.
    /// @param originChainId Chain of the payment.
    /// @param originUser The payer.
    /// @param originCurrency Currency of the payment; zero is the native currency of an EVM chain.
    /// @param destinationChainId Chain of the fill.
    /// @param destinationUser Recipient of the fill.
    /// @param destinationCurrency Currency of the fill.
    struct RequestV2 {
        bytes32 requestId;
        uint256 originChainId;
        bytes32 originUser;
        bytes32 originCurrency;
        uint256 destinationChainId;
        bytes32 destinationUser;
        bytes32 destinationCurrency;
    }

    /// @dev The words of `RequestV2` that a contract cannot derive.
    /// @param requestId The request's id.
    /// @param destinationChainId The service's id of the chain of the fill.
    /// @param destinationUser Recipient of the fill; `word` encodes an EVM address.
    /// @param destinationCurrency Currency of the fill.
    struct Fill {
        bytes32 requestId;
        uint256 destinationChainId;
        bytes32 destinationUser;
        bytes32 destinationCurrency;
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
    /// @param signature The solver wallet's signature.
    function requireSigned(Request calldata request, address solver, bytes calldata signature) internal view {
        SignedHash.requireSigned(messageHash(request), solver, signature);
    }

    /// @notice Hash of the seven words of the second version.
    function digest(RequestV2 calldata request) internal pure returns (bytes32) {
        return keccak256(abi.encode(request));
    }

    /// @notice The signed hash of the second version.
    function messageHash(RequestV2 calldata request) internal pure returns (bytes32) {
        Request calldata words;
        // Both versions hash seven words of calldata.
        assembly ("memory-safe") {
            words := request
        }
        return messageHash(words);
    }

    /// @notice Reverts with an error of `SignedHash` unless the solver wallet signed the second version.
    /// @param request The seven words.
    /// @param solver The service's solver wallet, an account or an ERC-1271 contract.
    /// @param signature The solver wallet's signature.
    function requireSigned(RequestV2 calldata request, address solver, bytes calldata signature) internal view {
        SignedHash.requireSigned(messageHash(request), solver, signature);
    }

    /// @notice The signed hash of the second version of a request that this contract pays on this chain.
    /// @param fill The words that the contract cannot derive.
    /// @param originCurrency The token that the contract pays; zero is the native currency.
    function messageHash(Fill calldata fill, address originCurrency) internal view returns (bytes32 hash) {
        // Saves the memory copy of abi.encode. Same as:
        //   digest = keccak256(abi.encode(fill.requestId, block.chainid, address(this), originCurrency,
        //       fill.destinationChainId, fill.destinationUser, fill.destinationCurrency));
        //   hash = MessageHashUtils.toEthSignedMessageHash(digest);
        // Writes beyond the free memory pointer and in the scratch space only.
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, calldataload(fill))
            mstore(add(free, 0x20), chainid())
            mstore(add(free, 0x40), address())
            mstore(add(free, 0x60), shr(96, shl(96, originCurrency)))
            calldatacopy(add(free, 0x80), add(fill, 0x20), 0x60)
            mstore(0x00, "\x19Ethereum Signed Message:\n32")
            mstore(0x1c, keccak256(free, 224))
            hash := keccak256(0x00, 0x3c)
        }
    }

    /// @notice Reverts with an error of `SignedHash` unless the solver wallet signed a request that this contract pays
    /// on this chain.
    /// @dev The quote must name this contract as `user`, and should name a `refundTo`. Record the requestId before control
    /// leaves the contract.
    /// @param fill The words that the contract cannot derive.
    /// @param originCurrency The token that the contract pays; zero is the native currency.
    /// @param solver The service's solver wallet, an account or an ERC-1271 contract.
    /// @param signature The solver wallet's signature.
    function requireSigned(Fill calldata fill, address originCurrency, address solver, bytes calldata signature)
        internal
        view
    {
        SignedHash.requireSigned(messageHash(fill, originCurrency), solver, signature);
    }

    /// @notice An EVM address as a word of a request.
    function word(address account) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
