// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FillHandler} from "../support/FillHandler.sol";
import {Test} from "../support/Test.sol";

/// @dev To run this file alone, name that of the handler beside it: the runner knows the contracts of named files only.
contract FillInvariantTest is Test {
    FillHandler internal handler;

    function setUp() public {
        vm.warp(1_000);
        handler = new FillHandler();
    }

    /// @dev The runner calls only what this names.
    function targetContracts() external view returns (address[] memory) {
        return addresses(address(handler));
    }

    function invariant_Kit_HoldsNothingBetweenTransactions() public view {
        address executor = address(handler.executor());
        address puller = address(handler.puller());
        address proxy = address(handler.proxy());
        // A unit that a program keeps may be one that it brought.
        eq(handler.dollar().balanceOf(executor) <= handler.donated(executor) + 1, true, "executor");
        eq(handler.dollar().balanceOf(puller), handler.donated(puller), "puller");
        eq(handler.dollar().balanceOf(proxy), handler.donated(proxy), "proxy");
        eq(handler.dollar().balanceOf(handler.theRouter()), 0, "router");
        eq(handler.vault().balanceOf(executor), 0, "executor's shares");
        eq(handler.vault().balanceOf(proxy), 0, "proxy's shares");
        eq(handler.hooked().balanceOf(puller), 0, "puller's hostile tokens");
        eq(handler.hooked().balanceOf(executor) <= 1, true, "executor's hostile tokens");
    }

    function invariant_Executor_LeavesNoAllowance() public view {
        address executor = address(handler.executor());
        address[5] memory spenders = [
            handler.THIEF(),
            address(handler.target()),
            address(handler.vault()),
            handler.theRouter(),
            address(handler)
        ];
        for (uint256 i = 0; i < spenders.length; ++i) {
            eq(handler.dollar().allowance(executor, spenders[i]), 0, "dollars");
            eq(handler.hooked().allowance(executor, spenders[i]), 0, "hostile tokens");
        }
    }

    function invariant_Fills_BringWhatTheyWouldBringAlone() public view {
        eq(handler.failedFills(), 0, "failed");
        eq(handler.shortFills(), 0, "short");
    }

    function invariant_Strangers_TakeNothingOfOthers() public view {
        eq(handler.dollar().balanceOf(handler.HOLDER()), handler.SAVINGS(), "holder");
        eq(handler.thefts(), 0, "thefts");
    }

    /// @dev The acts are no idle ones: each way of a fill delivers, after each act of a stranger too.
    function test_Handler_WhenActsAlternate_FillsEachTime() public {
        for (uint256 i = 0; i < 40; ++i) {
            handler.fill(1_000 + i, i);
            handler.runProgram(i, i + 1, i * 7_919, i % 3 != 0, i % 2 == 0);
            handler.makeCall(i, i * 104_729);
            handler.pushHostileToken(i, i * 1_299_709, 100);
            handler.donate(5, i, i % 4 == 0);
        }
        eq(handler.fills(), 40, "fills");
        eq(handler.failedFills() + handler.shortFills() + handler.thefts(), 0, "harm");
        eq(handler.hooked().balanceOf(handler.THIEF()) != 0, true, "hostile programs ran");
    }
}
