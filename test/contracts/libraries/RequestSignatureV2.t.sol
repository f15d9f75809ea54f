// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {SignatureV2Caller} from "../../../contracts/mocks/harness/SignatureV2Caller.sol";
import {Requests} from "../support/Requests.sol";

contract RequestSignatureV2Test is Requests {
    SignatureV2Caller internal caller = SignatureV2Caller(deployCode("SignatureV2Caller"));
    address internal solver = vm.addr(KEY);

    function testFuzz_Digest_WhenComputedWordByWord_IsTheSame(RequestSignature.RequestV2 calldata r) public view {
        bytes memory words = bytes.concat(
            bytes.concat(r.requestId, bytes32(r.originChainId), r.originUser, r.originCurrency),
            bytes.concat(bytes32(r.destinationChainId), r.destinationUser, r.destinationCurrency)
        );
        assertEq(words.length, 224, "seven words");
        assertEq(caller.digest(r), keccak256(words), "digest");
        assertEq(caller.messageHash(r), hashOf(r), "message");
    }

    function testFuzz_RequireSigned_WhenSignedByAnyKey_PassesForItsAddressOnly(
        RequestSignature.RequestV2 calldata request,
        uint256 key,
        address other
    ) public {
        address signer = vm.addr(bound(key, 1, CURVE_ORDER - 1));
        vm.assume(other != signer && other.code.length == 0);
        bytes memory signature = sign(request, bound(key, 1, CURVE_ORDER - 1));
        caller.requireSigned(request, signer, signature);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, other));
        caller.requireSigned(request, other, signature);
    }

    function testFuzz_RequireSigned_WhenOneBitOfTheWordsDiffers_Reverts(
        RequestSignature.RequestV2 calldata request,
        uint256 bit
    ) public {
        bytes memory words = abi.encode(request);
        bit = bound(bit, 0, 8 * words.length - 1);
        words[bit / 8] ^= bytes1(uint8(1 << (bit % 8)));
        RequestSignature.RequestV2 memory changed = abi.decode(words, (RequestSignature.RequestV2));
        bytes memory signature = sign(request, KEY);
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        address signer = ecrecover(hashOf(changed), uint8(signature[64]), r, s);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, solver));
        caller.requireSigned(changed, solver, signature);
    }

    function testFuzz_RequireSignedFill_WhenThisContractPaysHere_Passes(
        RequestSignature.Fill calldata fill,
        address currency
    ) public view {
        caller.requireSignedFill(fill, currency, solver, sign(requestOf(fill, currency), KEY));
    }

    function testFuzz_RequireSignedFill_WhenOneWordDiffers_Reverts(
        RequestSignature.Fill calldata fill,
        address currency,
        uint256 field,
        uint256 value
    ) public {
        bytes memory words = abi.encode(requestOf(fill, currency));
        field = bound(field, 0, 6);
        assembly ("memory-safe") {
            let place := add(add(words, 0x20), mul(field, 0x20))
            value := xor(value, eq(value, mload(place)))
            mstore(place, value)
        }
        RequestSignature.RequestV2 memory signed = abi.decode(words, (RequestSignature.RequestV2));
        bytes memory signature = sign(signed, KEY);
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        address signer = ecrecover(hashOf(requestOf(fill, currency)), uint8(signature[64]), r, s);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, solver));
        caller.requireSignedFill(fill, currency, solver, signature);
    }

    function testFuzz_MessageHash_WhenCurrencyHasDirtyBits_IgnoresThemAndLeavesMemory(
        RequestSignature.Fill calldata fill,
        address currency
    ) public view {
        (bytes32 hash, bytes memory first, bytes memory none, uint256 allocated) = caller.dirtyHash(fill, currency);
        assertEq(hash, hashOf(requestOf(fill, currency)), "hash");
        assertEq(first, abi.encode(fill), "first");
        assertEq(none, "", "none");
        assertEq(allocated, 0, "allocated");
    }

    function test_RequireSignedFill_WhenOnAnotherChain_Reverts() public {
        RequestSignature.Fill memory fill = RequestSignature.Fill(keccak256("request"), 10, keccak256("user"), 0);
        bytes memory signature = sign(requestOf(fill, address(1)), KEY);
        vm.chainId(block.chainid + 1);
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        address signer = ecrecover(hashOf(requestOf(fill, address(1))), uint8(signature[64]), r, s);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, solver));
        caller.requireSignedFill(fill, address(1), solver, signature);
    }

    function test_RequireSigned_WhenSolverIsAWallet_PassesItTheHash() public {
        RequestSignature.Fill memory fill = RequestSignature.Fill(keccak256("request"), 10, keccak256("user"), 0);
        RequestSignature.RequestV2 memory request = requestOf(fill, address(1));
        address wallet = deployCode("Wallet1271", abi.encode(solver));
        bytes memory signature = sign(request, KEY);
        bytes memory question = abi.encodeCall(IERC1271.isValidSignature, (hashOf(request), signature));
        vm.expectCall(wallet, question, 2);
        caller.requireSigned(request, wallet, signature);
        caller.requireSignedFill(fill, address(1), wallet, signature);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WalletRefused.selector, wallet, hashOf(request)));
        caller.requireSigned(request, wallet, sign(request, KEY + 1));
    }

    function testFuzz_RequireSigned_WhenSignatureIsOfTheFirstVersion_Reverts(RequestSignature.Request calldata first)
        public
    {
        RequestSignature.RequestV2 memory second = RequestSignature.RequestV2({
            requestId: first.requestId,
            originChainId: first.originChainId,
            originUser: first.originUser,
            originCurrency: first.originCurrency,
            destinationChainId: first.destinationChainId,
            destinationUser: first.destinationUser,
            destinationCurrency: bytes32(first.originAmount)
        });
        vm.assume(keccak256(abi.encode(first)) != keccak256(abi.encode(second)));
        bytes memory signature = sign(first, KEY);
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        address signer = ecrecover(hashOf(second), uint8(signature[64]), r, s);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, solver));
        caller.requireSigned(second, solver, signature);
    }

    function testFuzz_Word_WhenAddressIsGiven_IsPaddedOnTheLeft(address account) public view {
        assertEq(caller.word(account), bytes32(abi.encode(account)), "word");
    }

    /// @dev The vectors were computed with another library. The TypeScript tests also read and count them.
    function test_RequireSigned_WhenVectorsAreShared_Agrees() public view {
        string memory json = vm.readFile("test/vectors/request-digests-v2.json");
        string[8] memory rows = ["0", "1", "2", "3", "4", "5", "6", "7"];
        for (uint256 i = 0; i < rows.length; ++i) {
            string memory row = string.concat(".requests[", rows[i], "]");
            bytes32[] memory words = vm.parseJsonBytes32Array(json, string.concat(row, ".words"));
            assertEq(words.length, 7, "words");
            RequestSignature.RequestV2 memory request =
                abi.decode(abi.encodePacked(words), (RequestSignature.RequestV2));
            assertEq(caller.digest(request), vm.parseJsonBytes32(json, string.concat(row, ".digest")), "digest");
            caller.requireSigned(
                request,
                vm.parseJsonAddress(json, string.concat(row, ".signer")),
                vm.parseJsonBytes(json, string.concat(row, ".signature"))
            );
        }
    }

    /// @dev Returns the request for a fill that the caller pays in this test.
    function requestOf(RequestSignature.Fill memory fill, address currency)
        private
        view
        returns (RequestSignature.RequestV2 memory)
    {
        return RequestSignature.RequestV2({
            requestId: fill.requestId,
            originChainId: block.chainid,
            originUser: word(address(caller)),
            originCurrency: word(currency),
            destinationChainId: fill.destinationChainId,
            destinationUser: fill.destinationUser,
            destinationCurrency: fill.destinationCurrency
        });
    }
}
