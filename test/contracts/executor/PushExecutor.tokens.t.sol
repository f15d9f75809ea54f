// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {BlocklistToken} from "../../../contracts/mocks/BlocklistToken.sol";
import {FalseToken} from "../../../contracts/mocks/FalseToken.sol";
import {FeeToken} from "../../../contracts/mocks/FeeToken.sol";
import {GasBurningToken} from "../../../contracts/mocks/GasBurningToken.sol";
import {HugeAnswer} from "../../../contracts/mocks/HugeAnswer.sol";
import {LyingToken} from "../../../contracts/mocks/LyingToken.sol";
import {PausableToken} from "../../../contracts/mocks/PausableToken.sol";
import {RebasingToken} from "../../../contracts/mocks/RebasingToken.sol";
import {StrictToken} from "../../../contracts/mocks/StrictToken.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Misbehaving tokens
contract PushExecutorTokensTest is ExecutorTest {
    using Programs for Programs.Draft;

    function test_Execute_WhenTokenReturnsNothing_Deposits() public {
        StrictToken token = StrictToken(deployCode("StrictToken"));
        LocalVault tokenVault = LocalVault(deployCode("LocalVault", abi.encode(IERC20(address(token)), "Vault", "VLT")));
        token.mint(address(executor), 100);
        execute(declared(address(token)).give(address(tokenVault), 0, 10_000, depositData()).packed(USER));
        assertEq(tokenVault.balanceOf(USER), 100, "shares");
        restsEmpty(IERC20(address(token)), address(tokenVault));
    }

    function test_Execute_WhenTokenRefusesZeroTransfers_SweepsNothing() public {
        StrictToken token = StrictToken(deployCode("StrictToken"));
        execute(declared(address(token)).packed(USER));
        assertEq(token.balanceOf(USER), 0, "user");
    }

    function test_Execute_WhenTransferReturnsFalse_Reverts() public {
        FalseToken token = FalseToken(deployCode("FalseToken"));
        token.mint(address(executor), 100);
        token.refuse(token.transfer.selector);
        refuses(declared(address(token)).packed(USER), failedOperation(address(token)));
    }

    function test_Execute_WhenApproveReturnsFalse_Reverts() public {
        FalseToken token = FalseToken(deployCode("FalseToken"));
        token.mint(address(executor), 100);
        token.refuse(token.approve.selector);
        Programs.Draft memory draft = declared(address(token));
        draft.step(address(target), Programs.draw(1, 0, 10_000), 1, "", recordData());
        refuses(draft.packed(USER), failedOperation(address(token)));
    }

    function test_Execute_WhenTransferReturnsTwoBytes_Reverts() public {
        refusesAnswerOfTransfer(hex"0001");
    }

    function test_Execute_WhenTransferReturns31Bytes_Reverts() public {
        refusesAnswerOfTransfer(new bytes(31));
    }

    function test_Execute_WhenTransferReturnsTrailingData_ReadsFirstWord() public {
        dollar.mint(address(executor), 100);
        bytes memory answer = bytes.concat(bytes32(uint256(1)), new bytes(100_000));
        vm.mockCall(address(dollar), abi.encodeCall(dollar.transfer, (USER, 100)), answer);
        executeWithGas(500_000, dollars().packed(USER));
    }

    function test_Execute_WhenBalanceHasTwoBytes_Reverts() public {
        refusesBalance(deployCode("FixedAnswer", abi.encode(hex"0001")));
    }

    function test_Execute_WhenBalanceHas31Bytes_Reverts() public {
        refusesBalance(deployCode("FixedAnswer", abi.encode(new bytes(31))));
    }

    function test_Execute_WhenBalanceHasTrailingData_ReadsFirstWord() public {
        HugeAnswer token = HugeAnswer(deployCode("HugeAnswer", abi.encode(bytes32(uint256(1)))));
        Programs.Draft memory draft;
        draft.declare(address(token), true, 0);
        execute(draft.packed(USER));
    }

    function test_Execute_WhenBalanceOfReverts_Reverts() public {
        refusesBalance(deployCode("MuteToken"));
    }

    function test_Execute_WhenBalanceOfBurnsGas_Reverts() public {
        GasBurningToken token = GasBurningToken(deployCode("GasBurningToken"));
        bytes memory program = declared(address(token)).packed(USER);
        (bool success, bytes memory data) = address(executor).call{gas: 1_000_000}(executeData(program));
        assertFalse(success, "success");
        assertEq(data, abi.encodeWithSignature("BalanceUnreadable(address)", token), "reason");
    }

    function test_Execute_WhenBalanceOfBurnsGas_DoesNotFallBack() public {
        GasBurningToken token = GasBurningToken(deployCode("GasBurningToken"));
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        draft.declare(address(token), false, 0);
        bytes memory program = draft.packedWithFallback(USER, STRANGER, 0, 100_000);
        (bool success, bytes memory data) = address(executor).call{gas: 1_000_000}(executeData(program));
        assertFalse(success, "success");
        assertEq(data, abi.encodeWithSignature("BalanceUnreadable(address)", token), "reason");
        assertEq(dollar.balanceOf(address(executor)), 100, "executor");
    }

    function test_Execute_WhenTokenReportsTooMuch_Reverts() public {
        LyingToken token = LyingToken(deployCode("LyingToken"));
        token.mint(address(executor), 100);
        token.setBalance(address(executor), 101);
        refuses(
            declared(address(token)).packed(USER),
            abi.encodeWithSignature("ERC20InsufficientBalance(address,uint256,uint256)", executor, 100, 101)
        );
    }

    function test_Execute_WhenTokenReportsTooLittle_RevertsForMinimum() public {
        LyingToken token = LyingToken(deployCode("LyingToken"));
        token.mint(address(executor), 100);
        token.setBalance(address(executor), 99);
        Programs.Draft memory draft;
        refuses(
            draft.declare(address(token), false, 100).packed(USER),
            abi.encodeWithSelector(IPushExecutor.InsufficientInput.selector, token, 99, 100)
        );
    }

    function test_Execute_WhenTokenMisreportsRecipientBalance_AffectsOnlyItsOwnCheck() public {
        LyingToken token = LyingToken(deployCode("LyingToken"));
        dollar.mint(address(executor), 100);
        Programs.Draft memory draft = dollars();
        bytes memory data = abi.encodeCall(token.setBalance, (USER, 1_000));
        draft.check(address(token), 1_000).check(address(dollar), 101).plain(address(token), data);
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.InsufficientOutput.selector, dollar, 100, 101));
    }

    function test_Execute_WhenTokenTakesFeeOnPush_UsesReceivedAmount() public {
        FeeToken token = FeeToken(deployCode("FeeToken", abi.encode(100)));
        token.mint(address(this), 1_000);
        token.transfer(address(executor), 1_000);
        seesNext(0, 990);
        Programs.Draft memory draft;
        draft.declare(address(token), false, 990);
        execute(show(draft, Programs.draw(0, 0, 10_000)).packed(USER));
    }

    function test_Execute_WhenTokenTakesFeeOnSweep_CountsReceivedAmount() public {
        FeeToken token = FeeToken(deployCode("FeeToken", abi.encode(100)));
        token.mint(address(executor), 1_000);
        execute(declared(address(token)).check(address(token), 990).packed(USER));
        assertEq(token.balanceOf(USER), 990, "user");
        token.mint(address(executor), 1_000);
        refuses(
            declared(address(token)).check(address(token), 991).packed(USER),
            abi.encodeWithSelector(IPushExecutor.InsufficientOutput.selector, token, 990, 991)
        );
    }

    function test_Execute_WhenTokenGrowsMidCall_SweepsFinalBalance() public {
        RebasingToken token = rebasing();
        bytes memory data = abi.encodeCall(token.rebase, (2e18));
        execute(declared(address(token)).plain(address(target), relayData(address(token), data)).packed(USER));
        assertEq(token.balanceOf(USER), 200, "user");
        assertEq(token.balanceOf(address(executor)), 0, "executor");
    }

    function test_Execute_WhenTokenShrinksMidCall_LastShareTakesTheRest() public {
        RebasingToken token = rebasing();
        Programs.Draft memory draft = declared(address(token));
        bytes memory data = relayData(address(token), abi.encodeCall(token.rebase, (0.5e18)));
        draft.step(address(target), Programs.draw(0, 0, 6_000), 1, "", data);
        seesNext(0, 50);
        execute(show(draft, Programs.draw(0, 0, 4_000)).packed(USER));
        assertEq(token.balanceOf(USER), 50, "user");
    }

    function test_Execute_WhenTokenShrinksAfterFixedShare_TargetCannotTakeIt() public {
        RebasingToken token = rebasing();
        Programs.Draft memory draft = declared(address(token));
        bytes memory data = relayData(address(token), abi.encodeCall(token.rebase, (0.5e18)));
        draft.step(address(target), Programs.draw(0, 0, 1_000), 1, "", data);
        draft.step(address(target), Programs.draw(1, 0, 8_000), 1, "", takeData(IERC20(address(token)), 80));
        bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x11);
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 1, target, panic));
    }

    function test_Execute_WhenRecipientIsBlocked_Reverts() public {
        BlocklistToken token = BlocklistToken(deployCode("BlocklistToken"));
        token.mint(address(executor), 100);
        token.blockAccount(USER);
        refuses(declared(address(token)).packed(USER), abi.encodeWithSelector(BlocklistToken.Blocked.selector, USER));
    }

    function test_Execute_WhenTokenIsPausedBetweenPushAndProgram_RevertsWithOrWithoutFallback() public {
        PausableToken token = PausableToken(deployCode("PausableToken"));
        token.mint(address(executor), 100);
        token.pause();
        bytes memory reason = abi.encodeWithSignature("EnforcedPause()");
        refuses(declared(address(token)).packed(USER), reason);
        refuses(declared(address(token)).packedWithFallback(USER, STRANGER, 100_000, 100_000), reason);
        assertEq(token.balanceOf(address(executor)), 100, "executor");
    }

    function declared(address token) internal pure returns (Programs.Draft memory draft) {
        return draft.declare(token, false, 0);
    }

    function rebasing() internal returns (RebasingToken token) {
        token = RebasingToken(deployCode("RebasingToken"));
        token.mint(address(executor), 100);
    }

    function refusesAnswerOfTransfer(bytes memory answer) internal {
        dollar.mint(address(executor), 100);
        vm.mockCall(address(dollar), abi.encodeCall(dollar.transfer, (USER, 100)), answer);
        refuses(dollars().packed(USER), failedOperation(address(dollar)));
    }

    function refusesBalance(address token) internal {
        refuses(declared(token).packed(USER), abi.encodeWithSignature("BalanceUnreadable(address)", token));
    }

    function failedOperation(address token) internal pure returns (bytes memory) {
        return abi.encodeWithSignature("SafeERC20FailedOperation(address)", token);
    }
}
