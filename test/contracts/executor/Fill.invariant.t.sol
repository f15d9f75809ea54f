// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FillHandler} from "../support/FillHandler.sol";
import {Test} from "../support/Test.sol";

/// @dev To run this file alone, pass the handler's file too, because the runner knows only the contracts in the given
/// files.
contract FillInvariantTest is Test {
    FillHandler internal handler;

    function setUp() public {
        vm.warp(1_000);
        handler = new FillHandler();
    }

    /// @dev Limits the invariant runner to the handler.
    function targetContracts() external view returns (address[] memory) {
        return addresses(address(handler));
    }

    function invariant_Kit_HoldsNothingBetweenTransactions() public view {
        address executor = address(handler.executor());
        address puller = address(handler.puller());
        address proxy = address(handler.proxy());
        // The executor can keep one unit that was not donated, because a program can leave it there.
        assertLe(handler.dollar().balanceOf(executor), handler.donated(executor) + 1, "executor");
        assertEq(handler.dollar().balanceOf(puller), handler.donated(puller), "puller");
        assertEq(handler.dollar().balanceOf(proxy), handler.donated(proxy), "proxy");
        for (uint256 i = 0; i < 2; ++i) {
            assertEq(handler.dollar().balanceOf(address(handler.routers()[i])), 0, "router");
        }
        assertEq(handler.vault().balanceOf(executor), 0, "executor's shares");
        assertEq(handler.vault().balanceOf(proxy), 0, "proxy's shares");
        assertEq(handler.hooked().balanceOf(puller), 0, "puller's hostile tokens");
        assertLe(handler.hooked().balanceOf(executor), 1, "executor's hostile tokens");
    }

    function invariant_Executor_LeavesNoAllowance() public view {
        address executor = address(handler.executor());
        address[6] memory spenders = [
            handler.THIEF(),
            address(handler.target()),
            address(handler.vault()),
            address(handler.routers()[0]),
            address(handler.routers()[1]),
            address(handler)
        ];
        for (uint256 i = 0; i < spenders.length; ++i) {
            assertEq(handler.dollar().allowance(executor, spenders[i]), 0, "dollars");
            assertEq(handler.hooked().allowance(executor, spenders[i]), 0, "hostile tokens");
        }
    }

    function invariant_Fills_DeliverSameAsWithoutStrangers() public view {
        assertEq(handler.failedFills(), 0, "failed");
        assertEq(handler.shortFills(), 0, "short");
    }

    function invariant_Strangers_TakeNothingOfOthers() public view {
        assertEq(handler.dollar().balanceOf(handler.HOLDER()), handler.SAVINGS(), "holder");
        assertEq(handler.thefts(), 0, "thefts");
    }

    /// @dev Proves that the handler's actions have effects: each kind of fill delivers, even after each action of a
    /// stranger.
    function test_Handler_WhenActsAlternate_FillsEachTime() public {
        for (uint256 i = 0; i < 40; ++i) {
            handler.fill(1_000 + i, i);
            handler.runProgram(i, i + 1, i * 7_919, i % 3 != 0, i % 2 == 0);
            handler.makeCall(i, i * 104_729);
            handler.pushHostileToken(i, i * 1_299_709, 100);
            handler.donate(5, i, i % 4 == 0);
        }
        assertEq(handler.fills(), 40, "fills");
        assertEq(handler.failedFills() + handler.shortFills() + handler.thefts(), 0, "harm");
        assertTrue(handler.hooked().balanceOf(handler.THIEF()) != 0, "hostile programs ran");
    }
}
