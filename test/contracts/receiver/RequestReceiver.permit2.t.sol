// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SignatureVerification} from "@uniswap/v4-periphery/lib/permit2/src/libraries/SignatureVerification.sol";
import {IDepository} from "../../../contracts/interfaces/IDepository.sol";
import {IRequestPolicy} from "../../../contracts/interfaces/IRequestPolicy.sol";
import {IRequestReceiver} from "../../../contracts/interfaces/IRequestReceiver.sol";
import {ISignatureTransfer} from "../../../contracts/interfaces/ISignatureTransfer.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {FeeToken} from "../../../contracts/mocks/FeeToken.sol";
import {RequestReceiver} from "../../../contracts/receiver/RequestReceiver.sol";
import {ReceiverTest} from "../support/ReceiverTest.sol";

/// @dev Uses the published code of Permit2.
contract RequestReceiverPermit2Test is ReceiverTest {
    uint256 internal constant NONCE = 5;

    RequestSignature.Request internal request = requestIn(address(dollar));

    function setUp() public override {
        super.setUp();
        dollar.mint(user, 200);
        vm.prank(user);
        dollar.approve(PERMIT2, type(uint256).max);
    }

    function test_PayTokenWithPermit2_WhenAnyoneSends_PaysFromTheUser() public {
        vm.expectEmit(address(receiver));
        emit IRequestReceiver.RequestPaid(request.requestId, user, address(dollar), 100, ORDER_ID);
        vm.expectEmit(address(depository));
        emit IDepository.RelayErc20Deposit(user, address(dollar), 100, ORDER_ID);
        pay(deposit(), signPermit2(agreed(deposit()), USER_KEY));
        assertEq(dollar.balanceOf(address(depository)), 100, "depository");
        assertEq(dollar.balanceOf(address(receiver)), 0, "receiver");
        assertEq(dollar.allowance(address(receiver), address(depository)), 0, "left approved");
    }

    function test_PayTokenWithPermit2_WhenForwarded_CarriesTheRequestIdToTheSolver() public {
        vm.expectCall(address(dollar), bytes.concat(abi.encodeCall(IERC20.transfer, (solver, 100)), request.requestId));
        pay(forward(), signPermit2(agreed(forward()), USER_KEY));
        assertEq(dollar.balanceOf(solver), 100, "solver");
        assertEq(dollar.balanceOf(address(receiver)), 0, "receiver");
    }

    function test_PayTokenWithPermit2_WhenPayerIsAContractWallet_ChecksERC1271Signature() public {
        address wallet = deployCode("Wallet1271", abi.encode(user));
        dollar.mint(wallet, 100);
        vm.prank(wallet);
        dollar.approve(PERMIT2, 100);
        request.originUser = word(wallet);
        pay(forward(), signPermit2(agreed(forward()), USER_KEY));
        assertEq(dollar.balanceOf(solver), 100, "solver");
        assertEq(dollar.balanceOf(wallet), 0, "wallet");
    }

    function test_PayTokenWithPermit2_WhenContractWalletRefuses_Reverts() public {
        request.originUser = word(deployCode("Wallet1271", abi.encode(STRANGER)));
        refuses(
            forward(),
            signPermit2(agreed(forward()), USER_KEY),
            abi.encodeWithSelector(SignatureVerification.InvalidContractSignature.selector)
        );
    }

    function test_PayTokenWithPermit2_WhenSenderChangesTheOrder_Reverts() public {
        refusesSigner(deposit(), agreed(forward()));
        IRequestReceiver.Terms memory other = deposit();
        other.orderId = keccak256("another user's order");
        refusesSigner(other, agreed(deposit()));
        refusesSigner(forward(), agreed(deposit()));
    }

    function test_PayTokenWithPermit2_WhenUsedForAnotherRequest_Reverts() public {
        Permit2Transfer memory transfer = agreed(forward());
        request.requestId = keccak256("another user's request");
        refusesSigner(forward(), transfer);
    }

    function test_PayTokenWithPermit2_WhenDeadlineIsExtended_Reverts() public {
        Permit2Transfer memory transfer = agreed(forward());
        refusesSigner(IRequestReceiver.Terms(1_001, bytes32(0)), transfer);
    }

    function test_PayTokenWithPermit2_WhenSpenderIsAnother_Reverts() public {
        Permit2Transfer memory transfer = agreed(forward());
        transfer.spender = STRANGER;
        refusesSigner(forward(), transfer);
    }

    function test_PayTokenWithPermit2_WhenAmountIsNotTheSignedOne_Reverts() public {
        Permit2Transfer memory transfer = agreed(forward());
        for (transfer.amount = 99; transfer.amount <= 101; transfer.amount += 2) {
            refusesSigner(forward(), transfer);
        }
    }

    function test_PayTokenWithPermit2_WhenTokenIsAnother_Reverts() public {
        Permit2Transfer memory transfer = agreed(forward());
        transfer.token = deployCode("FeeToken", abi.encode(0));
        refusesSigner(forward(), transfer);
    }

    function test_PayTokenWithPermit2_WhenNonceIsAnother_Reverts() public {
        Permit2Transfer memory transfer = agreed(forward());
        transfer.nonce = NONCE + 1;
        refusesSigner(forward(), transfer);
    }

    function test_PayTokenWithPermit2_WhenAnotherSigned_Reverts() public {
        refuses(
            forward(),
            signPermit2(agreed(forward()), KEY),
            abi.encodeWithSelector(SignatureVerification.InvalidSigner.selector)
        );
    }

    function test_PayTokenWithPermit2_WhenNonceWasUsed_Reverts() public {
        pay(forward(), signPermit2(agreed(forward()), USER_KEY));
        request.requestId = keccak256("next");
        refuses(forward(), signPermit2(agreed(forward()), USER_KEY), abi.encodeWithSignature("InvalidNonce()"));
    }

    function test_PayTokenWithPermit2_WhenPaidBefore_RevertsAndTakesNothing() public {
        pay(forward(), signPermit2(agreed(forward()), USER_KEY));
        Permit2Transfer memory transfer = agreed(forward());
        transfer.nonce = NONCE + 1;
        bytes memory signature = sign(request, KEY);
        bytes memory userSignature = signPermit2(transfer, USER_KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.RequestAlreadyPaid.selector, request.requestId));
        receiver.payTokenWithPermit2(request, forward(), signature, NONCE + 1, userSignature);
        assertEq(dollar.balanceOf(solver), 100, "solver");
        assertEq(dollar.balanceOf(user), 100, "user");
    }

    function test_PayTokenWithPermit2_WhenExpired_Reverts() public {
        vm.warp(1_001);
        refuses(
            forward(),
            signPermit2(agreed(forward()), USER_KEY),
            abi.encodeWithSelector(IRequestReceiver.PaymentExpired.selector, 1_000, 1_001)
        );
    }

    function test_PayTokenWithPermit2_WhenUsedWithoutTheReceiver_Reverts() public {
        Permit2Transfer memory transfer = agreed(forward());
        bytes memory userSignature = signPermit2(transfer, USER_KEY);
        bytes32 witness = keccak256(
            abi.encode(keccak256("RequestPayment(bytes32 requestId,bytes32 orderId)"), request.requestId, bytes32(0))
        );
        vm.expectRevert(abi.encodeWithSelector(SignatureVerification.InvalidSigner.selector));
        vm.prank(STRANGER);
        ISignatureTransfer(PERMIT2)
            .permitWitnessTransferFrom(
                ISignatureTransfer.PermitTransferFrom(
                    ISignatureTransfer.TokenPermissions(address(dollar), 100), NONCE, transfer.deadline
                ),
                ISignatureTransfer.SignatureTransferDetails(STRANGER, 100),
                user,
                witness,
                "RequestPayment witness)RequestPayment(bytes32 requestId,bytes32 orderId)"
                "TokenPermissions(address token,uint256 amount)",
                userSignature
            );
    }

    function test_PayTokenWithPermit2_WhenUserIsPaddedOnTheRight_Reverts() public {
        request.originUser = bytes32(bytes20(user));
        bytes32 low = word(address(uint160(uint256(request.originUser))));
        refuses(forward(), "", abi.encodeWithSelector(IRequestReceiver.WrongPayer.selector, low, request.originUser));
    }

    function test_PayTokenWithPermit2_WhenTokenTakesFee_Reverts() public {
        FeeToken fee = FeeToken(deployCode("FeeToken", abi.encode(100)));
        fee.mint(user, 100);
        vm.prank(user);
        fee.approve(PERMIT2, 100);
        request = requestIn(address(fee));
        refuses(
            forward(),
            signPermit2(agreed(forward()), USER_KEY),
            abi.encodeWithSelector(IRequestReceiver.WrongAmount.selector, 99, 100)
        );
    }

    function test_PayTokenWithPermit2_WhenPermit2IsNotSet_Reverts() public {
        receiver = RequestReceiver(
            deployCode("RequestReceiver", abi.encode(solver, address(0), address(0), IRequestPolicy(address(0))))
        );
        refuses(forward(), "", abi.encodeWithSelector(IRequestReceiver.NoPermit2.selector));
    }

    /// @dev Returns the witness that the user signs.
    function agreed(IRequestReceiver.Terms memory terms) private view returns (Permit2Transfer memory) {
        return Permit2Transfer({
            token: address(uint160(uint256(request.originCurrency))),
            amount: request.originAmount,
            spender: address(receiver),
            nonce: NONCE,
            deadline: terms.validUntil,
            requestId: request.requestId,
            orderId: terms.orderId
        });
    }

    function pay(IRequestReceiver.Terms memory terms, bytes memory userSignature) private {
        vm.prank(STRANGER);
        receiver.payTokenWithPermit2(request, terms, sign(request, KEY), NONCE, userSignature);
    }

    function refuses(IRequestReceiver.Terms memory terms, bytes memory userSignature, bytes memory error_) private {
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(error_);
        vm.prank(STRANGER);
        receiver.payTokenWithPermit2(request, terms, signature, NONCE, userSignature);
    }

    /// @dev The payment differs from the signed payment, so Permit2 recovers another signer.
    function refusesSigner(IRequestReceiver.Terms memory terms, Permit2Transfer memory signed) private {
        refuses(
            terms, signPermit2(signed, USER_KEY), abi.encodeWithSelector(SignatureVerification.InvalidSigner.selector)
        );
        assertFalse(receiver.paid(request.requestId), "paid");
    }
}
