// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CallMaker} from "../../../contracts/mocks/CallMaker.sol";
import {deniedFunctions} from "../support/deniedFunctions.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Selectors similar to denied selectors
contract PushExecutorSelectorsTest is ExecutorTest {
    using Programs for Programs.Draft;

    /// @dev The selectors have the first byte of a denied one, and its remainder, so they pass both bitmaps of the list.
    function test_Execute_WhenSelectorIsNextToADeniedOne_IsCalled() public {
        CallMaker willing = CallMaker(deployCode("CallMaker"));
        string[] memory functions = deniedFunctions();
        for (uint256 i = 0; i < functions.length; ++i) {
            uint32 denied = uint32(bytes4(keccak256(bytes(functions[i]))));
            // The first byte changes only at a multiple of 2^24.
            bytes4 selector = bytes4(denied % 2 ** 24 < 2 ** 23 ? denied + 245 : denied - 245);
            Programs.Draft memory draft;
            bytes memory program = draft.plain(address(willing), abi.encodePacked(selector)).packed(USER);
            (bool success,) = address(executor).call(executeData(program));
            assertTrue(success, functions[i]);
        }
    }
}
