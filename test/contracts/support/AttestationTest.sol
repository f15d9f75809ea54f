// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AttestationVerifier} from "../../../contracts/attestation/AttestationVerifier.sol";
import {IAttestationVerifier} from "../../../contracts/interfaces/IAttestationVerifier.sol";
import {OracleExecution} from "../../../contracts/libraries/OracleExecution.sol";
import {Test} from "./Test.sol";

/// @title Three oracles with a threshold of two, and the data that they sign
/// @dev Computes hashes from the EIP-712 type strings, without the library.
abstract contract AttestationTest is Test {
    uint256 internal constant CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
    uint256 internal constant HUB_CHAIN_ID = 537_713;
    address internal constant ORACLE = 0x795f9464eE05a34Fe1E18925ca4e4753DCd60058;
    uint256 internal constant STRANGER_KEY = 0xbad;
    uint256 internal constant THRESHOLD = 2;

    /// @dev Sorted by address.
    uint256[3] internal keys = [uint256(0xc), 0xa, 0xb];
    IAttestationVerifier internal verifier;

    function setUp() public virtual {
        sortKeys();
        verifier = deploy(signersOf(keys), THRESHOLD);
    }

    function deploy(address[] memory signers, uint256 threshold) internal returns (IAttestationVerifier) {
        return AttestationVerifier(
            deployCode("AttestationVerifier", abi.encode(signers, threshold, "2", HUB_CHAIN_ID, ORACLE))
        );
    }

    function signersOf(uint256[3] memory of_) internal pure returns (address[] memory list) {
        list = new address[](3);
        for (uint256 i = 0; i < 3; ++i) {
            list[i] = vm.addr(of_[i]);
        }
    }

    function execution(bytes32 key, uint256 count) internal pure returns (OracleExecution.Execution memory order) {
        order.idempotencyKey = key;
        order.actions = new bytes[](count);
        for (uint256 i = 0; i < count; ++i) {
            order.actions[i] = abi.encode(uint8(0), address(uint160(i + 1)), i, i + 7);
        }
    }

    function digestOf(OracleExecution.Execution memory order) internal pure returns (bytes32) {
        bytes memory packed;
        for (uint256 i = 0; i < order.actions.length; ++i) {
            packed = bytes.concat(packed, keccak256(order.actions[i]));
        }
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Execution(bytes32 idempotencyKey,bytes[] actions)"), order.idempotencyKey, keccak256(packed)
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("RelayOracle"),
                keccak256("2"),
                HUB_CHAIN_ID,
                ORACLE
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function signed(OracleExecution.Execution memory order, uint256 key)
        internal
        pure
        returns (IAttestationVerifier.OracleSignature memory)
    {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digestOf(order));
        return IAttestationVerifier.OracleSignature(vm.addr(key), abi.encodePacked(r, s, v));
    }

    /// @dev Signatures from the first two oracles.
    function signedByTwo(OracleExecution.Execution memory order)
        internal
        view
        returns (IAttestationVerifier.OracleSignature[] memory)
    {
        return both(signed(order, keys[0]), signed(order, keys[1]));
    }

    function both(IAttestationVerifier.OracleSignature memory first, IAttestationVerifier.OracleSignature memory second)
        internal
        pure
        returns (IAttestationVerifier.OracleSignature[] memory list)
    {
        list = new IAttestationVerifier.OracleSignature[](2);
        list[0] = first;
        list[1] = second;
    }

    function sortKeys() internal {
        for (uint256 i = 0; i < 3; ++i) {
            for (uint256 j = i + 1; j < 3; ++j) {
                if (vm.addr(keys[j]) < vm.addr(keys[i])) (keys[i], keys[j]) = (keys[j], keys[i]);
            }
        }
    }
}
