// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {LocalRouter} from "../../../contracts/localnet/LocalRouter.sol";
import {Test} from "./Test.sol";

/// @title A router and helpers for its calls
abstract contract RouterCalls is Test {
    LocalRouter internal router = LocalRouter(deployCode("LocalRouter"));

    function step(address target, bytes memory data) internal pure returns (IRouter.Call3Value memory) {
        return IRouter.Call3Value(target, false, 0, data);
    }

    function steps(IRouter.Call3Value memory a) internal pure returns (IRouter.Call3Value[] memory list) {
        list = new IRouter.Call3Value[](1);
        list[0] = a;
    }

    function steps(
        IRouter.Call3Value memory a,
        IRouter.Call3Value memory b
    ) internal pure returns (IRouter.Call3Value[] memory list) {
        list = new IRouter.Call3Value[](2);
        list[0] = a;
        list[1] = b;
    }

    function steps(
        IRouter.Call3Value memory a,
        IRouter.Call3Value memory b,
        IRouter.Call3Value memory c
    ) internal pure returns (IRouter.Call3Value[] memory list) {
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
