// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {IRouter32} from "../../../contracts/interfaces/IRouter32.sol";
import {RouterMulticallTest} from "../support/RouterMulticallTest.sol";

contract LocalRouter32MulticallTest is RouterMulticallTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }

    function test_Version_Is32() public view {
        assertEq(IRouter32(address(router)).VERSION(), "3.2", "version");
    }

    function test_Guard_WhenOriginalCallerReentersDuringSelfCall_Runs() public {
        dollar.mint(address(router), 10);
        bytes memory cleanup = cleanupErc20sData(address(dollar), USER, 0);
        bytes memory inner = abi.encodeCall(IRouter.multicall, (steps(relayStep(cleanup)), USER, address(0), ""));
        bytes memory outer =
            abi.encodeCall(IRouter.multicall, (steps(step(address(router), inner)), USER, address(0), ""));
        target.relay(address(router), outer);
        assertEq(dollar.balanceOf(USER), 10, "user");
    }

    function test_Guard_WhenStrangerReentersAfterSelfCall_Reverts() public {
        dollar.mint(address(router), 10);
        vm.expectRevert(busyError(address(target), SOLVER));
        run(
            steps(
                step(address(router), cleanupErc20sData(address(dollar), USER, 1)),
                relayStep(cleanupErc20sData(address(dollar), THIEF, 0))
            )
        );
    }

    function test_OnErc721Received_WhenNestedMulticallHasAnotherRecipient_Reverts() public {
        bytes memory nested = abi.encodeCall(IRouter.multicall, (steps(mintOneStep(5)), USER, THIEF, ""));
        vm.expectRevert(abi.encodeWithSelector(IRouter32.RecipientAlreadySet.selector, USER, THIEF));
        runFor(USER, steps(step(address(router), nested)));
    }

    function test_OnErc721Received_WhenNestedMulticallHasTheSameRecipient_Forwards() public {
        bytes memory nested = abi.encodeCall(IRouter.multicall, (steps(mintOneStep(5)), USER, USER, ""));
        runFor(USER, steps(step(address(router), nested), mintOneStep(6)));
        assertEq(one.ownerOf(5), USER, "owner, nested");
        assertEq(one.ownerOf(6), USER, "owner, after");
    }

    function test_OnErc721Received_WhenNestedMulticallHasEnded_Forwards() public {
        bytes memory nested = abi.encodeCall(IRouter.multicall, (steps(recordStep(1)), USER, address(0), ""));
        runFor(USER, steps(step(address(router), nested), mintOneStep(6)));
        assertEq(one.ownerOf(6), USER, "owner");
    }

    function test_OnErc721Received_WhenOnlyTheNestedMulticallHasARecipient_EndsWithIt() public {
        bytes memory nested = abi.encodeCall(IRouter.multicall, (steps(mintOneStep(5)), USER, THIEF, ""));
        vm.expectRevert(abi.encodeWithSelector(IRouter.NoRecipientSet.selector));
        run(steps(step(address(router), nested), mintOneStep(6)));
    }
}
