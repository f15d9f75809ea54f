// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {GuardNeighbor} from "../../../contracts/mocks/GuardNeighbor.sol";
import {Test} from "../support/Test.sol";

contract ReentryGuardTest is Test {
    function test_NonReentrant_WhenFirstSlotsAreCleared_StaysClosed() public {
        GuardNeighbor neighbor = GuardNeighbor(deployCode("GuardNeighbor"));
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        neighbor.callSelf(abi.encodeCall(GuardNeighbor.callSelf, ("")));
    }
}
