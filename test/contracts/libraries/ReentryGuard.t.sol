// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {GuardNeighbor} from "../../../contracts/mocks/GuardNeighbor.sol";
import {Test} from "../support/Test.sol";

contract ReentryGuardTest is Test {
    function test_NonReentrant_WhenSlotOfERC7201IsMarked_IsClosed() public {
        bytes32 slot = keccak256(abi.encode(uint256(keccak256("crosscall.ReentryGuard")) - 1)) & ~bytes32(uint256(0xff));
        GuardNeighbor neighbor = GuardNeighbor(deployCode("GuardNeighbor"));
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        neighbor.callSelfAfter(slot, abi.encodeCall(GuardNeighbor.callSelf, ("")));
    }

    function test_NonReentrant_WhenFirstSlotsAreCleared_StaysClosed() public {
        GuardNeighbor neighbor = GuardNeighbor(deployCode("GuardNeighbor"));
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        neighbor.callSelf(abi.encodeCall(GuardNeighbor.callSelf, ("")));
    }
}
