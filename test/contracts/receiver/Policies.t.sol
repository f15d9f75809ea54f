// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {IRequestPolicy} from "../../../contracts/interfaces/IRequestPolicy.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {CurrencyCap} from "../../../contracts/receiver/policies/CurrencyCap.sol";
import {FillCurrencyAllowList} from "../../../contracts/receiver/policies/FillCurrencyAllowList.sol";
import {PausePolicy} from "../../../contracts/receiver/policies/PausePolicy.sol";
import {RecipientAllowList} from "../../../contracts/receiver/policies/RecipientAllowList.sol";
import {UserAllowList} from "../../../contracts/receiver/policies/UserAllowList.sol";
import {LiveRequest} from "../support/LiveRequest.sol";
import {Requests} from "../support/Requests.sol";

contract PoliciesTest is Requests {
    address internal constant STRANGER = address(0xb0b);
    // A public key on an SVM chain uses all 32 bytes.
    bytes32 internal constant SVM_RECIPIENT = 0xc6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61;
    uint256 internal constant SVM_CHAIN = 792703809;

    RecipientAllowList internal recipients =
        RecipientAllowList(deployCode("RecipientAllowList", abi.encode(address(this))));
    UserAllowList internal users = UserAllowList(deployCode("UserAllowList", abi.encode(address(this))));
    CurrencyCap internal caps = CurrencyCap(deployCode("CurrencyCap", abi.encode(address(this))));
    PausePolicy internal pauses = PausePolicy(deployCode("PausePolicy", abi.encode(address(this))));
    FillCurrencyAllowList internal currencies =
        FillCurrencyAllowList(deployCode("FillCurrencyAllowList", abi.encode(address(this), vm.addr(KEY))));
    RequestSignature.Request internal request = LiveRequest.request();

    function test_RecipientAllowList_WhenListed_Accepts() public {
        request.destinationChainId = SVM_CHAIN;
        request.destinationUser = SVM_RECIPIENT;
        vm.expectEmit(address(recipients));
        emit RecipientAllowList.RecipientSet(SVM_CHAIN, SVM_RECIPIENT, true);
        recipients.setRecipient(SVM_CHAIN, SVM_RECIPIENT, true);
        accepts(recipients);
    }

    function test_RecipientAllowList_WhenNotListed_Reverts() public {
        recipients.setRecipient(SVM_CHAIN, request.destinationUser, true);
        recipients.setRecipient(7777777, request.destinationUser, true);
        recipients.setRecipient(7777777, request.destinationUser, false);
        vm.expectRevert(
            abi.encodeWithSelector(RecipientAllowList.RecipientNotAllowed.selector, 7777777, request.destinationUser)
        );
        recipients.check(request);
    }

    function test_UserAllowList_WhenListed_Accepts() public {
        vm.expectEmit(address(users));
        emit UserAllowList.UserSet(request.originUser, true);
        users.setUser(request.originUser, true);
        accepts(users);
    }

    function test_UserAllowList_WhenNotListed_Reverts() public {
        users.setUser(request.originUser, true);
        users.setUser(request.originUser, false);
        vm.expectRevert(abi.encodeWithSelector(UserAllowList.UserNotAllowed.selector, request.originUser));
        users.check(request);
    }

    function test_CurrencyCap_WhenAtTheCap_Accepts() public {
        vm.expectEmit(address(caps));
        emit CurrencyCap.CapSet(bytes32(0), 0.7 ether);
        caps.setCap(bytes32(0), 0.7 ether);
        accepts(caps);
    }

    function test_CurrencyCap_WhenAboveTheCap_Reverts() public {
        caps.setCap(bytes32(0), 0.7 ether - 1);
        vm.expectRevert(
            abi.encodeWithSelector(CurrencyCap.AmountAboveCap.selector, bytes32(0), 0.7 ether, 0.7 ether - 1)
        );
        caps.check(request);
    }

    function test_CurrencyCap_WhenNoneIsSet_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(CurrencyCap.AmountAboveCap.selector, bytes32(0), 0.7 ether, 0));
        caps.check(request);
    }

    function test_PausePolicy_WhenPaused_RevertsUntilUnpaused() public {
        accepts(pauses);
        vm.expectEmit(address(pauses));
        emit Pausable.Paused(address(this));
        pauses.pause();
        vm.expectRevert(abi.encodeWithSelector(Pausable.EnforcedPause.selector));
        pauses.check(request);
        vm.expectEmit(address(pauses));
        emit Pausable.Unpaused(address(this));
        pauses.unpause();
        accepts(pauses);
    }

    function test_Policies_WhenStrangerSets_Revert() public {
        bytes memory error_ = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, STRANGER);
        vm.expectRevert(error_);
        vm.prank(STRANGER);
        recipients.setRecipient(1, bytes32(0), true);
        vm.expectRevert(error_);
        vm.prank(STRANGER);
        users.setUser(bytes32(0), true);
        vm.expectRevert(error_);
        vm.prank(STRANGER);
        caps.setCap(bytes32(0), 1);
        vm.expectRevert(error_);
        vm.prank(STRANGER);
        pauses.pause();
        vm.expectRevert(error_);
        vm.prank(STRANGER);
        pauses.unpause();
        vm.expectRevert(error_);
        vm.prank(STRANGER);
        currencies.setCurrency(1, bytes32(0), true);
    }

    function test_Policies_WhenOwnershipIsOffered_ChangesOnAcceptance() public {
        Ownable2Step[5] memory all = policies();
        for (uint256 i = 0; i < all.length; ++i) {
            vm.expectEmit(address(all[i]));
            emit Ownable2Step.OwnershipTransferStarted(address(this), STRANGER);
            all[i].transferOwnership(STRANGER);
            assertEq(all[i].owner(), address(this), "offered");
            assertEq(all[i].pendingOwner(), STRANGER, "pending");
            vm.expectEmit(address(all[i]));
            emit Ownable.OwnershipTransferred(address(this), STRANGER);
            vm.prank(STRANGER);
            all[i].acceptOwnership();
            assertEq(all[i].owner(), STRANGER, "accepted");
            vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
            all[i].transferOwnership(address(this));
        }
    }

    function test_Policies_WhenAnotherAcceptsOwnership_Revert() public {
        Ownable2Step[5] memory all = policies();
        for (uint256 i = 0; i < all.length; ++i) {
            all[i].transferOwnership(address(caps));
            vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, STRANGER));
            vm.prank(STRANGER);
            all[i].acceptOwnership();
        }
    }

    function test_Policies_WhenOfferIsWithdrawn_KeepTheOwner() public {
        Ownable2Step[5] memory all = policies();
        for (uint256 i = 0; i < all.length; ++i) {
            all[i].transferOwnership(STRANGER);
            all[i].transferOwnership(address(0));
            vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, STRANGER));
            vm.prank(STRANGER);
            all[i].acceptOwnership();
            assertEq(all[i].owner(), address(this), "owner");
        }
    }

    function test_Policies_WhenOwnerIsZero_Revert() public {
        bytes memory error_ = abi.encodeWithSelector(Ownable.OwnableInvalidOwner.selector, address(0));
        vm.expectRevert(error_);
        deployCode("RecipientAllowList", abi.encode(address(0)));
        vm.expectRevert(error_);
        deployCode("UserAllowList", abi.encode(address(0)));
        vm.expectRevert(error_);
        deployCode("CurrencyCap", abi.encode(address(0)));
        vm.expectRevert(error_);
        deployCode("PausePolicy", abi.encode(address(0)));
        vm.expectRevert(error_);
        deployCode("FillCurrencyAllowList", abi.encode(address(0), vm.addr(KEY)));
    }

    function policies() private view returns (Ownable2Step[5] memory) {
        return [Ownable2Step(recipients), users, caps, pauses, currencies];
    }

    function accepts(IRequestPolicy policy) private view {
        assertEq(bytes32(policy.check(request)), bytes32(IRequestPolicy.check.selector), "accepted");
    }
}
