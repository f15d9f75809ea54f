// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IDepository} from "../../../contracts/interfaces/IDepository.sol";
import {IRequestPolicy} from "../../../contracts/interfaces/IRequestPolicy.sol";
import {IRequestReceiver} from "../../../contracts/interfaces/IRequestReceiver.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {BlocklistToken} from "../../../contracts/mocks/BlocklistToken.sol";
import {FallbackToken} from "../../../contracts/mocks/FallbackToken.sol";
import {FalseToken} from "../../../contracts/mocks/FalseToken.sol";
import {GasBurningToken} from "../../../contracts/mocks/GasBurningToken.sol";
import {HookedToken} from "../../../contracts/mocks/HookedToken.sol";
import {LyingToken} from "../../../contracts/mocks/LyingToken.sol";
import {MuteToken} from "../../../contracts/mocks/MuteToken.sol";
import {NativeReenterer} from "../../../contracts/mocks/NativeReenterer.sol";
import {SolverWallet} from "../../../contracts/mocks/SolverWallet.sol";
import {RebasingToken} from "../../../contracts/mocks/RebasingToken.sol";
import {RequestReceiver} from "../../../contracts/receiver/RequestReceiver.sol";
import {ReceiverTest} from "../support/ReceiverTest.sol";

/// @dev A token, a depository or a stranger can only make a payment revert.
contract RequestReceiverHostileTest is ReceiverTest {
    function test_PayToken_WhenTransferFromReturnsFalse_Reverts() public {
        FalseToken token = FalseToken(deployCode("FalseToken"));
        token.mint(user, 100);
        token.refuse(IERC20.transferFrom.selector);
        refuses(
            address(token),
            forward(),
            abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token))
        );
    }

    function test_PayToken_WhenTransferReturnsFalse_Reverts() public {
        FalseToken token = FalseToken(deployCode("FalseToken"));
        token.mint(user, 100);
        token.refuse(IERC20.transfer.selector);
        refuses(
            address(token), forward(), abi.encodeWithSelector(IRequestReceiver.WrongDelivery.selector, solver, 0, 100)
        );
    }

    function test_PayToken_WhenApproveReturnsFalse_Reverts() public {
        FalseToken token = FalseToken(deployCode("FalseToken"));
        token.mint(user, 100);
        approve(token, 100);
        token.refuse(IERC20.approve.selector);
        refusesToken(
            requestIn(address(token)),
            deposit(),
            abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token))
        );
    }

    function test_PayToken_WhenAnAccountIsBlocked_Reverts() public {
        address[4] memory accounts = [user, address(receiver), solver, address(depository)];
        for (uint256 i = 0; i < accounts.length; ++i) {
            BlocklistToken token = BlocklistToken(deployCode("BlocklistToken"));
            token.mint(user, 100);
            token.blockAccount(accounts[i]);
            refuses(
                address(token),
                accounts[i] == solver ? forward() : deposit(),
                accounts[i] == address(depository)
                    ? abi.encodeWithSelector(IDepository.TransferFromFailed.selector)
                    : abi.encodeWithSelector(BlocklistToken.Blocked.selector, accounts[i])
            );
            assertEq(token.balanceOf(user), 100, "user");
        }
    }

    function test_PayToken_WhenBlockedSolverIsNotTheRecipient_Pays() public {
        BlocklistToken token = BlocklistToken(deployCode("BlocklistToken"));
        token.mint(user, 100);
        token.blockAccount(solver);
        approve(token, 100);
        payToken(requestIn(address(token)), deposit());
        assertEq(token.balanceOf(address(depository)), 100, "depository");
    }

    function test_PayToken_WhenTokenRebasesDown_Reverts() public {
        RebasingToken token = RebasingToken(deployCode("RebasingToken"));
        token.rebase(1.1e18);
        token.mint(user, 200);
        refuses(address(token), forward(), abi.encodeWithSelector(IRequestReceiver.WrongAmount.selector, 99, 100));
    }

    function test_PayToken_WhenTokenRebasesWithoutRounding_Pays() public {
        RebasingToken token = RebasingToken(deployCode("RebasingToken"));
        token.rebase(2e18);
        token.mint(user, 100);
        approve(IERC20(address(token)), 100);
        payToken(requestIn(address(token)), deposit());
        assertEq(token.balanceOf(address(depository)), 100, "depository");
        assertEq(token.sharesOf(address(receiver)), 0, "receiver");
    }

    function test_PayToken_WhenTokenMisreportsReceiverBalance_Reverts() public {
        LyingToken token = LyingToken(deployCode("LyingToken"));
        token.mint(user, 100);
        token.setBalance(address(receiver), 1_000);
        refuses(address(token), forward(), abi.encodeWithSelector(IRequestReceiver.WrongAmount.selector, 0, 100));
    }

    function test_PayToken_WhenTokenMisreportsRecipientBalance_Reverts() public {
        address[2] memory recipients = [solver, address(depository)];
        for (uint256 i = 0; i < recipients.length; ++i) {
            LyingToken token = LyingToken(deployCode("LyingToken"));
            token.mint(user, 100);
            token.setBalance(recipients[i], 1_000);
            refuses(
                address(token),
                i == 0 ? forward() : deposit(),
                abi.encodeWithSelector(IRequestReceiver.WrongDelivery.selector, recipients[i], 0, 100)
            );
        }
    }

    function test_PayToken_WhenBalanceOfReverts_Reverts() public {
        MuteToken token = MuteToken(deployCode("MuteToken"));
        token.mint(user, 100);
        refuses(address(token), forward(), abi.encodeWithSelector(MuteToken.NoAnswer.selector, address(receiver)));
    }

    function test_PayToken_WhenBalanceOfBurnsGas_Reverts() public {
        GasBurningToken token = GasBurningToken(deployCode("GasBurningToken"));
        token.mint(user, 100);
        approve(token, 100);
        RequestSignature.Request memory request = requestIn(address(token));
        bytes memory signature = sign(request, KEY);
        vm.expectRevert("");
        vm.prank(user);
        receiver.payToken{gas: 1_000_000}(request, forward(), signature);
        assertFalse(receiver.paid(request.requestId), "paid");
    }

    function test_PayToken_WhenTokenReentersForAnotherRequest_Reverts() public {
        HookedToken token = HookedToken(deployCode("HookedToken"));
        token.mint(user, 200);
        RequestSignature.Request memory other = requestIn(address(token));
        other.requestId = keccak256("other");
        token.arm(address(receiver), abi.encodeCall(IRequestReceiver.payToken, (other, deposit(), sign(other, KEY))));
        refuses(address(token), forward(), abi.encodeWithSelector(ReentryGuard.Reentered.selector));
    }

    function test_PayNative_WhenDepositoryReenters_Reverts() public {
        NativeReenterer hostile = NativeReenterer(deployCode("NativeReenterer"));
        receiver = RequestReceiver(
            deployCode("RequestReceiver", abi.encode(solver, address(hostile), address(0), IRequestPolicy(address(0))))
        );
        RequestSignature.Request memory request = requestIn(address(0));
        hostile.arm(abi.encodeCall(IRequestReceiver.payNative, (request, deposit(), sign(request, KEY))));
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        vm.prank(user);
        receiver.payNative{value: 100}(request, deposit(), signature);
    }

    function test_PayToken_WhenDepositoryTakesNothing_Reverts() public {
        NativeReenterer hostile = NativeReenterer(deployCode("NativeReenterer"));
        receiver = RequestReceiver(
            deployCode("RequestReceiver", abi.encode(solver, address(hostile), address(0), IRequestPolicy(address(0))))
        );
        hostile.arm(abi.encodeCall(IRequestReceiver.solver, ()));
        dollar.mint(user, 100);
        refuses(
            address(dollar),
            deposit(),
            abi.encodeWithSelector(IRequestReceiver.WrongDelivery.selector, address(hostile), 0, 100)
        );
        assertEq(dollar.allowance(address(receiver), address(hostile)), 0, "left approved");
    }

    function test_PayNative_WhenSolverReturnsAMillionBytes_Pays() public {
        vm.etch(solver, deployCode("HugeAnswer", abi.encode(0)).code);
        payNative(requestIn(address(0)), forward());
        assertEq(solver.balance, 100, "solver");
    }

    /// @dev The attack: choose a requestId that starts with a function selector of the solver's wallet.
    function test_PayNative_WhenSolverIsAContract_CallsNoFunctionOfIt() public {
        vm.etch(solver, deployCode("SolverWallet").code);
        RequestSignature.Request memory request = requestIn(address(0));
        request.requestId = bytes32(SolverWallet.fail.selector);
        payNative(request, forward());
        assertEq(solver.balance, 100, "solver");
        assertTrue(receiver.paid(request.requestId), "paid");
    }

    function test_Pay_WhenAmountIsZero_Reverts() public {
        RequestSignature.Request memory request = requestIn(address(0));
        request.originAmount = 0;
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.AmountIsZero.selector, request.requestId));
        vm.prank(user);
        receiver.payNative(request, forward(), signature);
        request.originCurrency = word(address(dollar));
        refusesToken(
            request, deposit(), abi.encodeWithSelector(IRequestReceiver.AmountIsZero.selector, request.requestId)
        );
    }

    function test_PayNative_WhenSolverBurnsGas_Reverts() public {
        vm.etch(solver, deployCode("GasBurner").code);
        RequestSignature.Request memory request = requestIn(address(0));
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.ForwardFailed.selector, solver, 100, ""));
        vm.prank(user);
        receiver.payNative{value: 100, gas: 5_000_000}(request, forward(), signature);
        assertFalse(receiver.paid(request.requestId), "paid");
        assertEq(user.balance, 1_000, "user");
    }

    function test_PayNative_WhenNativeWasForced_LeavesItAlone() public {
        vm.deal(address(receiver), 7);
        payNative(requestIn(address(0)), forward());
        assertEq(solver.balance, 100, "solver");
        assertEq(address(receiver).balance, 7, "receiver");
    }

    function test_PayNative_WhenForcedNativeWouldCoverTheRest_Reverts() public {
        vm.deal(address(receiver), 1);
        RequestSignature.Request memory request = requestIn(address(0));
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.WrongAmount.selector, 99, 100));
        vm.prank(user);
        receiver.payNative{value: 99}(request, forward(), signature);
    }

    function test_PayToken_WhenDonationWouldCoverTheRest_Reverts() public {
        BlocklistToken token = BlocklistToken(deployCode("BlocklistToken"));
        token.mint(user, 99);
        token.mint(address(receiver), 1);
        refuses(
            address(token),
            forward(),
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, user, 99, 100)
        );
    }

    function test_PayTokenWithPermit_WhenTheTokensFallbackTakesThePermit_NeedsTheAllowance() public {
        FallbackToken token = FallbackToken(deployCode("FallbackToken"));
        token.mint(user, 100);
        RequestSignature.Request memory request = requestIn(address(token));
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(receiver), 0, 100)
        );
        vm.prank(user);
        receiver.payTokenWithPermit(request, forward(), signature, 27, 0, 0);
    }

    function test_PayTokenWithPermit_WhenTheTokensFallbackTakesThePermit_SparesOtherPayers() public {
        FallbackToken token = FallbackToken(deployCode("FallbackToken"));
        token.mint(user, 100);
        approve(token, 100);
        RequestSignature.Request memory request = requestIn(address(token));
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSelector(IRequestReceiver.WrongPayer.selector, word(STRANGER), word(user)));
        vm.prank(STRANGER);
        receiver.payTokenWithPermit(request, forward(), signature, 27, 0, 0);
    }

    function test_PayTokenWithPermit2_WhenTheTokensFallbackTakesAnything_NeedsTheSignature() public {
        FallbackToken token = FallbackToken(deployCode("FallbackToken"));
        token.mint(user, 100);
        vm.prank(user);
        token.approve(PERMIT2, 100);
        RequestSignature.Request memory request = requestIn(address(token));
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(abi.encodeWithSignature("InvalidSignatureLength()"));
        vm.prank(STRANGER);
        receiver.payTokenWithPermit2(request, forward(), signature, 5, "");
    }

    function refuses(address token, IRequestReceiver.Terms memory terms, bytes memory error_) private {
        approve(IERC20(token), 100);
        RequestSignature.Request memory request = requestIn(token);
        refusesToken(request, terms, error_);
        assertFalse(receiver.paid(request.requestId), "paid");
    }
}
