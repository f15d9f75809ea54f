// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {SignatureCaller} from "../../../contracts/mocks/harness/SignatureCaller.sol";
import {Requests} from "../support/Requests.sol";

contract RequestSignatureFuzzTest is Requests {
    SignatureCaller internal caller = SignatureCaller(deployCode("SignatureCaller"));

    function testFuzz_Digest_WhenComputedWordByWord_IsTheSame(RequestSignature.Request calldata r) public view {
        bytes memory words = bytes.concat(
            bytes.concat(r.requestId, bytes32(r.originChainId), r.originUser, r.originCurrency),
            bytes.concat(bytes32(r.originAmount), bytes32(r.destinationChainId), r.destinationUser)
        );
        assertEq(words.length, 224, "seven words");
        assertEq(caller.digest(r), keccak256(words), "digest");
        assertEq(caller.messageHash(r), hashOf(r), "message");
    }

    function testFuzz_RequireSigned_WhenSignedByAnyKey_PassesForItsAddressOnly(
        RequestSignature.Request calldata request,
        uint256 key,
        address other
    ) public {
        address signer = vm.addr(bound(key, 1, CURVE_ORDER - 1));
        vm.assume(other != signer && other.code.length == 0);
        bytes[2] memory forms = formsOf(request, bound(key, 1, CURVE_ORDER - 1));
        for (uint256 i = 0; i < forms.length; ++i) {
            caller.requireSigned(request, signer, forms[i]);
            vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, other));
            caller.requireSigned(request, other, forms[i]);
        }
    }

    function testFuzz_RequireSigned_WhenOneBitOfTheWordsDiffers_Reverts(
        RequestSignature.Request calldata request,
        uint256 bit
    ) public {
        bytes memory words = abi.encode(request);
        flip(words, bound(bit, 0, 8 * words.length - 1));
        RequestSignature.Request memory changed = abi.decode(words, (RequestSignature.Request));
        bytes[2] memory forms = formsOf(request, KEY);
        (bytes32 r, bytes32 s) = abi.decode(forms[0], (bytes32, bytes32));
        address signer = ecrecover(hashOf(changed), uint8(forms[0][64]), r, s);
        for (uint256 i = 0; i < forms.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, vm.addr(KEY)));
            caller.requireSigned(changed, vm.addr(KEY), forms[i]);
        }
    }

    function testFuzz_RequireSigned_WhenOneBitOfTheSignatureDiffers_Reverts(
        RequestSignature.Request calldata request,
        uint256 bit
    ) public view {
        bytes[2] memory forms = formsOf(request, KEY);
        for (uint256 i = 0; i < forms.length; ++i) {
            flip(forms[i], bound(bit, 0, 8 * forms[i].length - 1));
            refuses(request, forms[i]);
        }
    }

    function testFuzz_RequireSigned_WhenSignatureIsCutOrExtended_Reverts(
        RequestSignature.Request calldata request,
        uint256 length
    ) public view {
        bytes memory signature = sign(request, KEY);
        bytes memory changed = new bytes(bound(length, 0, 200));
        vm.assume(changed.length != 64 && changed.length != 65);
        for (uint256 i = 0; i < changed.length && i < signature.length; ++i) {
            changed[i] = signature[i];
        }
        refuses(request, changed);
    }

    function testFuzz_RequireSigned_WhenSignatureIsGarbage_Reverts(
        RequestSignature.Request calldata request,
        bytes calldata signature
    ) public view {
        refuses(request, signature);
    }

    /// @dev The vectors were computed with another library. The TypeScript tests also read and count them.
    function test_RequireSigned_WhenVectorsAreShared_Agrees() public view {
        string memory json = vm.readFile("test/vectors/request-digests.json");
        string[5] memory rows = [".requests[0]", ".requests[1]", ".requests[2]", ".requests[3]", ".requests[4]"];
        for (uint256 i = 0; i < rows.length; ++i) {
            bytes32[] memory words = vm.parseJsonBytes32Array(json, string.concat(rows[i], ".words"));
            assertEq(words.length, 7, "words");
            RequestSignature.Request memory request = abi.decode(abi.encodePacked(words), (RequestSignature.Request));
            assertEq(caller.digest(request), vm.parseJsonBytes32(json, string.concat(rows[i], ".digest")), "digest");
            caller.requireSigned(
                request,
                vm.parseJsonAddress(json, string.concat(rows[i], ".signer")),
                vm.parseJsonBytes(json, string.concat(rows[i], ".signature"))
            );
        }
    }

    /// @dev Calls a library function that reverts with a custom error.
    function refuses(RequestSignature.Request calldata request, bytes memory signature) private view {
        (bool accepted, bytes memory reason) = address(caller)
            .staticcall(abi.encodeCall(SignatureCaller.requireSigned, (request, vm.addr(KEY), signature)));
        assertFalse(accepted, "accepted");
        bytes4 selector = bytes4(reason);
        bool known = selector == SignedHash.WrongSignatureLength.selector || selector == SignedHash.HighS.selector
            || selector == SignedHash.WrongV.selector || selector == SignedHash.WrongSigner.selector;
        assertTrue(known, "known");
    }

    function formsOf(RequestSignature.Request memory request, uint256 key)
        private
        pure
        returns (bytes[2] memory forms)
    {
        return [sign(request, key), signCompact(request, key)];
    }

    function flip(bytes memory data, uint256 bit) private pure {
        data[bit / 8] ^= bytes1(uint8(1 << (bit % 8)));
    }
}
