// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {Test} from "./Test.sol";

/// @title Creates and signs requests as the specification defines
abstract contract Requests is Test {
    uint256 internal constant KEY = 0x5017e4;
    uint256 internal constant CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    function word(address account) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    function hashOf(RequestSignature.Request memory r) internal pure returns (bytes32) {
        bytes32 digest = keccak256(
            abi.encode(
                r.requestId,
                r.originChainId,
                r.originUser,
                r.originCurrency,
                r.originAmount,
                r.destinationChainId,
                r.destinationUser
            )
        );
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", digest));
    }

    function sign(RequestSignature.Request memory request, uint256 key) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, hashOf(request));
        return abi.encodePacked(r, s, v);
    }

    function signCompact(RequestSignature.Request memory request, uint256 key) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, hashOf(request));
        return abi.encodePacked(r, uint256(s) | (uint256(v - 27) << 255));
    }

    function hashOf(RequestSignature.RequestV2 memory r) internal pure returns (bytes32) {
        bytes memory packed = abi.encodePacked(
            r.requestId,
            r.originChainId,
            r.originUser,
            r.originCurrency,
            r.destinationChainId,
            r.destinationUser,
            r.destinationCurrency
        );
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", keccak256(packed)));
    }

    function sign(RequestSignature.RequestV2 memory request, uint256 key) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, hashOf(request));
        return abi.encodePacked(r, s, v);
    }
}
