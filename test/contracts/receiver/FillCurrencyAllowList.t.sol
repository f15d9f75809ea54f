// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRequestPolicy} from "../../../contracts/interfaces/IRequestPolicy.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {FillCurrencyAllowList} from "../../../contracts/receiver/policies/FillCurrencyAllowList.sol";
import {ReceiverTest} from "../support/ReceiverTest.sol";

contract FillCurrencyAllowListTest is ReceiverTest {
    // A mint on an SVM chain uses all 32 bytes.
    bytes32 internal constant CURRENCY = 0xc6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61;

    FillCurrencyAllowList internal policy =
        FillCurrencyAllowList(deployCode("FillCurrencyAllowList", abi.encode(address(this), vm.addr(KEY))));
    RequestSignature.Request internal request = requestIn(address(0));

    function setUp() public override {
        super.setUp();
        receiver = receiverFor(solver, address(policy));
        request.originChainId = block.chainid;
    }

    function test_PayNative_WhenFillIsInAListedCurrency_PaysUntilRemoved() public {
        vm.expectEmit(address(policy));
        emit FillCurrencyAllowList.CurrencySet(request.destinationChainId, CURRENCY, true);
        policy.setCurrency(request.destinationChainId, CURRENCY, true);
        vm.expectEmit(address(policy));
        emit FillCurrencyAllowList.FillRecorded(request.requestId, request.destinationChainId, CURRENCY);
        record(CURRENCY);
        payNative(request, forward());
        assertEq(solver.balance, 100, "solver");

        request.requestId = keccak256("another");
        record(CURRENCY);
        policy.setCurrency(request.destinationChainId, CURRENCY, false);
        refuses(notAllowed(CURRENCY));
    }

    function test_PayNative_WhenFillIsNative_PaysIfListed() public {
        record(bytes32(0));
        refuses(notAllowed(bytes32(0)));
        policy.setCurrency(request.destinationChainId, bytes32(0), true);
        payNative(request, forward());
        assertEq(solver.balance, 100, "solver");
    }

    function test_PayNative_WhenFillIsNotRecorded_Reverts() public {
        policy.setCurrency(request.destinationChainId, bytes32(0), true);
        refuses(notRecorded());
    }

    function test_PayNative_WhenCurrencyIsListedForAnotherChain_Reverts() public {
        policy.setCurrency(request.destinationChainId + 1, CURRENCY, true);
        record(CURRENCY);
        refuses(notAllowed(CURRENCY));
    }

    function test_PayNative_WhenAnotherCurrencyIsRecordedLater_ThatOneCounts() public {
        policy.setCurrency(request.destinationChainId, CURRENCY, true);
        record(CURRENCY);
        record(bytes32(0));
        refuses(notAllowed(bytes32(0)));
    }

    function test_Check_WhenOneSharedWordDiffersFromTheRecord_Reverts() public {
        policy.setCurrency(request.destinationChainId, CURRENCY, true);
        policy.setCurrency(request.destinationChainId ^ 1, CURRENCY, true);
        record(CURRENCY);
        assertEq(bytes32(policy.check(request)), bytes32(IRequestPolicy.check.selector), "accepted");
        // All words of the request except the amount, which the record does not contain.
        for (uint256 i = 0; i < 7; ++i) {
            bytes memory words = abi.encode(request);
            words[32 * i + 31] ^= 0x01;
            RequestSignature.Request memory other = abi.decode(words, (RequestSignature.Request));
            if (i != 4) {
                vm.expectRevert(abi.encodeWithSelector(FillCurrencyAllowList.FillNotRecorded.selector, other.requestId));
            }
            policy.check(other);
        }
    }

    function test_Record_WhenAnotherSigned_Reverts() public {
        RequestSignature.RequestV2 memory second = secondOf(CURRENCY);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, user, solver));
        policy.record(second, sign(second, USER_KEY));
    }

    function test_Record_WhenSignedWordsDiffer_Reverts() public {
        RequestSignature.RequestV2 memory second = secondOf(CURRENCY);
        bytes memory signature = sign(second, KEY);
        second.destinationCurrency = bytes32(0);
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        address signer = ecrecover(hashOf(second), uint8(signature[64]), r, s);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, solver));
        policy.record(second, signature);
    }

    function test_Constructor_WhenSolverIsZero_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(FillCurrencyAllowList.SolverIsZero.selector));
        deployCode("FillCurrencyAllowList", abi.encode(address(this), address(0)));
    }

    function record(bytes32 currency) private {
        RequestSignature.RequestV2 memory second = secondOf(currency);
        bytes memory signature = sign(second, KEY);
        vm.prank(STRANGER);
        policy.record(second, signature);
    }

    function secondOf(bytes32 currency) private view returns (RequestSignature.RequestV2 memory) {
        return RequestSignature.RequestV2({
            requestId: request.requestId,
            originChainId: request.originChainId,
            originUser: request.originUser,
            originCurrency: request.originCurrency,
            destinationChainId: request.destinationChainId,
            destinationUser: request.destinationUser,
            destinationCurrency: currency
        });
    }

    function refuses(bytes memory error_) private {
        refusesNative(request, sign(request, KEY), error_);
    }

    function notRecorded() private view returns (bytes memory) {
        return abi.encodeWithSelector(FillCurrencyAllowList.FillNotRecorded.selector, request.requestId);
    }

    function notAllowed(bytes32 currency) private view returns (bytes memory) {
        return abi.encodeWithSelector(
            FillCurrencyAllowList.FillCurrencyNotAllowed.selector, request.destinationChainId, currency
        );
    }
}
