// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {Target} from "../../../contracts/mocks/Target.sol";
import {RouterCleanupsTest} from "../support/RouterCleanupsTest.sol";

contract LocalRouterCleanupsTest is RouterCleanupsTest {
    function test_CleanupErc20sViaCall_WhenTokenReturnsNothing_Reverts() public {
        strict.mint(address(router), 10);
        vm.expectRevert("");
        router.cleanupErc20sViaCall(
            addresses(address(strict)),
            addresses(address(target)),
            datas(abi.encodeCall(Target.record, (1))),
            amounts(0)
        );
    }

    function test_CleanupErc20sViaCall_WhenApproveReturnsFalse_CallsAnyway() public {
        vm.mockCall(address(dollar), approveData(address(target), 5), abi.encode(false));
        vm.expectEmit(address(target));
        emit Target.Recorded(address(router), 0, 1);
        router.cleanupErc20sViaCall(
            addresses(address(dollar)),
            addresses(address(target)),
            datas(abi.encodeCall(Target.record, (1))),
            amounts(5)
        );
    }

    function test_CleanupNativeViaCall_WhenItSends_EmitsNothing() public {
        vm.deal(address(router), 10);
        vm.recordLogs();
        router.cleanupNativeViaCall(0, address(target), abi.encodeCall(Target.record, (7)));
        assertEq(countLogs(address(router), IRouter.SolverNativeTransfer.selector), 0, "transfers");
        assertEq(countLogs(address(router), IRouter.FundsMovement.selector), 0, "movements");
    }
}
