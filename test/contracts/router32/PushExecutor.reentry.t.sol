// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {PushExecutorReentryTest} from "../executor/PushExecutor.reentry.t.sol";

/// @dev Runs the same tests with the 3.2 router.
contract PushExecutorReentryOn32Test is PushExecutorReentryTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }

    function test_Fill_WhenTargetEntersTheRouterAfterItsSelfCall_CannotTouchThePush() public override {
        dollar.mint(address(router), 100);
        bytes memory program = calling(address(router), cleanupErc20sData(address(other), STRANGER, 0));
        IRouter.Call3Value[] memory calls = pushCalls(program);
        bytes memory busy = busyError(address(target), address(this));
        vm.expectRevert(abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 0, target, busy));
        router.multicall(calls, address(0), address(0), "");
    }
}
