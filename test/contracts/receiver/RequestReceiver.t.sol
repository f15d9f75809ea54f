// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {IDepository} from "../../../contracts/interfaces/IDepository.sol";
import {IRequestPolicy} from "../../../contracts/interfaces/IRequestPolicy.sol";
import {IRequestReceiver} from "../../../contracts/interfaces/IRequestReceiver.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {NativeReenterer} from "../../../contracts/mocks/NativeReenterer.sol";
import {NativeRefuser} from "../../../contracts/mocks/NativeRefuser.sol";
import {RequestReceiver} from "../../../contracts/receiver/RequestReceiver.sol";
import {LiveRequest} from "../support/LiveRequest.sol";
import {ReceiverTest} from "../support/ReceiverTest.sol";

contract RequestReceiverTest is ReceiverTest {
    RequestSignature.Request internal request = requestIn(address(0));

    function test_Constructor_WhenAddressesAreGiven_StoresThem() public view {
        assertEq(receiver.solver(), solver, "solver");
        assertEq(receiver.depository(), address(depository), "depository");
        assertEq(receiver.permit2(), PERMIT2, "permit2");
        assertEq(address(receiver.policy()), address(0), "policy");
    }

    function test_Constructor_WhenSolverIsZero_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.SolverIsZero.selector));
        receiverFor(address(0), address(0));
    }

    function test_Constructor_WhenDependencyHasNoCode_Reverts() public {
        IRequestPolicy none = IRequestPolicy(address(0));
        bytes memory error_ = abi.encodeWithSelector(IRequestReceiver.DependencyWithoutCode.selector, STRANGER);
        vm.expectRevert(error_);
        deployCode("RequestReceiver", abi.encode(solver, STRANGER, address(0), none));
        vm.expectRevert(error_);
        deployCode("RequestReceiver", abi.encode(solver, address(0), STRANGER, none));
        vm.expectRevert(error_);
        deployCode("RequestReceiver", abi.encode(solver, address(0), address(0), IRequestPolicy(STRANGER)));
    }

    function test_PayNative_WhenLiveServiceSigned_Forwards() public {
        receiver = receiverFor(LiveRequest.solver(), address(0));
        request = LiveRequest.request();
        vm.chainId(1);
        receiver.verify(request, LiveRequest.signature());
        vm.deal(LiveRequest.user(), 0.7 ether);
        vm.prank(LiveRequest.user());
        receiver.payNative{value: 0.7 ether}(request, forward(), LiveRequest.signature());
        assertEq(LiveRequest.solver().balance, 0.7 ether, "solver");
        assertTrue(receiver.paid(request.requestId), "paid");
    }

    function test_PayNative_WhenForwarded_CarriesTheRequestIdToTheSolver() public {
        vm.expectEmit(address(receiver));
        emit IRequestReceiver.RequestPaid(request.requestId, user, address(0), 100, bytes32(0));
        vm.expectEmit(address(receiver));
        emit IRequestReceiver.FundsForwardedWithData(abi.encodePacked(request.requestId));
        vm.expectCall(solver, abi.encodePacked(request.requestId));
        payNative(request, forward());
        assertEq(solver.balance, 100, "solver");
        assertEq(address(receiver).balance, 0, "receiver");
    }

    function test_PayNative_WhenOrderIsGiven_DepositsForThePayer() public {
        vm.recordLogs();
        vm.expectEmit(address(depository));
        emit IDepository.RelayNativeDeposit(user, 100, ORDER_ID);
        payNative(request, deposit());
        assertEq(address(depository).balance, 100, "depository");
        assertEq(countLogs(address(receiver), IRequestReceiver.FundsForwardedWithData.selector), 0, "not forwarded");
    }

    function test_PayNative_WhenThereIsNoDepository_Reverts() public {
        receiver = RequestReceiver(
            deployCode("RequestReceiver", abi.encode(solver, address(0), address(0), IRequestPolicy(address(0))))
        );
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.NoDepository.selector, ORDER_ID));
        vm.prank(user);
        receiver.payNative{value: 100}(request, deposit(), signature);
    }

    function test_PayNative_WhenCurrencyIsAToken_Reverts() public {
        request = requestIn(address(dollar));
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(
            abi.encodeWithSelector(IRequestReceiver.WrongCurrency.selector, bytes32(0), word(address(dollar)))
        );
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signature);
    }

    function test_PayNative_WhenAmountIsNotExact_Reverts() public {
        bytes memory signature = sign(request, KEY);
        for (uint256 value = 99; value <= 101; value += 2) {
            vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.WrongAmount.selector, value, 100));
            vm.prank(user);
            receiver.payNative{value: value}(request, forward(), signature);
        }
    }

    function test_PayNative_WhenChainIsAnother_Reverts() public {
        request.originChainId = 10;
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.WrongChain.selector, block.chainid, 10));
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signature);
    }

    function test_PayNative_WhenChainForks_Reverts() public {
        bytes memory signature = sign(request, KEY);
        vm.chainId(10);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.WrongChain.selector, 10, request.originChainId));
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signature);
    }

    function test_PayNative_WhenAnotherPays_Reverts() public {
        bytes memory signature = sign(request, KEY);
        vm.deal(STRANGER, 100);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.WrongPayer.selector, word(STRANGER), word(user)));
        vm.prank(STRANGER);
        receiver.payNative{value: 100}(request, forward(), signature);
    }

    function test_PayNative_WhenUserIsPaddedOnTheRight_Reverts() public {
        request.originUser = bytes32(bytes20(user));
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(
            abi.encodeWithSelector(IRequestReceiver.WrongPayer.selector, word(user), bytes32(bytes20(user)))
        );
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signature);
    }

    function test_PayNative_WhenInTheLastSecond_Passes() public {
        vm.warp(1_000);
        payNative(request, forward());
    }

    function test_PayNative_WhenExpired_Reverts() public {
        bytes memory signature = sign(request, KEY);
        vm.warp(1_001);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.PaymentExpired.selector, 1_000, 1_001));
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signature);
    }

    function test_PayNative_WhenPaidBefore_Reverts() public {
        payNative(request, forward());
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.RequestAlreadyPaid.selector, request.requestId));
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signature);
    }

    function test_PayNative_WhenPaidBeforeAndSignedInAnotherForm_Reverts() public {
        payNative(request, forward());
        bytes memory signature = signCompact(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.RequestAlreadyPaid.selector, request.requestId));
        vm.prank(user);
        receiver.payNative{value: 100}(request, deposit(), signature);
    }

    function test_PayNative_WhenPaidBeforeAndOtherWordsDiffer_Reverts() public {
        payNative(request, forward());
        request.destinationChainId = 1;
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.RequestAlreadyPaid.selector, request.requestId));
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signature);
    }

    function test_PayNative_WhenSignatureIsOfAnotherRequest_Reverts() public {
        bytes memory signature = sign(request, KEY);
        request.requestId = keccak256("another");
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        address signer = ecrecover(hashOf(request), uint8(signature[64]), r, s);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, solver));
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signature);
    }

    function test_PayNative_WhenSolverIsAWallet_ChecksERC1271Signature() public {
        address wallet = deployCode("Wallet1271", abi.encode(solver));
        receiver = receiverFor(wallet, address(0));
        payNative(request, deposit());
        assertEq(address(depository).balance, 100, "depository");
    }

    function test_PayNative_WhenWalletRefusesTheSignature_Reverts() public {
        address wallet = deployCode("Wallet1271", abi.encode(STRANGER));
        receiver = receiverFor(wallet, address(0));
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WalletRefused.selector, wallet, hashOf(request)));
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signature);
    }

    function test_PayNative_WhenSolverRefusesNative_RevertsAndStaysUnpaid() public {
        address wallet = deployCode("NativeRefuser");
        receiver = receiverFor(wallet, address(0));
        bytes memory signature = sign(request, KEY);
        bytes memory reason = abi.encodeWithSelector(NativeRefuser.Refused.selector, 100);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.ForwardFailed.selector, wallet, 100, reason));
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signature);
        assertFalse(receiver.paid(request.requestId), "paid");
        assertEq(user.balance, 1_000, "user");
    }

    function test_PayNative_WhenSolverReenters_Reverts() public {
        NativeReenterer wallet = NativeReenterer(deployCode("NativeReenterer"));
        receiver = receiverFor(address(wallet), address(0));
        wallet.arm(abi.encodeCall(IRequestReceiver.payNative, (request, forward(), "")));
        bytes memory reason = abi.encodeWithSelector(ReentryGuard.Reentered.selector);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.ForwardFailed.selector, address(wallet), 100, reason));
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), "");
    }

    function test_PayNative_WhenSolverReadsTheReceiver_SeesItPaid() public {
        NativeReenterer wallet = NativeReenterer(deployCode("NativeReenterer"));
        receiver = receiverFor(address(wallet), address(0));
        wallet.arm(abi.encodeCall(IRequestReceiver.verify, (request, "")));
        bytes memory reason = abi.encodeWithSelector(IRequestReceiver.RequestAlreadyPaid.selector, request.requestId);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.ForwardFailed.selector, address(wallet), 100, reason));
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), "");
    }

    function test_Verify_WhenPayable_Passes() public view {
        receiver.verify(request, sign(request, KEY));
    }

    function test_Verify_WhenPaid_Reverts() public {
        payNative(request, forward());
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.RequestAlreadyPaid.selector, request.requestId));
        receiver.verify(request, signature);
    }

    function test_Receive_WhenNativeIsSent_Reverts() public {
        (bool success,) = address(receiver).call{value: 1}("");
        assertFalse(success, "success");
    }

    function testFuzz_PayNative_WhenSigned_PaysOnce(bytes32 requestId, uint96 amount, bytes32 recipient) public {
        amount = uint96(bound(amount, 1, type(uint96).max));
        request.requestId = requestId;
        request.originAmount = amount;
        request.destinationUser = recipient;
        bytes memory signature = sign(request, KEY);
        vm.deal(user, uint256(amount) * 2);
        vm.prank(user);
        receiver.payNative{value: amount}(request, forward(), signature);
        assertEq(solver.balance, amount, "solver");
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.RequestAlreadyPaid.selector, requestId));
        vm.prank(user);
        receiver.payNative{value: amount}(request, forward(), signature);
    }
}
