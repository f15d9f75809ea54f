// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {StickyToken} from "../../../contracts/mocks/StickyToken.sol";
import {StrictToken} from "../../../contracts/mocks/StrictToken.sol";
import {Target} from "../../../contracts/mocks/Target.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Allowances that a program grants and revokes
contract PushExecutorApprovalsTest is ExecutorTest {
    using Programs for Programs.Draft;

    function test_Approve_WhenTargetTakesAll_ApprovesOnceAndExactly() public {
        dollar.mint(address(executor), 100);
        vm.expectEmit(address(dollar));
        emit IERC20.Approval(address(executor), address(vault), 100);
        vm.recordLogs();
        execute(depositProgram(100, 100));
        assertEq(countLogs(address(dollar), IERC20.Approval.selector), 1, "approvals");
        restsEmpty(dollar, address(vault));
    }

    function test_Approve_WhenTargetTakesAllButOneUnit_EndsTheAllowance() public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, "", takeData(dollar, 99));
        execute(draft.packed(USER));
        assertEq(dollar.balanceOf(USER), 1, "swept");
        restsEmpty(dollar, address(target));
    }

    function test_Approve_WhenTargetTakesLess_EndsTheAllowanceAndSweepsTheRest() public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, "", takeData(dollar, 60));
        execute(draft.packed(USER));
        assertEq(dollar.balanceOf(USER), 40, "swept");
        restsEmpty(dollar, address(target));
    }

    function test_Approve_WhenTargetTakesNothing_EndsTheAllowanceAndSweepsAll() public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, "", recordData());
        execute(draft.packed(USER));
        assertEq(dollar.balanceOf(USER), 100, "swept");
        restsEmpty(dollar, address(target));
    }

    function test_Approve_WhenTargetTakesMoreThanItsShare_Reverts() public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 5_000), 1, "", takeData(dollar, 51));
        bytes memory reason =
            abi.encodeWithSignature("ERC20InsufficientAllowance(address,uint256,uint256)", target, 50, 51);
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 0, target, reason));
    }

    function test_Approve_WhenTargetReturnsInputByACallback_SweepsIt() public {
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, "", takeData(dollar, 100));
        bytes memory data = abi.encodeCall(dollar.transfer, (address(executor), 70));
        draft.plain(address(target), relayData(address(dollar), data));
        execute(draft.packed(USER));
        assertEq(dollar.balanceOf(USER), 70, "swept");
        restsEmpty(dollar, address(target));
    }

    function test_Approve_WhenDrawIsForSpender_ApprovesSpenderAndNotTarget() public {
        Target spender = Target(deployCode("Target"));
        dollar.mint(address(executor), 100);
        bytes memory take = abi.encodeCall(dollar.transferFrom, (address(executor), USER, 30));
        Programs.Draft memory draft = dollars();
        bytes memory data = relayData(address(spender), relayData(address(dollar), take));
        draft.step(address(target), Programs.drawFor(address(spender), 0, 10_000), 1, "", data);
        vm.expectEmit(address(dollar));
        emit IERC20.Approval(address(executor), address(spender), 100);
        execute(draft.packed(STRANGER));
        assertEq(dollar.balanceOf(USER), 30, "taken");
        assertEq(dollar.balanceOf(STRANGER), 70, "swept");
        restsEmpty(dollar, address(spender));

        dollar.mint(address(executor), 100);
        Programs.Draft memory second = dollars();
        data = relayData(address(dollar), take);
        second.step(address(target), Programs.drawFor(address(spender), 0, 10_000), 1, "", data);
        bytes memory reason =
            abi.encodeWithSignature("ERC20InsufficientAllowance(address,uint256,uint256)", target, 0, 30);
        refuses(second.packed(STRANGER), abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 0, target, reason));
    }

    function test_Approve_WhenTwoTokensAreGiven_EndsBoth() public {
        LocalDollar second = LocalDollar(deployCode("LocalDollar"));
        dollar.mint(address(executor), 100);
        second.mint(address(executor), 50);
        Programs.Draft memory draft = dollars();
        bytes memory draws = bytes.concat(Programs.draw(1, 0, 10_000), Programs.drawFor(address(vault), 1, 10_000));
        draft.declare(address(second), false, 50).step(address(target), draws, 2, "", takeData(dollar, 60));
        execute(draft.packed(USER));
        restsEmpty(dollar, address(target));
        restsEmpty(second, address(vault));
        assertEq(dollar.balanceOf(USER), 40, "first swept");
        assertEq(second.balanceOf(USER), 50, "second swept");
    }

    function test_Approve_WhenTokenRefusesNonZeroToNonZero_WorksStepAfterStep() public {
        StrictToken strict = StrictToken(deployCode("StrictToken"));
        strict.mint(address(executor), 100);
        Programs.Draft memory draft;
        draft.declare(address(strict), false, 100);
        draft.step(address(target), Programs.draw(1, 0, 5_000), 1, "", takeData(IERC20(address(strict)), 20));
        draft.step(address(target), Programs.draw(1, 0, 5_000), 1, "", takeData(IERC20(address(strict)), 30));
        execute(draft.packed(USER));
        assertEq(strict.balanceOf(USER), 50, "swept");
        restsEmpty(IERC20(address(strict)), address(target));
    }

    function test_Approve_WhenApprovalsAreCappedAtUint96AndTheAmountIsAbove_Reverts() public {
        StickyToken sticky = StickyToken(deployCode("StickyToken"));
        sticky.mint(address(executor), 1 << 96);
        Programs.Draft memory draft;
        draft.declare(address(sticky), false, 0);
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, "", recordData());
        refuses(draft.packed(USER), abi.encodeWithSelector(StickyToken.ApprovalTooLarge.selector, 1 << 96));
    }

    function test_Approve_WhenApprovalsAreCappedAtUint96AndAmountFits_Approves() public {
        StickyToken sticky = StickyToken(deployCode("StickyToken"));
        sticky.mint(address(executor), type(uint96).max);
        Programs.Draft memory draft;
        draft.declare(address(sticky), false, 0);
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, "", takeData(sticky, type(uint96).max));
        execute(draft.packed(USER));
        assertEq(sticky.balanceOf(address(target)), type(uint96).max, "taken");
        restsEmpty(sticky, address(target));
    }

    function test_Approve_WhenTokenKeepsTheApproval_Reverts() public {
        StickyToken sticky = StickyToken(deployCode("StickyToken"));
        sticky.mint(address(executor), 100);
        sticky.stick(0, true);
        Programs.Draft memory draft;
        draft.declare(address(sticky), false, 0);
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, "", takeData(sticky, 60));
        refuses(
            draft.packed(USER),
            abi.encodeWithSelector(IPushExecutor.AllowanceLeft.selector, address(sticky), address(target), 40)
        );
    }

    function test_Approve_WhenBalanceIsTheGreatest_EndsTheInfiniteAllowance() public {
        dollar.mint(address(executor), MAX);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, "", takeData(dollar, 60));
        execute(draft.packed(USER));
        assertEq(dollar.balanceOf(USER), MAX - 60, "swept");
        restsEmpty(dollar, address(target));
    }

    function test_Approve_WhenSpenderIsDenied_Reverts() public {
        address[6] memory denied =
            [address(0), address(dollar), address(executor), address(puller), PERMIT2, address(this)];
        for (uint256 i = 0; i < denied.length; ++i) {
            Programs.Draft memory draft = dollars();
            draft.step(address(target), Programs.drawFor(denied[i], 0, 10_000), 1, "", recordData());
            refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.SpenderDenied.selector, 0, denied[i]));
        }
    }
}
