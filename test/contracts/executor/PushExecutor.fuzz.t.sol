// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Random bytes as programs, and random shares of random balances
contract PushExecutorFuzzTest is ExecutorTest {
    using Programs for Programs.Draft;

    address internal constant SAVED = address(0x5afe);
    uint256 internal constant TOKENS_START = 32;
    uint256 internal constant STEPS_START = TOKENS_START + 21 + 2 + 22;

    function testFuzz_Execute_AnyBytes_MoveNothing(bytes calldata program) public {
        dollar.mint(address(executor), 100);
        attempt(program);
        assertEq(dollar.balanceOf(address(executor)), 100, "executor");
    }

    function testFuzz_Execute_AnyBytesAfterAHeader_MoveNothing(bool fallsBack, uint256 counts, bytes memory body)
        public
    {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft;
        draft.tokenCount = uint8(counts % 3);
        draft.checkCount = uint8((counts >> 8) % 3);
        draft.stepCount = uint8((counts >> 16) % 3);
        attempt(bytes.concat(draft.header(fallsBack ? 1 : 0, Programs.NO_DEADLINE, USER), body));
        assertEq(dollar.balanceOf(address(executor)), 100, "executor");
    }

    function testFuzz_Execute_AnyBytesAsSteps_MoveNothing(bool fallsBack, uint8 stepCount, bytes memory body) public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        draft.stepCount = uint8(1 + (stepCount % 3));
        draft.steps = body;
        attempt(fallsBack ? draft.packedWithFallback(USER, SAVED, 0, 0) : draft.packed(USER));
        // A well-formed step can still fail because it calls an unknown function. Then the fallback pays out.
        uint256 saved = dollar.balanceOf(SAVED);
        assertTrue(saved == 0 || (fallsBack && saved == 100), "fallback recipient");
        assertEq(dollar.balanceOf(address(executor)), 100 - saved, "executor");
        assertEq(dollar.balanceOf(USER), 0, "user");
    }

    function test_Execute_WhenProgramIsCutAnywhere_RevertsAndMovesNothing() public {
        for (uint256 policy = 0; policy < 2; ++policy) {
            bytes memory program = policy == 0 ? valid() : validWithFallback();
            uint256 steps = policy == 0 ? STEPS_START : STEPS_START + 28;
            for (uint256 length = 1; length < program.length; ++length) {
                bytes memory data = executeData(Programs.cut(program, length));
                (bool success, bytes memory reason) = address(executor).call(data);
                assertFalse(success, "success");
                if (length < steps) assertEq(bytes4(reason), IPushExecutor.ProgramTruncated.selector, "reason");
            }
            assertEq(dollar.balanceOf(address(executor)), (policy + 1) * 100, "executor");
        }
    }

    function testFuzz_Execute_AnyTrailingBytes_Revert(bool fallsBack, bytes memory tail) public {
        vm.assume(tail.length != 0);
        bytes memory program = fallsBack ? validWithFallback() : valid();
        refuses(
            bytes.concat(program, tail),
            abi.encodeWithSelector(IPushExecutor.TrailingBytes.selector, program.length + tail.length, program.length)
        );
        assertEq(dollar.balanceOf(address(executor)), 100, "executor");
    }

    /// @dev Every byte is significant and the minimums require the full result. So a mutated program delivers either
    /// the full result or nothing.
    function testFuzz_Execute_AnyOtherByte_DeliversOrMovesNothing(uint256 place, uint8 mask) public {
        bytes memory program = valid();
        place = bound(place, 0, program.length - 1);
        program[place] = program[place] ^ bytes1(mask);
        bool success = attempt(program);
        assertEq(vault.balanceOf(USER), success ? 100 : 0, "shares");
        assertEq(dollar.balanceOf(address(executor)), success ? 0 : 100, "executor");
    }

    function testFuzz_Execute_AnyOtherByteWithFallback_DeliversOrPaysFallback(uint256 place, uint8 mask) public {
        bytes memory program = validWithFallback();
        deliversOrPaysFallback(program, bound(place, 0, program.length - 1), mask);
    }

    function test_Execute_WhenAnyBitDiffersWithFallback_DeliversOrPaysFallback() public {
        bytes memory program = validWithFallback();
        for (uint256 place = 0; place < program.length; ++place) {
            for (uint256 bit = 0; bit < 8; ++bit) {
                uint256 snapshot = vm.snapshotState();
                deliversOrPaysFallback(bytes.concat(program), place, uint8(1 << bit));
                vm.revertToState(snapshot);
            }
        }
    }

    function deliversOrPaysFallback(bytes memory program, uint256 place, uint8 mask) internal {
        program[place] = program[place] ^ bytes1(mask);
        bool success = attempt(program);
        uint256 shares = vault.balanceOf(USER);
        uint256 saved = dollar.balanceOf(SAVED);
        // The token's flags can make the executor keep a unit. Then less than the minimum remains, and the program uses
        // the fallback.
        uint256 kept = place == TOKENS_START + 28 && mask == 1 ? 1 : 0;
        assertEq(shares + saved, success ? 100 - kept : 0, "paid");
        assertTrue(shares == 0 || saved == 0, "one way only");
        assertEq(dollar.balanceOf(address(executor)), success ? kept : 100, "executor");
    }

    function testFuzz_Draw_AnyShareOfAnyBalance_IsExactToTheUnit(uint256 balance, uint16 shareBps) public {
        shareBps = uint16(bound(shareBps, 1, 10_000));
        dollar.mint(address(executor), balance);
        seesNext(0, Math.mulDiv(balance, shareBps, 10_000));
        execute(show(dollars(), Programs.draw(0, 0, shareBps)).packed(USER));
    }

    function testFuzz_Draw_AnySplit_SumsUpToTheWhole(uint256 balance, uint16 firstBps, uint16 secondBps) public {
        firstBps = uint16(bound(firstBps, 1, 9_998));
        secondBps = uint16(bound(secondBps, 1, 9_999 - firstBps));
        dollar.mint(address(executor), balance);
        Programs.Draft memory draft = taking(taking(dollars(), firstBps), secondBps);
        execute(draft.packed(USER));
        uint256 taken = Math.mulDiv(balance, firstBps, 10_000) + Math.mulDiv(balance, secondBps, 10_000);
        assertEq(dollar.balanceOf(address(target)), taken, "taken");
        assertEq(dollar.balanceOf(USER), balance - taken, "swept");

        vm.prank(address(target));
        dollar.transfer(address(executor), taken);
        vm.prank(USER);
        dollar.transfer(address(executor), balance - taken);
        execute(taking(draft, 10_000 - firstBps - secondBps).packed(USER));
        assertEq(dollar.balanceOf(address(target)), balance, "all taken");
        assertEq(dollar.balanceOf(USER), 0, "nothing swept");
        restsEmpty(dollar, address(target));
    }

    function testFuzz_DrawReturned_AnyShareOfAnyWord_IsExactToTheUnit(uint256 argument, uint16 shareBps) public {
        shareBps = uint16(bound(shareBps, 1, 10_000));
        argument = bound(argument, 0, MAX / 2);
        Programs.Draft memory draft;
        draft.plain(address(target), abi.encodeCall(target.record, (argument)));
        seesNext(0, argument);
        seesNext(0, Math.mulDiv(2 * argument, shareBps, 10_000));
        execute(show(draft, Programs.draw(4, 0, shareBps)).packed(USER));
    }

    function testFuzz_Execute_AnyAmounts_MinimumInHoldsExactly(uint256 pushed, uint256 minimumIn) public {
        dollar.mint(address(executor), pushed);
        Programs.Draft memory draft;
        bool success = attempt(draft.declare(address(dollar), false, minimumIn).packed(USER));
        assertEq(success, pushed >= minimumIn, "success");
        assertEq(dollar.balanceOf(USER), success ? pushed : 0, "user");
    }

    /// @dev Adds a step in which the target takes the full amount of the draw.
    function taking(Programs.Draft memory draft, uint16 shareBps) internal view returns (Programs.Draft memory) {
        bytes memory data = takeData(dollar, Programs.sentinel());
        return draft.step(address(target), Programs.draw(1, 0, shareBps), 1, Programs.patch(0, 168, 32), data);
    }

    function valid() internal returns (bytes memory) {
        dollar.mint(address(executor), 100);
        return depositProgram(100, 100);
    }

    function validWithFallback() internal returns (bytes memory) {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft;
        draft.declare(address(dollar), false, 100).check(address(vault), 100);
        draft.give(address(vault), 0, 10_000, depositData());
        return draft.packedWithFallback(USER, SAVED, 300_000, 100_000);
    }

    function attempt(bytes memory program) internal returns (bool success) {
        (success,) = address(executor).call(executeData(program));
    }
}
