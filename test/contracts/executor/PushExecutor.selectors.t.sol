// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CallMaker} from "../../../contracts/mocks/CallMaker.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Selectors similar to denied selectors
contract PushExecutorSelectorsTest is ExecutorTest {
    using Programs for Programs.Draft;

    /// @dev The denied selectors have at most 36 different first bytes, so most of these selectors pass the first check
    /// of the list.
    function test_Execute_WhenSelectorSharesItsFirstByteWithADeniedOne_IsCalled() public {
        CallMaker willing = CallMaker(deployCode("CallMaker"));
        for (uint256 first = 0; first < 256; ++first) {
            Programs.Draft memory draft;
            bytes4 selector = bytes4(uint32((first << 24) | 0xc0ffee));
            bytes memory program = draft.plain(address(willing), abi.encodePacked(selector)).packed(USER);
            (bool success,) = address(executor).call(executeData(program));
            assertTrue(success, "called");
        }
    }
}
