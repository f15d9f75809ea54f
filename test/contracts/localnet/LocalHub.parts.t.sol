// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationVerifier} from "../../../contracts/interfaces/IAttestationVerifier.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {LocalHub} from "../../../contracts/localnet/LocalHub.sol";
import {HubMapping} from "../../../contracts/localnet/hub/HubMapping.sol";
import {HubTest} from "../support/HubTest.sol";

/// @title Generic mapping, triggers, and checks shared by all parts
contract LocalHubPartsTest is HubTest {
    bytes32 internal constant ID = keccak256("id");
    bytes32 internal constant NONCE = keccak256("nonce");

    function test_SetEntry_WhenOraclesSigned_Sets() public {
        IAttestationVerifier.OracleSignature[] memory list = signedEntry(ALICE, ID, "data", NONCE);
        vm.expectEmit(address(hub));
        emit HubMapping.EntrySet(ALICE, ID, "data");
        hub.setEntry(ALICE, ID, "data", NONCE, list);
        (bytes memory data, uint256 createdAt) = hub.getEntry(ALICE, ID);
        assertEq(data, bytes("data"), "data");
        assertEq(createdAt, block.timestamp, "time");
        (data, createdAt) = hub.getEntry(BOB, ID);
        assertEq(data.length + createdAt, 0, "another account");
    }

    function test_SetEntry_WhenNonceWasUsed_Reverts() public {
        hub.setEntry(ALICE, ID, "data", NONCE, signedEntry(ALICE, ID, "data", NONCE));
        IAttestationVerifier.OracleSignature[] memory list = signedEntry(ALICE, ID, "other", NONCE);
        vm.expectRevert(abi.encodeWithSelector(HubMapping.EntryRepeated.selector, ALICE, NONCE));
        hub.setEntry(ALICE, ID, "other", NONCE, list);
        hub.setEntry(BOB, ID, "data", NONCE, signedEntry(BOB, ID, "data", NONCE));
    }

    function test_SetEntry_WhenTooFewOraclesSigned_Reverts() public {
        IAttestationVerifier.OracleSignature[] memory list = signedEntry(ALICE, ID, "data", NONCE);
        IAttestationVerifier.OracleSignature[] memory less = new IAttestationVerifier.OracleSignature[](1);
        less[0] = list[0];
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.TooFewSignatures.selector, 1, THRESHOLD));
        hub.setEntry(ALICE, ID, "data", NONCE, less);
    }

    function test_SetEntry_WhenAnOracleSignedTwice_Reverts() public {
        IAttestationVerifier.OracleSignature[] memory list = signedEntry(ALICE, ID, "data", NONCE);
        list[1] = list[0];
        address first = list[0].signer;
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.SignaturesNotAscending.selector, first, first));
        hub.setEntry(ALICE, ID, "data", NONCE, list);
    }

    function test_SetEntry_WhenAStrangerSigned_Reverts() public {
        bytes32 digest = digestFor("RelayGenericMapping", entryHash(ALICE, ID, "data", NONCE));
        address stranger = vm.addr(STRANGER_KEY);
        IAttestationVerifier.OracleSignature[] memory list =
            both(signedDigest(digest, keys[0]), signedDigest(digest, STRANGER_KEY));
        if (stranger < list[0].signer) (list[0], list[1]) = (list[1], list[0]);
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.UnknownSigner.selector, stranger));
        hub.setEntry(ALICE, ID, "data", NONCE, list);
    }

    function test_SetEntry_WhenSignaturesAreForAnotherPart_Reverts() public {
        bytes32 structHash = entryHash(ALICE, ID, "data", NONCE);
        IAttestationVerifier.OracleSignature[] memory list = signedFor("RelayAllocator", structHash);
        bytes32 digest = digestFor("RelayGenericMapping", structHash);
        address recovered = ecrecoverOf(digest, list[0].signature);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, recovered, list[0].signer));
        hub.setEntry(ALICE, ID, "data", NONCE, list);
    }

    function testFuzz_SetEntry_WhenSignedDataDiffers_Reverts(
        address user,
        bytes32 id,
        bytes calldata data,
        bytes32 nonce,
        uint256 which
    ) public {
        IAttestationVerifier.OracleSignature[] memory list = signedEntry(user, id, data, nonce);
        which = which % 4;
        vm.expectRevert();
        hub.setEntry(
            which == 0 ? address(uint160(user) ^ 1) : user,
            which == 1 ? id ^ bytes32(uint256(1)) : id,
            which == 2 ? abi.encodePacked(data, uint8(0)) : data,
            which == 3 ? nonce ^ bytes32(uint256(1)) : nonce,
            list
        );
    }

    function test_RecordTrigger_WhenNew_RecordsItsOrder() public {
        vm.expectEmit(address(hub));
        emit LocalHub.TriggerRecorded(ID, NONCE);
        hub.recordTrigger(ID, NONCE);
        assertEq(hub.triggers(ID), NONCE, "order");
    }

    function test_RecordTrigger_WhenRecorded_Reverts() public {
        hub.recordTrigger(ID, NONCE);
        vm.expectRevert(abi.encodeWithSelector(LocalHub.TriggerRepeated.selector, ID, NONCE));
        hub.recordTrigger(ID, ID);
    }

    function test_RecordTrigger_WhenOrderIsZero_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(LocalHub.OrderIdIsZero.selector));
        hub.recordTrigger(ID, 0);
    }

    function entryHash(address user, bytes32 id, bytes memory data, bytes32 nonce) private pure returns (bytes32) {
        bytes32 typeHash = keccak256("SetEntry(address user,bytes32 id,bytes data,bytes32 nonce)");
        return keccak256(abi.encode(typeHash, user, id, keccak256(data), nonce));
    }

    function signedEntry(address user, bytes32 id, bytes memory data, bytes32 nonce)
        private
        view
        returns (IAttestationVerifier.OracleSignature[] memory)
    {
        return signedFor("RelayGenericMapping", entryHash(user, id, data, nonce));
    }

    function ecrecoverOf(bytes32 digest, bytes memory signature) private pure returns (address) {
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        return ecrecover(digest, uint8(signature[64]), r, s);
    }
}
