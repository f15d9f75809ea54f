// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {IRequestPolicy} from "../../../contracts/interfaces/IRequestPolicy.sol";
import {IRequestReceiver} from "../../../contracts/interfaces/IRequestReceiver.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {ReentrantPolicy} from "../../../contracts/mocks/ReentrantPolicy.sol";
import {CurrencyCap} from "../../../contracts/receiver/policies/CurrencyCap.sol";
import {PausePolicy} from "../../../contracts/receiver/policies/PausePolicy.sol";
import {RecipientAllowList} from "../../../contracts/receiver/policies/RecipientAllowList.sol";
import {UserAllowList} from "../../../contracts/receiver/policies/UserAllowList.sol";
import {ReceiverTest} from "../support/ReceiverTest.sol";

contract RequestReceiverPoliciesTest is ReceiverTest {
    bytes4 internal constant ACCEPTED = IRequestPolicy.check.selector;

    // The recipient uses all 32 bytes, like an address on an SVM chain.
    RequestSignature.Request internal request = requestIn(address(0));

    function test_PayNative_WhenRecipientIsListed_PaysUntilRemoved() public {
        RecipientAllowList policy = RecipientAllowList(deployCode("RecipientAllowList", abi.encode(address(this))));
        receiver = receiverFor(solver, address(policy));
        bytes memory error_ = abi.encodeWithSelector(
            RecipientAllowList.RecipientNotAllowed.selector, request.destinationChainId, request.destinationUser
        );
        refuses(error_);
        policy.setRecipient(request.destinationChainId, request.destinationUser, true);
        pays();
        policy.setRecipient(request.destinationChainId, request.destinationUser, false);
        refuses(error_);
    }

    function test_PayNative_WhenOneByteOfTheRecipientDiffers_Reverts() public {
        RecipientAllowList policy = RecipientAllowList(deployCode("RecipientAllowList", abi.encode(address(this))));
        receiver = receiverFor(solver, address(policy));
        policy.setRecipient(request.destinationChainId, request.destinationUser, true);
        // The first byte is always zero in an EVM address.
        request.destinationUser ^= bytes32(uint256(1) << 255);
        refuses(
            abi.encodeWithSelector(
                RecipientAllowList.RecipientNotAllowed.selector, request.destinationChainId, request.destinationUser
            )
        );
    }

    function test_PayNative_WhenUserIsListed_PaysUntilRemoved() public {
        UserAllowList policy = UserAllowList(deployCode("UserAllowList", abi.encode(address(this))));
        receiver = receiverFor(solver, address(policy));
        bytes memory error_ = abi.encodeWithSelector(UserAllowList.UserNotAllowed.selector, word(user));
        refuses(error_);
        policy.setUser(word(user), true);
        pays();
        policy.setUser(word(user), false);
        refuses(error_);
    }

    function test_PayNative_WhenAmountIsWithinTheCap_PaysUntilItIsLowered() public {
        CurrencyCap policy = CurrencyCap(deployCode("CurrencyCap", abi.encode(address(this))));
        receiver = receiverFor(solver, address(policy));
        refuses(abi.encodeWithSelector(CurrencyCap.AmountAboveCap.selector, bytes32(0), 100, 0));
        policy.setCap(bytes32(0), 100);
        pays();
        pays();
        policy.setCap(bytes32(0), 99);
        refuses(abi.encodeWithSelector(CurrencyCap.AmountAboveCap.selector, bytes32(0), 100, 99));
        policy.setCap(bytes32(0), 0);
        refuses(abi.encodeWithSelector(CurrencyCap.AmountAboveCap.selector, bytes32(0), 100, 0));
    }

    function test_PayToken_WhenTheCapIsOfAnotherCurrency_Reverts() public {
        CurrencyCap policy = CurrencyCap(deployCode("CurrencyCap", abi.encode(address(this))));
        receiver = receiverFor(solver, address(policy));
        policy.setCap(bytes32(0), type(uint256).max);
        refusesToken(
            requestIn(address(dollar)),
            forward(),
            abi.encodeWithSelector(CurrencyCap.AmountAboveCap.selector, word(address(dollar)), 100, 0)
        );
    }

    function test_PayNative_WhenPaused_RevertsUntilUnpaused() public {
        PausePolicy policy = PausePolicy(deployCode("PausePolicy", abi.encode(address(this))));
        receiver = receiverFor(solver, address(policy));
        pays();
        policy.pause();
        refuses(abi.encodeWithSelector(Pausable.EnforcedPause.selector));
        policy.unpause();
        pays();
    }

    function test_Pay_WhenPaused_RevertsOnEveryWay() public {
        PausePolicy policy = PausePolicy(deployCode("PausePolicy", abi.encode(address(this))));
        receiver = receiverFor(solver, address(policy));
        policy.pause();
        request = requestIn(address(dollar));
        bytes memory error_ = abi.encodeWithSelector(Pausable.EnforcedPause.selector);
        bytes memory signature = sign(request, KEY);
        refusesToken(request, forward(), error_);
        vm.expectRevert(error_);
        vm.prank(user);
        receiver.payTokenWithPermit(request, forward(), signature, 27, 0, 0);
        vm.expectRevert(error_);
        receiver.payTokenWithPermit2(request, forward(), signature, 0, "");
        vm.expectRevert(error_);
        receiver.verify(request, signature);
    }

    function test_PayNative_WhenPolicyOwnerChanges_AppliesNewOwnersSettings() public {
        PausePolicy policy = PausePolicy(deployCode("PausePolicy", abi.encode(address(this))));
        receiver = receiverFor(solver, address(policy));
        policy.transferOwnership(STRANGER);
        pays();
        vm.prank(STRANGER);
        policy.acceptOwnership();
        vm.prank(STRANGER);
        policy.pause();
        refuses(abi.encodeWithSelector(Pausable.EnforcedPause.selector));
    }

    function test_PayNative_WhenPolicyReturnsAnotherValue_Reverts() public {
        bytes4[3] memory answers = [bytes4(0), bytes4(0xffffffff), ~ACCEPTED];
        for (uint256 i = 0; i < answers.length; ++i) {
            address policy = deployCode("FixedAnswer", abi.encode(abi.encode(answers[i])));
            receiver = receiverFor(solver, policy);
            refuses(abi.encodeWithSelector(IRequestReceiver.PolicyAnswered.selector, policy, answers[i], ACCEPTED));
        }
    }

    function test_PayNative_WhenPolicyReturnsNoWord_Reverts() public {
        bytes[4] memory answers = [
            bytes(""),
            abi.encodePacked(ACCEPTED),
            bytes.concat(ACCEPTED, new bytes(27)),
            bytes.concat(ACCEPTED, bytes28(type(uint224).max))
        ];
        for (uint256 i = 0; i < answers.length; ++i) {
            receiver = receiverFor(solver, deployCode("FixedAnswer", abi.encode(answers[i])));
            refuses("");
        }
    }

    function test_PayNative_WhenPolicyReturnsAMillionBytes_ReadsTheFirstWord() public {
        receiver = receiverFor(solver, deployCode("HugeAnswer", abi.encode(ACCEPTED)));
        pays();
    }

    function test_PayNative_WhenPolicyRevertsWithoutReason_Reverts() public {
        receiver = receiverFor(solver, deployCode("Target"));
        refuses("");
    }

    function test_PayNative_WhenPolicyBurnsGas_Reverts() public {
        receiver = receiverFor(solver, deployCode("GasBurner"));
        bytes memory signature = sign(request, KEY);
        vm.expectRevert("");
        vm.prank(user);
        receiver.payNative{value: 100, gas: 1_000_000}(request, forward(), signature);
        assertEq(user.balance, 1_000, "user");
    }

    function test_PayNative_WhenPolicyReenters_Reverts() public {
        ReentrantPolicy policy = ReentrantPolicy(deployCode("ReentrantPolicy"));
        receiver = receiverFor(solver, address(policy));
        policy.arm(abi.encodeCall(IRequestReceiver.payToken, (request, forward(), "")));
        refuses(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
    }

    function test_PayNative_WhenPolicyReadsTheReceiver_SeesItUnpaid() public {
        ReentrantPolicy policy = ReentrantPolicy(deployCode("ReentrantPolicy"));
        receiver = receiverFor(solver, address(policy));
        policy.arm(abi.encodeCall(IRequestReceiver.paid, (request.requestId)));
        pays();
    }

    function test_PayNative_WhenSignatureIsWrong_DoesNotCallThePolicy() public {
        receiver = receiverFor(solver, deployCode("FixedAnswer", abi.encode(abi.encode(ACCEPTED))));
        refusesNative(
            request, sign(request, USER_KEY), abi.encodeWithSelector(SignedHash.WrongSigner.selector, user, solver)
        );
    }

    function refuses(bytes memory error_) private {
        refusesNative(request, sign(request, KEY), error_);
    }

    /// @dev Pays for the request, then changes it so that the next payment is for another request.
    function pays() private {
        uint256 held = solver.balance;
        payNative(request, forward());
        assertEq(solver.balance, held + 100, "solver");
        request.requestId = keccak256(abi.encode(request.requestId));
    }
}
