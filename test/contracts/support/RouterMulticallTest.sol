// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {PlainErc1155} from "../../../contracts/mocks/PlainErc1155.sol";
import {PlainErc721} from "../../../contracts/mocks/PlainErc721.sol";
import {Target} from "../../../contracts/mocks/Target.sol";
import {Routers} from "../../../contracts/testing/Routers.sol";
import {RouterCalls} from "./RouterCalls.sol";

/// @title Multicall tests for all router versions
abstract contract RouterMulticallTest is RouterCalls {
    address internal constant SOLVER = address(0x501e);
    address internal constant USER = address(0xa11ce);
    address internal constant THIEF = address(0xbad);

    Target internal target = Target(deployCode("Target"));
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    PlainErc721 internal one = PlainErc721(deployCode("PlainErc721"));
    PlainErc1155 internal many = PlainErc1155(deployCode("PlainErc1155"));

    function setUp() public {
        vm.deal(SOLVER, 100 ether);
    }

    function test_Multicall_WhenCallsSucceed_ReturnsResultsInOrder() public {
        IRouter.Result[] memory results = run(steps(recordStep(1), recordStep(2)));
        assertEq(results.length, 2, "results");
        assertTrue(results[0].success, "success 0");
        assertEq(results[0].returnData, abi.encode(2), "return data 0");
        assertTrue(results[1].success, "success 1");
        assertEq(results[1].returnData, abi.encode(4), "return data 1");
    }

    function test_Multicall_WhenCallSucceeds_EmitsSolverCallExecuted() public {
        IRouter.Call3Value memory call = recordStep(7);
        call.value = 3;
        vm.expectEmit(address(target));
        emit Target.Recorded(address(router), 3, 7);
        expectCallExecuted(address(target), call.callData, 3);
        vm.prank(SOLVER);
        router.multicall{value: 3}(steps(call), USER, address(0), "");
    }

    function test_Multicall_WhenThereAreNoCalls_ReturnsNothing() public {
        assertEq(run(new IRouter.Call3Value[](0)).length, 0, "results");
    }

    function test_Multicall_WhenTargetHasNoCode_Succeeds() public {
        assertTrue(run(steps(step(USER, "code?")))[0].success, "success");
    }

    function test_Multicall_WhenOrderIdIsAppended_Runs() public {
        bytes memory data = abi.encodeCall(IRouter.multicall, (steps(recordStep(7)), USER, address(0), ""));
        vm.expectEmit(address(target));
        emit Target.Recorded(address(router), 0, 7);
        vm.prank(SOLVER);
        (bool success,) = address(router).call(bytes.concat(data, keccak256("order")));
        assertTrue(success, "success");
    }

    function test_Multicall_WhenCallFails_RevertsWithItsData() public {
        vm.expectRevert(abi.encodeWithSelector(Target.Failed.selector, address(router), 9));
        run(steps(recordStep(1), step(address(target), abi.encodeCall(Target.fail, (9)))));
    }

    function test_Multicall_WhenCallFailsWithoutData_RevertsWithoutData() public {
        vm.expectRevert("");
        run(steps(step(address(target), abi.encodeCall(Target.failSilently, ()))));
    }

    function test_Multicall_WhenFailureIsAllowed_Continues() public {
        IRouter.Call3Value memory failing = step(address(target), abi.encodeCall(Target.fail, (9)));
        failing.allowFailure = true;
        vm.recordLogs();
        IRouter.Result[] memory results = run(steps(failing, recordStep(1)));
        assertFalse(results[0].success, "success 0");
        assertEq(results[0].returnData, abi.encodeWithSelector(Target.Failed.selector, address(router), 9), "data 0");
        assertTrue(results[1].success, "success 1");
        assertEq(countLogs(address(router), callExecutedTopic()), 1, "executed calls");
    }

    function test_Multicall_WhenNativeIsLeft_RefundsIt() public {
        IRouter.Call3Value memory call = recordStep(1);
        call.value = 2 ether;
        vm.expectEmit(address(router));
        emit IRouter.FundsMovement(SOLVER, address(router), address(0), 5 ether, "meta");
        expectCallExecuted(address(target), call.callData, 2 ether);
        vm.expectEmit(address(router));
        emit IRouter.SolverNativeTransfer(USER, 3 ether);
        vm.expectEmit(address(router));
        emit IRouter.FundsMovement(address(router), USER, address(0), 3 ether, "meta");
        vm.prank(SOLVER);
        router.multicall{value: 5 ether}(steps(call), USER, address(0), "meta");
        assertEq(USER.balance, 3 ether, "refund");
        assertEq(address(router).balance, 0, "router");
    }

    function test_Multicall_WhenRefundToIsZero_RefundsCaller() public {
        vm.expectEmit(address(router));
        emit IRouter.SolverNativeTransfer(SOLVER, 5 ether);
        vm.prank(SOLVER);
        router.multicall{value: 5 ether}(steps(recordStep(1)), address(0), address(0), "");
        assertEq(SOLVER.balance, 100 ether, "solver");
    }

    function test_Multicall_WhenNoNativeIsLeft_EmitsNoMovement() public {
        vm.recordLogs();
        run(steps(recordStep(1)));
        assertEq(countLogs(address(router), IRouter.FundsMovement.selector), 0, "movements");
    }

    function test_Multicall_WhenRefundIsRefused_Reverts() public {
        vm.expectRevert(nativeError());
        vm.prank(SOLVER);
        router.multicall{value: 1 ether}(steps(recordStep(1)), address(target), address(0), "");
    }

    function test_Receive_WhenNativeArrives_EmitsSolverNativeTransfer() public {
        vm.expectEmit(address(router));
        emit IRouter.SolverNativeTransfer(address(router), 4);
        vm.prank(SOLVER);
        (bool success,) = address(router).call{value: 4}("");
        assertTrue(success, "success");
    }

    function test_Guard_WhenStrangerReenters_Reverts() public {
        bytes[] memory entries = new bytes[](5);
        entries[0] = abi.encodeCall(IRouter.multicall, (new IRouter.Call3Value[](0), THIEF, address(0), ""));
        entries[1] = cleanupErc20sData(address(dollar), THIEF, 0);
        entries[2] = abi.encodeCall(IRouter.cleanupNative, (0, THIEF, ""));
        entries[3] = abi.encodeCall(
            IRouter.cleanupErc20sViaCall, (addresses(address(dollar)), addresses(THIEF), datas(""), amounts(0))
        );
        entries[4] = abi.encodeCall(IRouter.cleanupNativeViaCall, (0, THIEF, ""));
        for (uint256 i = 0; i < entries.length; ++i) {
            vm.expectRevert(busyError(address(target), SOLVER));
            run(steps(relayStep(entries[i])));
        }
    }

    function test_Guard_WhenOriginalCallerReenters_Runs() public {
        dollar.mint(address(router), 10);
        bytes memory outer = abi.encodeCall(
            IRouter.multicall, (steps(relayStep(cleanupErc20sData(address(dollar), USER, 0))), USER, address(0), "")
        );
        target.relay(address(router), outer);
        assertEq(dollar.balanceOf(USER), 10, "user");
    }

    function test_Guard_WhenRouterCallsItself_Runs() public {
        dollar.mint(address(router), 10);
        run(steps(step(address(router), cleanupErc20sData(address(dollar), USER, 0))));
        assertEq(dollar.balanceOf(USER), 10, "user");
    }

    function test_Guard_WhenMulticallHasEnded_AllowsOtherCallers() public {
        run(steps(recordStep(1)));
        target.relay(address(router), cleanupErc20sData(address(dollar), USER, 0));
    }

    function test_OnErc721Received_WhenRecipientIsSet_Forwards() public {
        runFor(USER, steps(mintOneStep(5)));
        assertEq(one.ownerOf(5), USER, "owner");
    }

    function test_OnErc721Received_WhenNoRecipientIsSet_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.NoRecipientSet.selector));
        run(steps(mintOneStep(5)));
    }

    function test_OnErc721Received_WhenMulticallHasEnded_Reverts() public {
        runFor(USER, steps(mintOneStep(5)));
        vm.expectRevert(abi.encodeWithSelector(IRouter.NoRecipientSet.selector));
        one.safeMint(address(router), 6, "");
    }

    function test_OnErc1155Received_WhenRecipientIsSet_Forwards() public {
        runFor(USER, steps(mintManyStep(5, 50)));
        assertEq(many.balanceOf(USER, 5), 50, "user");
    }

    function test_OnErc1155Received_WhenNoRecipientIsSet_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.NoRecipientSet.selector));
        run(steps(mintManyStep(5, 50)));
    }

    function test_OnErc1155BatchReceived_WhenRecipientIsSet_Forwards() public {
        runFor(USER, steps(mintBatchStep()));
        assertEq(many.balanceOf(USER, 5), 50, "user, first id");
        assertEq(many.balanceOf(USER, 6), 60, "user, second id");
    }

    function test_OnErc1155BatchReceived_WhenNoRecipientIsSet_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.NoRecipientSet.selector));
        run(steps(mintBatchStep()));
    }

    function test_Multicall_WhenNftRecipientIsRouter_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IRouter.InvalidRecipient.selector, address(router)));
        runFor(address(router), steps(recordStep(1)));
    }

    function test_Code_WhenCopiedToAnotherAddress_Works() public {
        address live = Routers.CURRENT;
        vm.etch(live, address(router).code);
        vm.expectEmit(address(target));
        emit Target.Recorded(live, 0, 1);
        IRouter(live).multicall(steps(recordStep(1)), USER, USER, "");
    }

    function run(IRouter.Call3Value[] memory calls) internal returns (IRouter.Result[] memory) {
        return runFor(address(0), calls);
    }

    function runFor(address nftRecipient, IRouter.Call3Value[] memory calls)
        internal
        returns (IRouter.Result[] memory)
    {
        vm.prank(SOLVER);
        return router.multicall(calls, USER, nftRecipient, "");
    }

    function recordStep(uint256 argument) internal view returns (IRouter.Call3Value memory) {
        return step(address(target), abi.encodeCall(Target.record, (argument)));
    }

    function relayStep(bytes memory data) internal view returns (IRouter.Call3Value memory) {
        return step(address(target), abi.encodeCall(Target.relay, (address(router), data)));
    }

    function mintOneStep(uint256 id) internal view returns (IRouter.Call3Value memory) {
        return step(address(one), abi.encodeCall(PlainErc721.safeMint, (address(router), id, "")));
    }

    function mintManyStep(uint256 id, uint256 value) internal view returns (IRouter.Call3Value memory) {
        return step(address(many), abi.encodeCall(PlainErc1155.mint, (address(router), id, value, "")));
    }

    function mintBatchStep() internal view returns (IRouter.Call3Value memory) {
        bytes memory data =
            abi.encodeCall(PlainErc1155.mintBatch, (address(router), amounts(5, 6), amounts(50, 60), ""));
        return step(address(many), data);
    }
}
