// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {StrictToken} from "../../../contracts/mocks/StrictToken.sol";
import {Target} from "../../../contracts/mocks/Target.sol";
import {RouterCalls} from "./RouterCalls.sol";

/// @title Cleanup tests for all router versions
abstract contract RouterCleanupsTest is RouterCalls {
    address internal constant USER = address(0xa11ce);
    address internal constant OTHER = address(0xb0b);

    Target internal target = Target(deployCode("Target"));
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    StrictToken internal strict = StrictToken(deployCode("StrictToken"));
    LocalVault internal vault = LocalVault(deployCode("LocalVault", abi.encode(dollar, "Vault", "VLT")));

    function test_CleanupErc20s_WhenAmountIsZero_SendsFullBalance() public {
        dollar.mint(address(router), 10);
        vm.expectEmit(address(dollar));
        emit IERC20.Transfer(address(router), USER, 10);
        vm.expectEmit(address(router));
        emit IRouter.FundsMovement(address(router), USER, address(dollar), 10, "meta");
        router.cleanupErc20s(addresses(address(dollar)), addresses(USER), amounts(0), "meta");
        assertEq(dollar.balanceOf(USER), 10, "user");
        assertEq(dollar.balanceOf(address(router)), 0, "router");
    }

    function test_CleanupErc20s_WhenAmountIsGiven_SendsIt() public {
        dollar.mint(address(router), 10);
        vm.expectEmit(address(router));
        emit IRouter.FundsMovement(address(router), USER, address(dollar), 4, "");
        router.cleanupErc20s(addresses(address(dollar)), addresses(USER), amounts(4), "");
        assertEq(dollar.balanceOf(USER), 4, "user");
        assertEq(dollar.balanceOf(address(router)), 6, "router");
    }

    function test_CleanupErc20s_WhenBalanceIsZero_Skips() public {
        dollar.mint(address(router), 10);
        vm.recordLogs();
        router.cleanupErc20s(addresses(address(strict), address(dollar)), addresses(USER, OTHER), amounts(0, 0), "");
        assertEq(countLogs(address(router), IRouter.FundsMovement.selector), 1, "movements");
        assertEq(dollar.balanceOf(OTHER), 10, "other");
    }

    function test_CleanupErc20s_WhenTokenReturnsNothing_Sends() public {
        strict.mint(address(router), 10);
        router.cleanupErc20s(addresses(address(strict)), addresses(USER), amounts(0), "");
        assertEq(strict.balanceOf(USER), 10, "user");
    }

    function test_CleanupErc20s_WhenAmountExceedsBalance_Reverts() public {
        dollar.mint(address(router), 10);
        vm.expectRevert(abi.encodeWithSelector(IRouter.TransferFailed.selector));
        router.cleanupErc20s(addresses(address(dollar)), addresses(USER), amounts(11), "");
    }

    function test_CleanupErc20s_WhenRecipientsDiffer_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.ArrayLengthsMismatch.selector));
        router.cleanupErc20s(addresses(address(dollar)), addresses(USER, OTHER), amounts(0), "");
    }

    function test_CleanupErc20s_WhenAmountsDiffer_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.ArrayLengthsMismatch.selector));
        router.cleanupErc20s(addresses(address(dollar)), addresses(USER), amounts(0, 0), "");
    }

    function testFuzz_CleanupErc20s_WhenBalanceCovers_SendsRequestedAmounts(uint256 balance, uint256 amount) public {
        amount = bound(amount, 0, balance);
        dollar.mint(address(router), balance);
        router.cleanupErc20s(addresses(address(dollar)), addresses(USER), amounts(amount), "");
        uint256 sent = amount == 0 ? balance : amount;
        assertEq(dollar.balanceOf(USER), sent, "user");
        assertEq(dollar.balanceOf(address(router)), balance - sent, "router");
    }

    function test_CleanupNative_WhenAmountIsZero_SendsFullBalance() public {
        vm.deal(address(router), 10);
        vm.expectEmit(address(router));
        emit IRouter.SolverNativeTransfer(USER, 10);
        vm.expectEmit(address(router));
        emit IRouter.FundsMovement(address(router), USER, address(0), 10, "meta");
        router.cleanupNative(0, USER, "meta");
        assertEq(USER.balance, 10, "user");
    }

    function test_CleanupNative_WhenAmountIsGiven_SendsIt() public {
        vm.deal(address(router), 10);
        vm.expectEmit(address(router));
        emit IRouter.SolverNativeTransfer(USER, 4);
        router.cleanupNative(4, USER, "");
        assertEq(USER.balance, 4, "user");
        assertEq(address(router).balance, 6, "router");
    }

    function test_CleanupNative_WhenRecipientIsZero_SendsToCaller() public {
        vm.deal(address(router), 10);
        vm.expectEmit(address(router));
        emit IRouter.SolverNativeTransfer(OTHER, 10);
        vm.prank(OTHER);
        router.cleanupNative(0, address(0), "");
        assertEq(OTHER.balance, 10, "caller");
    }

    function test_CleanupNative_WhenBalanceIsZero_Skips() public {
        vm.recordLogs();
        router.cleanupNative(0, USER, "");
        assertEq(vm.getRecordedLogs().length, 0, "logs");
    }

    function test_CleanupNative_WhenRecipientRefuses_Reverts() public {
        vm.deal(address(router), 10);
        vm.expectRevert(nativeError());
        router.cleanupNative(0, address(target), "");
    }

    function testFuzz_CleanupNative_WhenBalanceCovers_SendsRequestedAmount(uint128 balance, uint256 amount) public {
        amount = bound(amount, 0, balance);
        vm.deal(address(router), balance);
        router.cleanupNative(amount, USER, "");
        uint256 sent = amount == 0 ? balance : amount;
        assertEq(USER.balance, sent, "user");
        assertEq(address(router).balance, balance - sent, "router");
    }

    function test_CleanupErc20sViaCall_WhenAmountIsZero_ApprovesFullBalanceAndCalls() public {
        dollar.mint(address(router), 10);
        vm.expectEmit(address(dollar));
        emit IERC20.Approval(address(router), address(vault), 10);
        router.cleanupErc20sViaCall(
            addresses(address(dollar)),
            addresses(address(vault)),
            datas(abi.encodeCall(vault.deposit, (10, USER))),
            amounts(0)
        );
        assertEq(vault.balanceOf(USER), 10, "shares");
        assertEq(dollar.allowance(address(router), address(vault)), 0, "allowance");
    }

    function test_CleanupErc20sViaCall_WhenNotAllIsSpent_LeavesAllowance() public {
        dollar.mint(address(router), 10);
        router.cleanupErc20sViaCall(
            addresses(address(dollar)),
            addresses(address(vault)),
            datas(abi.encodeCall(vault.deposit, (4, USER))),
            amounts(7)
        );
        assertEq(vault.balanceOf(USER), 4, "shares");
        assertEq(dollar.allowance(address(router), address(vault)), 3, "allowance");
    }

    function test_CleanupErc20sViaCall_WhenBalanceIsZero_DoesNotCall() public {
        vm.recordLogs();
        router.cleanupErc20sViaCall(
            addresses(address(dollar)), addresses(address(target)), datas(abi.encodeCall(Target.fail, (9))), amounts(0)
        );
        assertEq(vm.getRecordedLogs().length, 0, "logs");
    }

    function test_CleanupErc20sViaCall_WhenCallFails_RevertsWithoutReason() public {
        dollar.mint(address(router), 10);
        vm.expectRevert(abi.encodeWithSelector(IRouter.CallFailed.selector));
        router.cleanupErc20sViaCall(
            addresses(address(dollar)), addresses(address(target)), datas(abi.encodeCall(Target.fail, (9))), amounts(0)
        );
    }

    function test_CleanupErc20sViaCall_WhenTosDiffer_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.ArrayLengthsMismatch.selector));
        router.cleanupErc20sViaCall(addresses(USER), addresses(USER, OTHER), datas(""), amounts(0));
    }

    function test_CleanupErc20sViaCall_WhenDatasDiffer_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.ArrayLengthsMismatch.selector));
        router.cleanupErc20sViaCall(addresses(USER), addresses(USER), new bytes[](0), amounts(0));
    }

    function test_CleanupErc20sViaCall_WhenAmountsDiffer_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.ArrayLengthsMismatch.selector));
        router.cleanupErc20sViaCall(addresses(USER), addresses(USER), datas(""), amounts(0, 0));
    }

    function test_CleanupNativeViaCall_WhenAmountIsZero_SendsFullBalance() public {
        vm.deal(address(router), 10);
        vm.expectEmit(address(target));
        emit Target.Recorded(address(router), 10, 7);
        router.cleanupNativeViaCall(0, address(target), abi.encodeCall(Target.record, (7)));
    }

    function test_CleanupNativeViaCall_WhenAmountIsGiven_SendsIt() public {
        vm.deal(address(router), 10);
        vm.expectEmit(address(target));
        emit Target.Recorded(address(router), 4, 7);
        router.cleanupNativeViaCall(4, address(target), abi.encodeCall(Target.record, (7)));
        assertEq(address(router).balance, 6, "router");
    }

    function test_CleanupNativeViaCall_WhenBalanceIsZero_DoesNotCall() public {
        vm.recordLogs();
        router.cleanupNativeViaCall(0, address(target), abi.encodeCall(Target.fail, (9)));
        assertEq(vm.getRecordedLogs().length, 0, "logs");
    }

    function test_CleanupNativeViaCall_WhenCallFails_RevertsWithoutReason() public {
        vm.deal(address(router), 10);
        vm.expectRevert(abi.encodeWithSelector(IRouter.CallFailed.selector));
        router.cleanupNativeViaCall(0, address(target), abi.encodeCall(Target.fail, (9)));
    }
}
