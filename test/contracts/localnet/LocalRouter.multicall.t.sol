// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {RouterMulticallTest} from "../support/RouterMulticallTest.sol";

contract LocalRouterMulticallTest is RouterMulticallTest {
    function test_Guard_WhenOriginalCallerReentersDuringSelfCall_Reverts() public {
        bytes memory cleanup = cleanupErc20sData(address(dollar), USER, 0);
        bytes memory inner = abi.encodeCall(IRouter.multicall, (steps(relayStep(cleanup)), USER, address(0), ""));
        bytes memory outer =
            abi.encodeCall(IRouter.multicall, (steps(step(address(router), inner)), USER, address(0), ""));
        vm.expectRevert(busyError(address(target), address(router)));
        target.relay(address(router), outer);
    }

    function test_Guard_WhenStrangerReentersAfterSelfCall_TakesBalance() public {
        dollar.mint(address(router), 10);
        run(
            steps(
                step(address(router), cleanupErc20sData(address(dollar), USER, 1)),
                relayStep(cleanupErc20sData(address(dollar), THIEF, 0))
            )
        );
        assertEq(dollar.balanceOf(THIEF), 9, "thief");
    }

    function test_OnErc721Received_WhenNestedMulticallHasRecipient_ForwardsToIt() public {
        bytes memory nested = abi.encodeCall(IRouter.multicall, (steps(mintOneStep(5)), USER, THIEF, ""));
        runFor(USER, steps(step(address(router), nested)));
        assertEq(one.ownerOf(5), THIEF, "owner");
    }

    function test_OnErc721Received_WhenNestedMulticallHasEnded_Reverts() public {
        bytes memory nested = abi.encodeCall(IRouter.multicall, (steps(recordStep(1)), USER, address(0), ""));
        vm.expectRevert(abi.encodeWithSelector(IRouter.NoRecipientSet.selector));
        runFor(USER, steps(step(address(router), nested), mintOneStep(6)));
    }
}
