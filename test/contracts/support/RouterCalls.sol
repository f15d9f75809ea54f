// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {IRouter32} from "../../../contracts/interfaces/IRouter32.sol";
import {LocalRouter} from "../../../contracts/localnet/LocalRouter.sol";
import {Test} from "./Test.sol";

/// @title A router and helpers to call it
abstract contract RouterCalls is Test {
    LocalRouter internal router = LocalRouter(deployCode(routerName()));

    /// @dev Tests for another router version override this function.
    function routerName() internal pure virtual returns (string memory) {
        return "LocalRouter";
    }

    function isRouter32() internal pure returns (bool) {
        return keccak256(bytes(routerName())) == keccak256("LocalRouter32");
    }

    /// @dev Returns the name of a gas snapshot, which includes the router's version.
    function measured(string memory what, string memory how) internal pure returns (string memory) {
        return string.concat(what, " through router ", isRouter32() ? "3.2" : "3.0", ", ", how);
    }

    /// @dev Returns the error for a call while the router serves `allowed`.
    function busyError(address caller, address allowed) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IRouter.InvalidMsgSender.selector, allowed, caller);
    }

    /// @dev Returns the error for a recipient that rejects native currency.
    function nativeError() internal pure returns (bytes memory) {
        return abi.encodeWithSelector(
            isRouter32() ? IRouter32.NativeTransferFailed.selector : IRouter.ETHTransferFailed.selector
        );
    }

    function callExecutedTopic() internal pure returns (bytes32) {
        return isRouter32()
            ? keccak256("SolverCallExecuted(address,bytes32,uint256)")
            : keccak256("SolverCallExecuted(address,bytes,uint256)");
    }

    /// @dev Expects that the router next logs a successful call.
    function expectCallExecuted(address to, bytes memory data, uint256 amount) internal {
        vm.expectEmit(address(router));
        if (isRouter32()) emit IRouter32.SolverCallExecuted(to, keccak256(data), amount);
        else emit IRouter.SolverCallExecuted(to, data, amount);
    }

    function step(address target, bytes memory data) internal pure returns (IRouter.Call3Value memory) {
        return IRouter.Call3Value(target, false, 0, data);
    }

    function steps(IRouter.Call3Value memory a) internal pure returns (IRouter.Call3Value[] memory list) {
        list = new IRouter.Call3Value[](1);
        list[0] = a;
    }

    function steps(IRouter.Call3Value memory a, IRouter.Call3Value memory b)
        internal
        pure
        returns (IRouter.Call3Value[] memory list)
    {
        list = new IRouter.Call3Value[](2);
        list[0] = a;
        list[1] = b;
    }

    function steps(IRouter.Call3Value memory a, IRouter.Call3Value memory b, IRouter.Call3Value memory c)
        internal
        pure
        returns (IRouter.Call3Value[] memory list)
    {
        list = new IRouter.Call3Value[](3);
        list[0] = a;
        list[1] = b;
        list[2] = c;
    }

    function approveData(address spender, uint256 amount) internal pure returns (bytes memory) {
        return abi.encodeCall(IERC20.approve, (spender, amount));
    }

    function cleanupErc20sData(address token, address to, uint256 amount) internal pure returns (bytes memory) {
        return abi.encodeCall(IRouter.cleanupErc20s, (addresses(token), addresses(to), amounts(amount), ""));
    }
}
