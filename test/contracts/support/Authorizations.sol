// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IErc3009} from "../../../contracts/interfaces/IErc3009.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {Test} from "./Test.sol";

/// @title Signs EIP-3009 authorizations, with the type hashes of the EIP
abstract contract Authorizations is Test {
    bytes32 internal constant TRANSFER_TYPEHASH = 0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267;
    bytes32 internal constant RECEIVE_TYPEHASH = 0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8;
    bytes32 internal constant CANCEL_TYPEHASH = 0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429;

    struct Authorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    struct Signature {
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    function digestOf(LocalDollar token, bytes32 structHash) internal view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), structHash));
    }

    function signTransfer(LocalDollar token, bytes32 typeHash, Authorization memory a, uint256 key)
        internal
        view
        returns (Signature memory signature)
    {
        bytes32 structHash =
            keccak256(abi.encode(typeHash, a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce));
        (signature.v, signature.r, signature.s) = vm.sign(key, digestOf(token, structHash));
    }

    function signCancel(LocalDollar token, address authorizer, bytes32 nonce, uint256 key)
        internal
        view
        returns (Signature memory signature)
    {
        bytes32 structHash = keccak256(abi.encode(CANCEL_TYPEHASH, authorizer, nonce));
        (signature.v, signature.r, signature.s) = vm.sign(key, digestOf(token, structHash));
    }

    function receiveData(Authorization memory a, Signature memory signature) internal pure returns (bytes memory) {
        return abi.encodeCall(
            IErc3009.receiveWithAuthorization,
            (a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature.v, signature.r, signature.s)
        );
    }
}
