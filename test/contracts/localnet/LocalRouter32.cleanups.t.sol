// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {IRouter32} from "../../../contracts/interfaces/IRouter32.sol";
import {Target} from "../../../contracts/mocks/Target.sol";
import {RouterCleanupsTest} from "../support/RouterCleanupsTest.sol";

contract LocalRouter32CleanupsTest is RouterCleanupsTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }

    function test_CleanupErc20sViaCall_WhenTokenReturnsNothing_ApprovesAndCalls() public {
        strict.mint(address(router), 10);
        vm.expectEmit(address(target));
        emit Target.Recorded(address(router), 0, 1);
        viaCall(address(strict), abi.encodeCall(Target.record, (1)), 0);
        assertEq(strict.allowance(address(router), address(target)), 10, "allowance");
    }

    function test_CleanupErc20sViaCall_WhenTokenRefusesTheChange_ApprovesThroughZero() public {
        strict.mint(address(router), 10);
        viaCall(address(strict), abi.encodeCall(Target.record, (1)), 3);
        viaCall(address(strict), abi.encodeCall(Target.record, (2)), 4);
        assertEq(strict.allowance(address(router), address(target)), 4, "allowance");
    }

    function test_CleanupErc20sViaCall_WhenApproveReturnsFalse_Reverts() public {
        vm.mockCall(address(dollar), approveData(address(target), 5), abi.encode(false));
        vm.expectRevert(abi.encodeWithSelector(IRouter32.ApproveFailed.selector));
        viaCall(address(dollar), abi.encodeCall(Target.record, (1)), 5);
    }

    function test_CleanupErc20sViaCall_WhenTargetTakes_EmitsWhatItTook() public {
        dollar.mint(address(router), 10);
        vm.expectEmit(address(router));
        emit IRouter.FundsMovement(address(router), address(vault), address(dollar), 4, "");
        router.cleanupErc20sViaCall(
            addresses(address(dollar)),
            addresses(address(vault)),
            datas(abi.encodeCall(vault.deposit, (4, USER))),
            amounts(7)
        );
    }

    function test_CleanupErc20sViaCall_WhenTargetTakesNothing_EmitsNothing() public {
        dollar.mint(address(router), 10);
        vm.recordLogs();
        viaCall(address(dollar), abi.encodeCall(Target.record, (1)), 0);
        assertEq(countLogs(address(router), IRouter.FundsMovement.selector), 0, "movements");
    }

    function test_CleanupNativeViaCall_WhenItSends_EmitsFundsMovementOnly() public {
        vm.deal(address(router), 10);
        vm.recordLogs();
        router.cleanupNativeViaCall(0, address(target), abi.encodeCall(Target.record, (7)));
        assertEq(countLogs(address(router), IRouter.SolverNativeTransfer.selector), 0, "transfers");
        vm.deal(address(router), 10);
        vm.expectEmit(address(router));
        emit IRouter.FundsMovement(address(router), address(target), address(0), 10, "");
        router.cleanupNativeViaCall(0, address(target), abi.encodeCall(Target.record, (7)));
    }

    function viaCall(address token, bytes memory data, uint256 amount) internal {
        router.cleanupErc20sViaCall(addresses(token), addresses(address(target)), datas(data), amounts(amount));
    }
}
