// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Gas of a deposit by a program, with all checks, as a separate transaction
/// hardhat-config: isolate = true
contract PushExecutorGasTest is ExecutorTest {
    using Programs for Programs.Draft;

    string internal constant GROUP = "PushExecutor";

    function test_Execute_WhenPushed_Gas() public {
        dollar.mint(address(executor), 1);
        fill(measured("pushed", "unit left at the executor, first use"), pushCalls());
        fill(measured("pushed", "unit left at the executor, second use"), pushCalls());
    }

    function test_PullAndExecute_WhenApproved_Gas() public {
        dollar.mint(address(executor), 1);
        fill(measured("pulled", "unit left at the executor, first use"), pullCalls());
        fill(measured("pulled", "unit left at the executor, second use"), pullCalls());
    }

    function pushCalls() internal view returns (IRouter.Call3Value[] memory) {
        return steps(
            step(address(router), cleanupErc20sData(address(dollar), address(executor), 0)),
            step(address(executor), executeData(program()))
        );
    }

    function pullCalls() internal view returns (IRouter.Call3Value[] memory) {
        return steps(
            step(address(dollar), approveData(address(puller), MAX)),
            step(address(executor), pullData(dollar, program()))
        );
    }

    function program() internal view returns (bytes memory) {
        Programs.Draft memory draft;
        draft.declare(address(dollar), true, 1_000e6).check(address(vault), 1_000e6);
        // Matches the library's encoding: the check contains the target, and the call data ends with the recipient.
        uint256 check = 12 + draft.tokens.length + draft.minimums.length;
        bytes memory draw = Programs.draw(1, 0, 10_000);
        draft.stepAt(Programs.referenceTo(check), draw, 1, Programs.patch(0, 4, 32), depositData());
        return draft.packedFor(Programs.referenceTo(check + draft.checks.length + draft.steps.length - 20));
    }

    /// @dev Measures the whole fill, except the delivery of the tokens.
    function fill(string memory name, IRouter.Call3Value[] memory calls) internal {
        dollar.mint(address(router), 1_000e6);
        vm.prank(address(0x501e));
        router.multicall(calls, USER, address(0), "");
        vm.snapshotGasLastCall(GROUP, name);
    }
}
