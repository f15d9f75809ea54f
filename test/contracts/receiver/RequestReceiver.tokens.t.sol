// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {IDepository} from "../../../contracts/interfaces/IDepository.sol";
import {IRequestPolicy} from "../../../contracts/interfaces/IRequestPolicy.sol";
import {IRequestReceiver} from "../../../contracts/interfaces/IRequestReceiver.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {CallMaker} from "../../../contracts/mocks/CallMaker.sol";
import {FeeToken} from "../../../contracts/mocks/FeeToken.sol";
import {HookedToken} from "../../../contracts/mocks/HookedToken.sol";
import {StickyToken} from "../../../contracts/mocks/StickyToken.sol";
import {StrictToken} from "../../../contracts/mocks/StrictToken.sol";
import {RequestReceiver} from "../../../contracts/receiver/RequestReceiver.sol";
import {ReceiverTest} from "../support/ReceiverTest.sol";

contract RequestReceiverTokensTest is ReceiverTest {
    bytes32 internal constant PERMIT_TYPEHASH = 0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9;

    RequestSignature.Request internal request = requestIn(address(dollar));

    function setUp() public override {
        super.setUp();
        dollar.mint(user, 100);
    }

    function test_PayToken_WhenForwarded_CarriesTheRequestIdToTheSolver() public {
        approve(IERC20(dollar), 100);
        vm.expectEmit(address(receiver));
        emit IRequestReceiver.RequestPaid(request.requestId, user, address(dollar), 100, bytes32(0));
        vm.expectEmit(address(receiver));
        emit IRequestReceiver.FundsForwardedWithData(abi.encodePacked(request.requestId));
        vm.expectCall(address(dollar), bytes.concat(abi.encodeCall(IERC20.transfer, (solver, 100)), request.requestId));
        payToken(request, forward());
        assertEq(dollar.balanceOf(solver), 100, "solver");
        restsEmpty(IERC20(dollar));
    }

    function test_PayToken_WhenOrderIsGiven_DepositsForThePayer() public {
        approve(IERC20(dollar), 100);
        vm.expectEmit(address(depository));
        emit IDepository.RelayErc20Deposit(user, address(dollar), 100, ORDER_ID);
        payToken(request, deposit());
        assertEq(dollar.balanceOf(address(depository)), 100, "depository");
        restsEmpty(IERC20(dollar));
    }

    function test_PayToken_WhenReceiverHoldsDonation_DoesNotCountIt() public {
        dollar.mint(address(receiver), 7);
        approve(IERC20(dollar), 100);
        payToken(request, forward());
        assertEq(dollar.balanceOf(solver), 100, "solver");
        assertEq(dollar.balanceOf(address(receiver)), 7, "receiver");
    }

    function test_PayToken_WhenNotApproved_RevertsAndStaysUnpaid() public {
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(receiver), 0, 100)
        );
        vm.prank(user);
        receiver.payToken(request, forward(), signature);
        assertFalse(receiver.paid(request.requestId), "paid");
    }

    function test_PayToken_WhenAnotherSends_Reverts() public {
        approve(IERC20(dollar), 100);
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.WrongPayer.selector, word(STRANGER), word(user)));
        vm.prank(STRANGER);
        receiver.payToken(request, forward(), signature);
    }

    function test_PayToken_WhenPaidBefore_Reverts() public {
        approve(IERC20(dollar), 200);
        payToken(request, forward());
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.RequestAlreadyPaid.selector, request.requestId));
        vm.prank(user);
        receiver.payToken(request, forward(), signature);
    }

    function test_PayToken_WhenCurrencyIsNotAToken_Reverts() public {
        bytes32[3] memory wrong = [bytes32(0), bytes32(bytes20(address(dollar))), word(STRANGER)];
        for (uint256 i = 0; i < wrong.length; ++i) {
            request.originCurrency = wrong[i];
            bytes memory signature = sign(request, KEY);
            vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.CurrencyIsNoToken.selector, wrong[i]));
            vm.prank(user);
            receiver.payToken(request, forward(), signature);
        }
    }

    function test_PayToken_WhenTokenTakesFee_Reverts() public {
        FeeToken fee = FeeToken(deployCode("FeeToken", abi.encode(100)));
        fee.mint(user, 100);
        refuses(fee, forward(), abi.encodeWithSelector(IRequestReceiver.WrongAmount.selector, 99, 100));
    }

    function test_PayToken_WhenLessLeavesTheReceiver_Reverts() public {
        StickyToken sticky = StickyToken(deployCode("StickyToken"));
        sticky.stick(1, false);
        sticky.mint(user, 100);
        refuses(sticky, forward(), abi.encodeWithSelector(IRequestReceiver.WrongDelivery.selector, solver, 99, 100));
    }

    function test_PayToken_WhenDepositLowersTheDepositorysBalance_Reverts() public {
        CallMaker maker = CallMaker(deployCode("CallMaker"));
        maker.arm(address(dollar), abi.encodeCall(IERC20.transfer, (STRANGER, 50)));
        dollar.mint(address(maker), 50);
        receiver = RequestReceiver(
            deployCode("RequestReceiver", abi.encode(solver, maker, permit2, IRequestPolicy(address(0))))
        );
        approve(IERC20(dollar), 100);
        refusesToken(request, deposit(), abi.encodeWithSelector(IRequestReceiver.WrongDelivery.selector, maker, 0, 100));
    }

    function test_PayToken_WhenTokenReturnsNothing_Pays() public {
        for (uint256 i = 0; i < 2; ++i) {
            StrictToken strict = StrictToken(deployCode("StrictToken"));
            strict.mint(user, 100);
            request = requestIn(address(strict));
            request.requestId = bytes32(i);
            approve(IERC20(address(strict)), 100);
            payToken(request, i == 0 ? forward() : deposit());
            assertEq(strict.balanceOf(i == 0 ? solver : address(depository)), 100, "paid");
            restsEmpty(IERC20(address(strict)));
        }
    }

    function test_PayToken_WhenTokenReenters_Reverts() public {
        HookedToken hooked = HookedToken(deployCode("HookedToken"));
        hooked.mint(user, 100);
        hooked.arm(address(receiver), abi.encodeCall(IRequestReceiver.payToken, (request, forward(), "")));
        refuses(hooked, forward(), abi.encodeWithSelector(ReentryGuard.Reentered.selector));
    }

    function test_PayTokenWithPermit_WhenSigned_Pays() public {
        (uint8 v, bytes32 r, bytes32 s) = permit(100);
        bytes memory signature = sign(request, KEY);
        vm.prank(user);
        receiver.payTokenWithPermit(request, forward(), signature, v, r, s);
        assertEq(dollar.balanceOf(solver), 100, "solver");
        assertEq(dollar.allowance(user, address(receiver)), 0, "allowance");
        restsEmpty(IERC20(dollar));
    }

    function test_PayTokenWithPermit_WhenPermitWasUsedByAStranger_StillPays() public {
        (uint8 v, bytes32 r, bytes32 s) = permit(100);
        bytes memory signature = sign(request, KEY);
        vm.prank(STRANGER);
        dollar.permit(user, address(receiver), 100, 1_000, v, r, s);
        vm.prank(user);
        receiver.payTokenWithPermit(request, forward(), signature, v, r, s);
        assertEq(dollar.balanceOf(solver), 100, "solver");
    }

    function test_PayTokenWithPermit_WhenPermitIsWrong_RevertsForTheAllowance() public {
        (uint8 v, bytes32 r, bytes32 s) = permit(99);
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(receiver), 0, 100)
        );
        vm.prank(user);
        receiver.payTokenWithPermit(request, forward(), signature, v, r, s);
    }

    function test_PayTokenWithPermit_WhenStrangerSends_Reverts() public {
        (uint8 v, bytes32 r, bytes32 s) = permit(100);
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.WrongPayer.selector, word(STRANGER), word(user)));
        vm.prank(STRANGER);
        receiver.payTokenWithPermit(request, forward(), signature, v, r, s);
    }

    function refuses(IERC20 token, IRequestReceiver.Terms memory terms, bytes memory error_) private {
        request.originCurrency = word(address(token));
        approve(token, 100);
        refusesToken(request, terms, error_);
    }

    function permit(uint256 value) private view returns (uint8 v, bytes32 r, bytes32 s) {
        bytes32 structHash =
            keccak256(abi.encode(PERMIT_TYPEHASH, user, address(receiver), value, dollar.nonces(user), 1_000));
        return vm.sign(USER_KEY, keccak256(abi.encodePacked("\x19\x01", dollar.DOMAIN_SEPARATOR(), structHash)));
    }

    function restsEmpty(IERC20 token) private view {
        assertEq(token.balanceOf(address(receiver)), 0, "receiver");
        assertEq(token.allowance(address(receiver), address(depository)), 0, "left approved");
    }
}
