// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {LocalRouter} from "../../../contracts/localnet/LocalRouter.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title One executor for routers of several versions, and for callers that act like routers
contract PushExecutorRoutersTest is ExecutorTest {
    using Programs for Programs.Draft;

    LocalRouter[2] internal routers = [router, LocalRouter(deployCode("LocalRouter32"))];

    function test_Fill_WhenRoutersAlternate_DeliversEachTime() public {
        for (uint256 i = 0; i < 4; ++i) {
            router = routers[i % 2];
            dollar.mint(address(router), 100);
            bytes memory program = depositProgram(100, 100);
            fill(i < 2 ? pushCalls(program) : pullCalls(program));
            assertEq(vault.balanceOf(USER), 100 * (i + 1), "shares");
            restsEmpty(dollar, address(vault));
        }
    }

    function test_Fill_WhenProgramNamesItsRouter_Reverts() public {
        for (uint256 i = 0; i < routers.length; ++i) {
            router = routers[i];
            bytes memory recipientDenied = abi.encodeWithSelector(IPushExecutor.RecipientDenied.selector, router);
            refusesFill(dollars().packed(address(router)), recipientDenied);
            refusesFill(dollars().packedWithFallback(USER, address(router), 0, 0), recipientDenied);
            // With a fallback, the executor calls itself to run the steps.
            Programs.Draft memory draft = dollars().plain(address(router), recordData());
            bytes memory denied = abi.encodeWithSelector(IPushExecutor.TargetDenied.selector, 0, router);
            refusesFill(draft.packed(USER), denied);
            refusesFill(draft.packedWithFallback(USER, STRANGER, 0, 0), denied);
            draft = approving(address(router));
            denied = abi.encodeWithSelector(IPushExecutor.SpenderDenied.selector, 0, router);
            refusesFill(draft.packed(USER), denied);
            refusesFill(draft.packedWithFallback(USER, STRANGER, 0, 0), denied);
        }
    }

    /// @dev A router is the sender of its calls, so it can move only tokens that a program approves for it during
    /// that step.
    function test_Fill_WhenProgramCallsAnotherRouter_MovesNothingOfTheExecutor() public {
        for (uint256 i = 0; i < routers.length; ++i) {
            router = routers[i];
            address other = address(routers[1 - i]);
            dollar.mint(address(router), 100);
            bytes memory theft = abi.encodeCall(dollar.transferFrom, (address(executor), STRANGER, 100));
            fill(pushCalls(dollars().plain(other, throughRouter(address(dollar), true, theft)).packed(USER)));
            assertEq(dollar.balanceOf(USER), 100 * (i + 1), "user");

            fill(pushCalls(approving(other).packed(USER)));
            routers[1 - i].multicall(one(address(dollar), true, theft), address(0), address(0), "");
            assertEq(dollar.balanceOf(STRANGER), 0, "stranger");
            restsEmpty(dollar, other);
        }
    }

    function test_Fill_WhenTargetRunsAProgramThroughAnotherRouter_Reverts() public {
        for (uint256 i = 0; i < routers.length; ++i) {
            router = routers[i];
            bytes memory theft = executeData(dollars().packed(STRANGER));
            bytes memory entry = relayData(address(routers[1 - i]), throughRouter(address(executor), false, theft));
            bytes memory reason = abi.encodeWithSelector(ReentryGuard.Reentered.selector);
            refusesFill(
                dollars().plain(address(target), entry).packed(USER),
                abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 0, target, reason)
            );
        }
    }

    /// @dev No caller has special rights: each pulls only its own balance.
    function test_PullAndExecute_WhenCallerActsLikeARouter_TakesOnlyItsOwn() public {
        for (uint256 i = 0; i < routers.length; ++i) {
            dollar.mint(address(routers[i]), 50);
            routers[i].multicall(
                one(address(dollar), false, approveData(address(puller), MAX)), address(0), address(0), ""
            );
        }
        dollar.mint(address(target), 7);
        target.relay(address(dollar), approveData(address(puller), MAX));
        bytes memory theft = pullData(dollar, dollars().packed(STRANGER));
        target.relay(address(executor), theft);
        assertEq(dollar.balanceOf(STRANGER), 7, "its own");
        routers[0].multicall(one(address(executor), false, theft), address(0), address(0), "");
        assertEq(dollar.balanceOf(STRANGER), 57, "what remained in a public router");
        assertEq(dollar.balanceOf(address(routers[1])), 50, "the other router");
    }

    /// @dev Returns a program that lets the spender take all dollars during a step.
    function approving(address spender) internal view returns (Programs.Draft memory) {
        return dollars().step(address(target), Programs.drawFor(spender, 0, 10_000), 1, "", recordData());
    }

    /// @dev Returns call data that makes a router call a target.
    function throughRouter(address to, bool allowFailure, bytes memory data) internal pure returns (bytes memory) {
        return abi.encodeCall(IRouter.multicall, (one(to, allowFailure, data), address(0), address(0), ""));
    }

    function one(address to, bool allowFailure, bytes memory data) internal pure returns (IRouter.Call3Value[] memory) {
        return steps(IRouter.Call3Value(to, allowFailure, 0, data));
    }

    function pushCalls(bytes memory program) internal view returns (IRouter.Call3Value[] memory) {
        return steps(
            step(address(router), cleanupErc20sData(address(dollar), address(executor), 0)),
            step(address(executor), executeData(program))
        );
    }

    function pullCalls(bytes memory program) internal view returns (IRouter.Call3Value[] memory) {
        return steps(
            step(address(dollar), approveData(address(puller), MAX)), step(address(executor), pullData(dollar, program))
        );
    }

    function fill(IRouter.Call3Value[] memory calls) internal {
        router.multicall(calls, address(0), address(0), "");
    }

    function refusesFill(bytes memory program, bytes memory revertData) internal {
        IRouter.Call3Value[] memory calls = pushCalls(program);
        vm.expectRevert(revertData);
        fill(calls);
    }
}
