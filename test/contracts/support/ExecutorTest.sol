// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {PushExecutor} from "../../../contracts/executor/PushExecutor.sol";
import {ILivePuller} from "../../../contracts/interfaces/ILivePuller.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {Target} from "../../../contracts/mocks/Target.sol";
import {Programs} from "./Programs.sol";
import {RouterCalls} from "./RouterCalls.sol";

/// @title An executor, tokens to push, targets to call, and helpers that build programs
abstract contract ExecutorTest is RouterCalls {
    using Programs for Programs.Draft;

    address internal constant USER = address(0xa11ce);
    address internal constant STRANGER = address(0xb0b);
    address internal constant NO_CODE = address(0xdead);
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    uint256 internal constant MAX = type(uint256).max;

    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    LocalVault internal vault = LocalVault(deployCode("LocalVault", abi.encode(dollar, "Vault", "VLT")));
    PushExecutor internal executor = PushExecutor(deployCode("PushExecutor"));
    ILivePuller internal puller = ILivePuller(executor.livePuller());
    Target internal target = Target(deployCode("Target"));

    function setUp() public virtual {
        vm.warp(1_000);
    }

    /// @dev Returns a draft that declares the dollar.
    function dollars() internal view returns (Programs.Draft memory draft) {
        return draft.declare(address(dollar), false, 0);
    }

    /// @dev Returns a program that deposits all dollars for the user.
    function depositProgram(uint256 minimumIn, uint256 minimumOut) internal view returns (bytes memory) {
        Programs.Draft memory draft;
        draft.declare(address(dollar), false, minimumIn).check(address(vault), minimumOut);
        return draft.give(address(vault), 0, 10_000, depositData()).packed(USER);
    }

    function depositData() internal pure returns (bytes memory) {
        return abi.encodeCall(IERC4626.deposit, (Programs.sentinel(), USER));
    }

    function recordData() internal pure returns (bytes memory) {
        return abi.encodeCall(Target.record, (Programs.sentinel()));
    }

    /// @dev Returns call data that makes the target take dollars from the executor.
    function takeData(IERC20 token, uint256 amount) internal view returns (bytes memory) {
        bytes memory data = abi.encodeCall(IERC20.transferFrom, (address(executor), address(target), amount));
        return relayData(address(token), data);
    }

    function relayData(address to, bytes memory data) internal pure returns (bytes memory) {
        return abi.encodeCall(Target.relay, (to, data));
    }

    function executeData(bytes memory program) internal pure returns (bytes memory) {
        return Programs.executeData(program);
    }

    function pullData(IERC20 token, bytes memory program) internal pure returns (bytes memory) {
        return Programs.pullData(token, program);
    }

    function execute(bytes memory program) internal {
        execute(0, program);
    }

    function execute(uint256 value, bytes memory program) internal {
        Address.functionCallWithValue(address(executor), executeData(program), value);
    }

    function executeWithGas(uint256 gasLimit, bytes memory program) internal {
        (bool success, bytes memory returnData) = address(executor).call{gas: gasLimit}(executeData(program));
        if (!success) LowLevelCall.bubbleRevert(returnData);
    }

    function pullAndExecute(IERC20 token, bytes memory program) internal {
        pullAndExecute(0, token, program);
    }

    function pullAndExecute(uint256 value, IERC20 token, bytes memory program) internal {
        Address.functionCallWithValue(address(executor), pullData(token, program), value);
    }

    /// @dev Adds a step that passes a draw to the target.
    function show(Programs.Draft memory draft, bytes memory draw) internal view returns (Programs.Draft memory) {
        return draft.step(address(target), draw, 1, Programs.patch(0, 4, 32), recordData());
    }

    /// @dev Expects that the target's next call has this value and argument.
    function seesNext(uint256 value, uint256 argument) internal {
        vm.expectEmit(address(target));
        emit Target.Recorded(address(executor), value, argument);
    }

    function refuses(bytes memory program, bytes memory revertData) internal {
        vm.expectRevert(revertData);
        execute(program);
    }

    /// @dev Asserts that the kit's contracts hold no units of the token, and that the executor has granted no
    /// allowance.
    function restsEmpty(IERC20 token, address spender) internal view {
        assertEq(token.balanceOf(address(router)), 0, "router");
        assertEq(token.balanceOf(address(executor)), 0, "executor");
        assertEq(token.balanceOf(address(puller)), 0, "puller");
        assertEq(token.allowance(address(executor), spender), 0, "executor's allowance");
        assertEq(address(executor).balance, 0, "executor's native");
    }
}
