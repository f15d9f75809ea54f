// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ILivePuller} from "../../../contracts/interfaces/ILivePuller.sol";
import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {BlocklistToken} from "../../../contracts/mocks/BlocklistToken.sol";
import {FalseToken} from "../../../contracts/mocks/FalseToken.sol";
import {FeeToken} from "../../../contracts/mocks/FeeToken.sol";
import {HookedToken} from "../../../contracts/mocks/HookedToken.sol";
import {LyingToken} from "../../../contracts/mocks/LyingToken.sol";
import {MuteToken} from "../../../contracts/mocks/MuteToken.sol";
import {StrictToken} from "../../../contracts/mocks/StrictToken.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

contract LivePullerTest is ExecutorTest {
    using Programs for Programs.Draft;

    function test_PullAndExecute_WhenRouterApproves_DepositsItsLiveBalance() public {
        dollar.mint(address(router), 100);
        router.multicall(
            steps(
                step(address(dollar), approveData(address(puller), MAX)),
                step(address(executor), pullData(dollar, depositProgram(100, 100))),
                step(address(dollar), approveData(address(puller), 0))
            ),
            address(0),
            address(0),
            ""
        );
        assertEq(vault.balanceOf(USER), 100, "shares");
        assertEq(dollar.allowance(address(router), address(puller)), 0, "router's allowance");
        restsEmpty(dollar, address(vault));
    }

    function test_PullAndExecute_WhenNativeIsSent_ForwardsIt() public {
        approve(dollar, 100);
        vm.deal(address(this), 7);
        Programs.Draft memory draft = dollars();
        draft.declare(Programs.NATIVE, false, 7);
        seesNext(7, 7);
        pullAndExecute(7, dollar, show(draft, Programs.draw(3, 1, 10_000)).packed(USER));
        assertEq(address(puller).balance, 0, "puller");
        assertEq(dollar.balanceOf(USER), 100, "user");
    }

    function test_PullAndExecute_WhenBalanceIsZero_RevertsWithTheProgramsError() public {
        StrictToken strict = StrictToken(deployCode("StrictToken"));
        Programs.Draft memory draft;
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.InsufficientInput.selector, strict, 0, 1));
        pullAndExecute(IERC20(address(strict)), draft.declare(address(strict), false, 1).packed(USER));
    }

    function test_PullAndExecute_WhenNotApproved_Reverts() public {
        dollar.mint(address(this), 100);
        vm.expectRevert(abi.encodeWithSignature("ERC20InsufficientAllowance(address,uint256,uint256)", puller, 0, 100));
        pullAndExecute(dollar, depositProgram(0, 0));
    }

    function test_PullAndExecute_WhenStrangerCalls_TakesNothingFromApprovers() public {
        approve(dollar, 100);
        bytes memory program = depositProgram(0, 0);
        vm.prank(STRANGER);
        pullAndExecute(dollar, program);
        assertEq(dollar.balanceOf(address(this)), 100, "holder");
        assertEq(vault.balanceOf(USER), 0, "shares");
    }

    /// @dev No caller can choose the puller's call: it reads the balance of the given token and can transfer only the
    /// caller's own tokens.
    function test_PullAndExecute_WhenCalleeIsAnyContract_CallsNothingElseOfIt() public {
        dollar.mint(USER, 100);
        vm.prank(USER);
        dollar.approve(address(puller), 100);
        address[4] memory callees = [address(router), address(executor), address(puller), address(target)];
        for (uint256 i = 0; i < callees.length; ++i) {
            vm.expectRevert(abi.encodeWithSignature("BalanceUnreadable(address)", callees[i]));
            pullAndExecute(IERC20(callees[i]), dollars().packed(STRANGER));
        }
        vm.expectRevert(abi.encodeWithSignature("BalanceUnreadable(address)", NO_CODE));
        pullAndExecute(IERC20(NO_CODE), dollars().packed(STRANGER));
        assertEq(dollar.balanceOf(USER), 100, "user");
    }

    function test_PullAndExecute_WhenTokenIsNative_Reverts() public {
        vm.deal(address(this), 1);
        vm.expectRevert(abi.encodeWithSignature("SafeERC20FailedOperation(address)", address(0)));
        pullAndExecute(IERC20(address(0)), dollars().packed(USER));
    }

    function test_PullAndExecute_WhenTokenReturnsNothing_Pulls() public {
        StrictToken token = StrictToken(deployCode("StrictToken"));
        token.mint(address(this), 100);
        token.approve(address(puller), 100);
        Programs.Draft memory draft;
        pullAndExecute(IERC20(address(token)), draft.declare(address(token), false, 100).packed(USER));
        assertEq(token.balanceOf(USER), 100, "user");
    }

    function test_PullAndExecute_WhenTransferFromReturnsTwoBytes_Reverts() public {
        refusesAnswer(hex"0001");
    }

    function test_PullAndExecute_WhenTransferFromReturns31Bytes_Reverts() public {
        refusesAnswer(new bytes(31));
    }

    function test_PullAndExecute_WhenTransferFromReturnsTrailingDataAndMovesNothing_RevertsForMinimum() public {
        fakeAnswer(bytes.concat(bytes32(uint256(1)), new bytes(100_000)));
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.InsufficientInput.selector, dollar, 0, 100));
        pullAndExecute(dollar, depositProgram(100, 0));
    }

    function test_PullAndExecute_WhenCallerIsBlocked_Reverts() public {
        BlocklistToken token = BlocklistToken(deployCode("BlocklistToken"));
        token.mint(address(this), 100);
        token.approve(address(puller), 100);
        token.blockAccount(address(this));
        vm.expectRevert(abi.encodeWithSelector(BlocklistToken.Blocked.selector, this));
        pullAndExecute(token, dollars().packed(USER));
    }

    function test_PullAndExecute_WhenStrangerPresetsTheRoutersAllowance_TheyCannotUseIt() public {
        vm.prank(STRANGER);
        router.multicall(steps(step(address(dollar), approveData(address(puller), MAX))), USER, address(0), "");
        dollar.mint(address(router), 100);
        bytes memory program = dollars().packed(USER);
        vm.prank(STRANGER);
        pullAndExecute(dollar, program);
        assertEq(dollar.balanceOf(address(router)), 100, "router");
    }

    function test_PullAndExecute_WhenTokenReturnsFalse_Reverts() public {
        FalseToken token = FalseToken(deployCode("FalseToken"));
        token.mint(address(this), 100);
        token.refuse(token.transferFrom.selector);
        vm.expectRevert(abi.encodeWithSignature("SafeERC20FailedOperation(address)", address(token)));
        pullAndExecute(token, dollars().packed(USER));
    }

    function test_PullAndExecute_WhenTokenTakesFee_UsesReceivedAmount() public {
        FeeToken token = FeeToken(deployCode("FeeToken", abi.encode(100)));
        token.mint(address(this), 1_000);
        token.approve(address(puller), 1_000);
        Programs.Draft memory draft;
        seesNext(0, 990);
        pullAndExecute(token, show(draft.declare(address(token), false, 990), Programs.draw(0, 0, 10_000)).packed(USER));
    }

    function test_PullAndExecute_WhenTokenMisreportsCallerBalance_Reverts() public {
        LyingToken token = LyingToken(deployCode("LyingToken"));
        token.mint(address(this), 100);
        token.approve(address(puller), MAX);
        token.setBalance(address(this), 101);
        vm.expectRevert(
            abi.encodeWithSignature("ERC20InsufficientBalance(address,uint256,uint256)", address(this), 100, 101)
        );
        pullAndExecute(token, dollars().packed(USER));
    }

    function test_PullAndExecute_WhenBalanceOfReverts_Reverts() public {
        MuteToken token = MuteToken(deployCode("MuteToken"));
        vm.expectRevert(abi.encodeWithSignature("BalanceUnreadable(address)", token));
        pullAndExecute(token, dollars().packed(USER));
    }

    /// @dev The attack: a hook that a stranger registered with the token runs during the transfer, and executes its own
    /// program over the transferred tokens.
    function test_PullAndExecute_WhenHookRunsAnotherProgram_Reverts() public {
        HookedToken token = HookedToken(deployCode("HookedToken"));
        token.mint(address(this), 100);
        token.approve(address(puller), 100);
        Programs.Draft memory theft;
        token.arm(address(executor), executeData(theft.declare(address(token), false, 0).packed(STRANGER)));
        Programs.Draft memory draft;
        draft.declare(address(token), false, 0);
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        pullAndExecute(token, draft.packed(USER));
    }

    function test_PullAndExecute_WhenHookPulls_Reverts() public {
        HookedToken token = HookedToken(deployCode("HookedToken"));
        token.mint(address(this), 100);
        token.approve(address(puller), 100);
        token.arm(address(executor), pullData(dollar, dollars().packed(STRANGER)));
        Programs.Draft memory draft;
        draft.declare(address(token), false, 100);
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        pullAndExecute(token, draft.packed(USER));
    }

    function test_PullAndExecute_WhenAProgramRuns_CannotStartAnother() public {
        Programs.Draft memory draft;
        bytes memory data = pullData(dollar, dollars().packed(STRANGER));
        draft.plain(address(target), relayData(address(executor), data));
        bytes memory reason = abi.encodeWithSelector(ReentryGuard.Reentered.selector);
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 0, target, reason));
    }

    function test_Pull_WhenCallerIsNotTheExecutor_Reverts() public {
        approve(dollar, 100);
        vm.expectRevert(abi.encodeWithSelector(ILivePuller.OnlyExecutor.selector, STRANGER));
        vm.prank(STRANGER);
        puller.pull(dollar, address(this));
        vm.expectRevert(abi.encodeWithSelector(ILivePuller.OnlyExecutor.selector, this));
        puller.pull(dollar, address(this));
    }

    function refusesAnswer(bytes memory answer) internal {
        fakeAnswer(answer);
        vm.expectRevert(abi.encodeWithSignature("SafeERC20FailedOperation(address)", dollar));
        pullAndExecute(dollar, depositProgram(0, 0));
    }

    function fakeAnswer(bytes memory answer) internal {
        approve(dollar, 100);
        bytes memory data = abi.encodeCall(dollar.transferFrom, (address(this), address(executor), 100));
        vm.mockCall(address(dollar), data, answer);
    }

    function approve(IERC20 token, uint256 amount) internal {
        dollar.mint(address(this), amount);
        token.approve(address(puller), amount);
    }
}
