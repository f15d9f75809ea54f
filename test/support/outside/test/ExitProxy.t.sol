// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {LocalDollar} from "@crosscall/contracts/localnet/tokens/LocalDollar.sol";
import {FillTest} from "@crosscall/contracts/testing/FillTest.sol";
import {NativeGuards} from "@crosscall/contracts/testing/NativeGuards.sol";
import {ProxyGuards} from "@crosscall/contracts/testing/ProxyGuards.sol";
import {WrappedNativeProxy} from "@crosscall/contracts/proxies/WrappedNativeProxy.sol";
import {IWrappedNative} from "@crosscall/contracts/interfaces/IWrappedNative.sol";
import {ExitDesk} from "../src/ExitDesk.sol";
import {ExitProxy} from "../src/ExitProxy.sol";

contract ExitProxyTest is Test, ProxyGuards, NativeGuards, FillTest {
    IWrappedNative internal constant WRAPPED = IWrappedNative(0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2);

    LocalDollar internal dollar;

    function setUp() public {
        dollar = new LocalDollar();
        ExitDesk desk = new ExitDesk(dollar);
        vm.deal(address(desk), type(uint128).max);
        proxy = new ExitProxy(desk);
        nativeProxy = new WrappedNativeProxy(WRAPPED);
    }

    function test_Deal_WhenCalled_IsTheOneOfForgeStd() public {
        deal(USER, 1);
        assertEq(outputOf(USER), 1, "user");
    }

    function test_Fill_WhenDelivered_PaysTheUser() public {
        fill(planExecute(address(dollar), address(proxy), USER, 1, 1, block.timestamp), address(dollar), 5, USER);
        assertDelivered(address(0), USER, 5);
        assertNothingLeftBehind(address(proxy));
    }

    function test_Fill_WhenPlanIsRead_Wraps() public {
        assertEq(parseTxs("{}").length, 0, "calls");
        fill(planExecuteNative(address(nativeProxy), USER, 1, 1, block.timestamp), address(0), 5, USER);
        assertDelivered(address(WRAPPED), USER, 5);
    }

    function deliver(address to, uint256 amount) internal override {
        dollar.mint(to, amount);
    }

    function outputOf(address account) internal view override returns (uint256) {
        return account.balance;
    }

    function nativeOutputOf(address account) internal view override returns (uint256) {
        return WRAPPED.balanceOf(account);
    }
}
