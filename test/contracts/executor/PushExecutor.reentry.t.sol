// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {IWrappedNative} from "../../../contracts/interfaces/IWrappedNative.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {HookedToken} from "../../../contracts/mocks/HookedToken.sol";
import {Erc4626Proxy} from "../../../contracts/proxies/Erc4626Proxy.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Targets and hooks that re-enter directly or through the router, and donations from strangers before a fill
contract PushExecutorReentryTest is ExecutorTest {
    using Programs for Programs.Draft;

    LocalDollar internal other = LocalDollar(deployCode("LocalDollar"));
    Erc4626Proxy internal proxy =
        Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(vault, IWrappedNative(address(0)))));

    function test_Execute_WhenTargetEntersTheExecutor_Reverts() public {
        refusesCallback(address(executor), executeData(theft()), reentered());
    }

    function test_Execute_WhenTargetEntersTheSteps_Reverts() public {
        bytes memory reason = abi.encodeWithSelector(IPushExecutor.OnlyExecutor.selector, target);
        refusesCallback(address(executor), bytes.concat(IPushExecutor.runSteps.selector, theft()), reason);
    }

    function test_Execute_WhenTargetEntersThroughThePuller_Reverts() public {
        refusesCallback(address(executor), pullData(dollar, theft()), reentered());
    }

    function test_Execute_WhenTargetEntersThroughTheRouter_Reverts() public {
        bytes memory data = abi.encodeCall(
            IRouter.multicall, (steps(step(address(executor), executeData(theft()))), address(0), address(0), "")
        );
        refusesCallback(address(router), data, reentered());
    }

    function test_Execute_WhenHookEntersTheExecutor_Reverts() public {
        HookedToken token = hooked(address(executor), executeData(theft()));
        Programs.Draft memory draft;
        refuses(draft.declare(address(token), false, 0).packed(USER), reentered());
    }

    function test_Execute_WhenHookEntersThePuller_Reverts() public {
        HookedToken token = hooked(address(executor), pullData(dollar, theft()));
        Programs.Draft memory draft;
        refuses(draft.declare(address(token), false, 0).packed(USER), reentered());
    }

    function test_Execute_WhenHookEntersTheProxy_FindsNothingOfThePush() public {
        HookedToken token = hooked(address(proxy), abi.encodeCall(proxy.execute, (STRANGER, 0, 0, 1_000)));
        Programs.Draft memory draft;
        refuses(
            draft.declare(address(token), false, 0).packed(USER),
            abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1)
        );
    }

    function test_Execute_WhenHookEntersTheRouter_FindsNothingOfThePush() public {
        HookedToken token = hooked(address(router), cleanupErc20sData(address(dollar), STRANGER, 0));
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        execute(draft.declare(address(token), false, 0).packed(USER));
        assertEq(dollar.balanceOf(USER), 100, "user");
        assertEq(dollar.balanceOf(STRANGER), 0, "stranger");
    }

    function test_Fill_WhenTargetEntersABusyRouter_Reverts() public {
        dollar.mint(address(executor), 100);
        other.mint(address(router), 50);
        bytes memory program = calling(address(router), cleanupErc20sData(address(other), STRANGER, 0));
        bytes memory reason = busyError(address(target), address(this));
        IRouter.Call3Value[] memory calls = steps(step(address(executor), executeData(program)));
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 0, target, reason));
        router.multicall(calls, address(0), address(0), "");
    }

    /// @dev The push is a call from the router to itself, which clears its guard in all versions before 3.2. Then
    /// every target can take the rest of the router's balance, but not the pushed amount.
    function test_Fill_WhenTargetEntersTheRouterAfterItsSelfCall_CannotTouchThePush() public virtual {
        dollar.mint(address(router), 100);
        other.mint(address(router), 50);
        bytes memory program = calling(address(router), cleanupErc20sData(address(other), STRANGER, 0));
        push(program);
        assertEq(other.balanceOf(STRANGER), 50, "left on the router");
        assertEq(dollar.balanceOf(USER), 100, "pushed");
        restsEmpty(dollar, address(target));
    }

    function test_Fill_WhenTargetRunsAProgramThroughTheOpenRouter_Reverts() public {
        dollar.mint(address(router), 100);
        bytes memory data = abi.encodeCall(
            IRouter.multicall, (steps(step(address(executor), executeData(theft()))), address(0), address(0), "")
        );
        bytes memory program = calling(address(router), data);
        IRouter.Call3Value[] memory calls = pushCalls(program);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPushExecutor.StepFailed.selector,
                0,
                target,
                isRouter32() ? busyError(address(target), address(this)) : reentered()
            )
        );
        router.multicall(calls, address(0), address(0), "");
    }

    function test_Fill_WhenStrangerPresetsTheRoutersAllowance_CannotTakeThePush() public {
        vm.prank(STRANGER);
        router.multicall(
            steps(
                step(address(dollar), approveData(address(executor), MAX)),
                step(address(dollar), approveData(address(puller), MAX))
            ),
            address(0),
            address(0),
            ""
        );
        dollar.mint(address(router), 100);
        Programs.Draft memory draft = dollars();
        bytes memory data = abi.encodeCall(dollar.transferFrom, (address(router), STRANGER, 100));
        draft.plain(address(dollar), data);
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.TargetDenied.selector, 0, dollar));
        Programs.Draft memory undeclared;
        undeclared.plain(address(dollar), data);
        refuses(
            undeclared.packed(USER),
            abi.encodeWithSelector(IPushExecutor.SelectorDenied.selector, 0, dollar.transferFrom.selector)
        );
        vm.prank(STRANGER);
        pullAndExecute(dollar, dollars().packed(USER));
        push(depositProgram(100, 100));
        assertEq(vault.balanceOf(USER), 100, "shares");
    }

    function test_Fill_WhenExecutorHoldsDonation_DeliversItToTheUser() public {
        dollar.mint(address(executor), 5);
        dollar.mint(address(router), 100);
        push(depositProgram(100, 100));
        assertEq(vault.balanceOf(USER), 105, "shares");
        restsEmpty(dollar, address(vault));
    }

    function test_Fill_WhenVaultIsInflatedByDonation_RevertsForMinimum() public {
        dollar.mint(address(this), 1);
        dollar.approve(address(vault), 1);
        vault.deposit(1, STRANGER);
        dollar.mint(address(vault), 1_000);
        dollar.mint(address(router), 100);
        IRouter.Call3Value[] memory calls = pushCalls(depositProgram(100, 90));
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.InsufficientOutput.selector, vault, 0, 90));
        router.multicall(calls, address(0), address(0), "");
    }

    function test_Fill_WhenVaultIsInflatedByDonation_FallbackKeepsWholeAmount() public {
        dollar.mint(address(this), 1);
        dollar.approve(address(vault), 1);
        vault.deposit(1, STRANGER);
        dollar.mint(address(vault), 1_000);
        dollar.mint(address(router), 100);
        Programs.Draft memory draft = dollars().check(address(vault), 90);
        draft.give(address(vault), 0, 10_000, depositData());
        push(draft.packedWithFallback(USER, address(0x5afe), 300_000, 100_000));
        assertEq(dollar.balanceOf(address(0x5afe)), 100, "fallback recipient");
    }

    function test_Fill_WhenStrangerTakesTheSeed_TheNextFillLosesAUnitAtMost() public {
        dollar.mint(address(executor), 1);
        execute(dollars().packed(STRANGER));
        dollar.mint(address(router), 100);
        Programs.Draft memory draft;
        draft.declare(address(dollar), true, 99).give(address(vault), 0, 10_000, depositData());
        push(draft.packed(USER));
        assertEq(vault.balanceOf(USER), 99, "shares");
        dollar.mint(address(router), 100);
        push(draft.packed(USER));
        assertEq(IERC4626(vault).balanceOf(USER), 199, "shares of a second fill");
    }

    /// @dev Returns a program that declares the dollar and has the target make a call.
    function calling(address to, bytes memory data) internal view returns (bytes memory) {
        return dollars().plain(address(target), relayData(to, data)).packed(USER);
    }

    function refusesCallback(address to, bytes memory data, bytes memory reason) internal {
        dollar.mint(address(executor), 100);
        refuses(calling(to, data), abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 0, target, reason));
    }

    /// @dev Returns a program that sends the executor's balance to a stranger.
    function theft() internal view returns (bytes memory) {
        return dollars().packed(STRANGER);
    }

    /// @dev Returns a token that was already pushed and makes a call when it is swept.
    function hooked(address to, bytes memory data) internal returns (HookedToken token) {
        token = HookedToken(deployCode("HookedToken"));
        token.mint(address(executor), 100);
        token.arm(to, data);
    }

    function push(bytes memory program) internal {
        router.multicall(pushCalls(program), address(0), address(0), "");
    }

    function pushCalls(bytes memory program) internal view returns (IRouter.Call3Value[] memory) {
        return steps(
            step(address(router), cleanupErc20sData(address(dollar), address(executor), 0)),
            step(address(executor), executeData(program))
        );
    }

    function reentered() internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ReentryGuard.Reentered.selector);
    }
}
