// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRequestReceiver} from "../../../contracts/interfaces/IRequestReceiver.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {Wallet1271} from "../../../contracts/mocks/harness/Wallet1271.sol";
import {ReceiverTest} from "../support/ReceiverTest.sol";

/// @dev Invalid signatures: all signatures except the solver wallet's signature over this request.
contract RequestReceiverSignaturesTest is ReceiverTest {
    RequestSignature.Request internal request = requestIn(address(0));

    function test_PayNative_WhenSignatureHas64Bytes_Pays() public {
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signCompact(request, KEY));
        assertEq(solver.balance, 100, "solver");
    }

    function test_PayNative_WhenSignatureHasAnotherLength_Reverts() public {
        uint256[4] memory lengths = [uint256(0), 63, 66, 96];
        for (uint256 i = 0; i < lengths.length; ++i) {
            refusesNative(
                request,
                cut(sign(request, KEY), lengths[i]),
                abi.encodeWithSelector(SignedHash.WrongSignatureLength.selector, lengths[i])
            );
        }
    }

    function test_PayNative_WhenTheLastByteIsCutOff_RevertsForTheSigner() public {
        // With v = 27, the first 64 bytes equal the compact form. With v = 28, another signer is recovered from
        // them.
        while (uint8(sign(request, KEY)[64]) == 27) request.requestId = keccak256(abi.encode(request.requestId));
        (bytes32 r, bytes32 s) = abi.decode(sign(request, KEY), (bytes32, bytes32));
        address signer = ecrecover(hashOf(request), 27, r, s);
        refusesNative(
            request,
            cut(sign(request, KEY), 64),
            abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, solver)
        );
    }

    function test_PayNative_WhenSIsHigh_Reverts() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, hashOf(request));
        uint256 high = CURVE_ORDER - uint256(s);
        refusesNative(
            request,
            abi.encodePacked(r, high, 55 - v),
            abi.encodeWithSelector(SignedHash.HighS.selector, high, CURVE_ORDER / 2)
        );
    }

    function test_PayNative_WhenVIs0Or1Or29_Reverts() public {
        (, bytes32 r, bytes32 s) = vm.sign(KEY, hashOf(request));
        uint8[3] memory values = [0, 1, 29];
        for (uint256 i = 0; i < values.length; ++i) {
            refusesNative(
                request,
                abi.encodePacked(r, s, values[i]),
                abi.encodeWithSelector(SignedHash.WrongV.selector, values[i])
            );
        }
    }

    function test_PayNative_WhenNoSignerIsRecovered_Reverts() public {
        bytes memory error_ = abi.encodeWithSelector(SignedHash.WrongSigner.selector, address(0), solver);
        refusesNative(request, abi.encodePacked(new bytes(64), uint8(27)), error_);
        refusesNative(request, new bytes(64), error_);
    }

    function test_PayNative_WhenAnotherSigned_Reverts() public {
        refusesNative(
            request, sign(request, USER_KEY), abi.encodeWithSelector(SignedHash.WrongSigner.selector, user, solver)
        );
    }

    function test_PayNative_WhenTheDigestWasSignedWithoutThePrefix_Reverts() public {
        bytes32 digest = keccak256(abi.encode(request));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, digest);
        address signer = ecrecover(hashOf(request), v, r, s);
        refusesNative(
            request, abi.encodePacked(r, s, v), abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, solver)
        );
    }

    function test_PayNative_WhenReplayedInEitherForm_Reverts() public {
        bytes[2] memory forms = [sign(request, KEY), signCompact(request, KEY)];
        for (uint256 first = 0; first < 2; ++first) {
            request.requestId = keccak256(abi.encode(first));
            forms = [sign(request, KEY), signCompact(request, KEY)];
            vm.prank(user);
            receiver.payNative{value: 100}(request, forward(), forms[first]);
            bytes memory error_ =
                abi.encodeWithSelector(IRequestReceiver.RequestAlreadyPaid.selector, request.requestId);
            refusesNative(request, forms[first], error_);
            refusesNative(request, forms[1 - first], error_);
        }
    }

    function test_PayNative_WhenAWalletsAnotherSignatureIsReplayed_Reverts() public {
        // A contract wallet can accept many signatures of one hash, so a signature cannot identify a payment.
        Wallet1271 wallet = Wallet1271(deployCode("Wallet1271", abi.encode(solver)));
        receiver = receiverFor(address(wallet), address(0));
        payNative(request, deposit());
        refusesNative(
            request,
            signCompact(request, KEY),
            abi.encodeWithSelector(IRequestReceiver.RequestAlreadyPaid.selector, request.requestId)
        );
    }

    function test_PayNative_WhenReplayedAtAnotherReceiver_PaysAgain() public {
        // The interface documents this limitation: a receiver does not know which requestIds other receivers
        // accepted.
        payNative(request, forward());
        receiver = receiverFor(solver, address(0));
        payNative(request, forward());
        assertEq(solver.balance, 200, "solver");
    }

    function testFuzz_PayNative_WhenSignatureIsGarbage_Reverts(bytes calldata signature) public {
        vm.prank(user);
        (bool success,) = address(receiver).call{value: 100}(
            abi.encodeCall(IRequestReceiver.payNative, (request, forward(), signature))
        );
        assertFalse(success, "success");
        assertEq(user.balance, 1_000, "user");
        assertFalse(receiver.paid(request.requestId), "paid");
    }

    /// @dev Truncates the signature, or pads it with zeros.
    function cut(bytes memory signature, uint256 length) private pure returns (bytes memory part) {
        part = new bytes(length);
        for (uint256 i = 0; i < length && i < signature.length; ++i) {
            part[i] = signature[i];
        }
    }
}
