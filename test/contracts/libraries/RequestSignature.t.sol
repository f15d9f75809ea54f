// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {SignatureCaller} from "../../../contracts/mocks/harness/SignatureCaller.sol";
import {LiveRequest} from "../support/LiveRequest.sol";
import {Requests} from "../support/Requests.sol";

contract RequestSignatureTest is Requests {
    SignatureCaller internal caller = SignatureCaller(deployCode("SignatureCaller"));
    address internal solver = vm.addr(KEY);

    function test_Digest_WhenRequestIsLive_HashesTheSevenWords() public view {
        RequestSignature.Request memory r = LiveRequest.request();
        assertEq(
            caller.digest(r),
            keccak256(
                abi.encode(
                    r.requestId,
                    uint256(1),
                    LiveRequest.user(),
                    address(0),
                    uint256(0.7 ether),
                    uint256(7777777),
                    LiveRequest.user()
                )
            ),
            "digest"
        );
        assertEq(caller.messageHash(r), hashOf(r), "message");
    }

    function test_RequireSigned_WhenLiveServiceSigned_Passes() public view {
        caller.requireSigned(LiveRequest.request(), LiveRequest.solver(), LiveRequest.signature());
    }

    function test_RequireSigned_WhenSignatureIsCompact_Passes() public view {
        caller.requireSigned(LiveRequest.request(), solver, signCompact(LiveRequest.request(), KEY));
    }

    function test_RequireSigned_WhenCallerUsesMemory_LeavesItUnchanged() public view {
        RequestSignature.Request memory request = LiveRequest.request();
        bytes[2] memory forms = [sign(request, KEY), signCompact(request, KEY)];
        for (uint256 i = 0; i < forms.length; ++i) {
            (bytes memory first, bytes memory none, uint256 allocated) = caller.memoryAfter(request, solver, forms[i]);
            assertEq(first, abi.encode(request), "first");
            assertEq(none, "", "none");
            assertEq(allocated, 0, "allocated");
        }
    }

    function test_RequireSigned_WhenCompactParityIsFlipped_Reverts() public {
        bytes memory signature = signCompact(LiveRequest.request(), KEY);
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        uint8 v = uint8(28 - (uint256(s) >> 255));
        signature[32] ^= 0x80;
        address signer = ecrecover(hashOf(LiveRequest.request()), v, r, (s << 1) >> 1);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, solver));
        caller.requireSigned(LiveRequest.request(), solver, signature);
    }

    function test_RequireSigned_WhenAnotherSigned_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, vm.addr(KEY + 1), solver));
        caller.requireSigned(LiveRequest.request(), solver, sign(LiveRequest.request(), KEY + 1));
    }

    function test_RequireSigned_WhenLengthIsWrong_Reverts() public {
        bytes memory signature = sign(LiveRequest.request(), KEY);
        uint256[5] memory lengths = [uint256(0), 1, 63, 66, 130];
        for (uint256 i = 0; i < lengths.length; ++i) {
            bytes memory wrong = new bytes(lengths[i]);
            for (uint256 j = 0; j < wrong.length && j < 65; ++j) {
                wrong[j] = signature[j];
            }
            vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSignatureLength.selector, lengths[i]));
            caller.requireSigned(LiveRequest.request(), solver, wrong);
        }
    }

    function test_RequireSigned_WhenSIsHigh_Reverts() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, hashOf(LiveRequest.request()));
        uint256 high = CURVE_ORDER - uint256(s);
        assertEq(ecrecover(hashOf(LiveRequest.request()), 55 - v, r, bytes32(high)), solver, "would recover");
        vm.expectRevert(abi.encodeWithSelector(SignedHash.HighS.selector, high, CURVE_ORDER / 2));
        caller.requireSigned(LiveRequest.request(), solver, abi.encodePacked(r, high, 55 - v));
    }

    function test_RequireSigned_WhenSIsTheHighestThatIsAccepted_RevertsForTheSigner() public {
        (bytes32 r, bytes32 s) = (bytes32(uint256(1)), bytes32(CURVE_ORDER / 2));
        address signer = ecrecover(hashOf(LiveRequest.request()), 27, r, s);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, solver));
        caller.requireSigned(LiveRequest.request(), solver, abi.encodePacked(r, s, uint8(27)));
    }

    function test_RequireSigned_WhenCompactSIsHigh_Reverts() public {
        uint256 high = CURVE_ORDER / 2 + 1;
        vm.expectRevert(abi.encodeWithSelector(SignedHash.HighS.selector, high, CURVE_ORDER / 2));
        caller.requireSigned(LiveRequest.request(), solver, abi.encodePacked(bytes32(uint256(1)), high));
    }

    function test_RequireSigned_WhenVIsNot27Or28_Reverts() public {
        (, bytes32 r, bytes32 s) = vm.sign(KEY, hashOf(LiveRequest.request()));
        uint8[5] memory values = [0, 1, 26, 29, 255];
        for (uint256 i = 0; i < values.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongV.selector, values[i]));
            caller.requireSigned(LiveRequest.request(), solver, abi.encodePacked(r, s, values[i]));
        }
    }

    function test_RequireSigned_WhenNoSignerIsRecoveredAndSolverIsZero_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, address(0), address(0)));
        caller.requireSigned(LiveRequest.request(), address(0), abi.encodePacked(new bytes(64), uint8(27)));
    }

    function test_RequireSigned_WhenNoSignerIsRecovered_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, address(0), solver));
        caller.requireSigned(LiveRequest.request(), solver, new bytes(64));
    }

    function test_RequireSigned_WhenUserIsPaddedOnTheRight_Reverts() public {
        RequestSignature.Request memory request = LiveRequest.request();
        request.originUser = bytes32(bytes20(LiveRequest.user()));
        (bytes32 r, bytes32 s) = abi.decode(LiveRequest.signature(), (bytes32, bytes32));
        address signer = ecrecover(hashOf(request), 27, r, s);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, LiveRequest.solver()));
        caller.requireSigned(request, LiveRequest.solver(), LiveRequest.signature());
    }
}
