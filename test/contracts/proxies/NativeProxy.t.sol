// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {INativeProxy} from "../../../contracts/interfaces/INativeProxy.sol";
import {IWrappedNative} from "../../../contracts/interfaces/IWrappedNative.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {HostileVault} from "../../../contracts/mocks/HostileVault.sol";
import {HostileWrappedNative} from "../../../contracts/mocks/HostileWrappedNative.sol";
import {Erc4626Proxy} from "../../../contracts/proxies/Erc4626Proxy.sol";
import {NativeGuards} from "../../../contracts/testing/NativeGuards.sol";
import {Test} from "../support/Test.sol";

/// @dev Uses a vault proxy, which inherits its handling of native currency from the base contract unchanged.
contract NativeProxyTest is Test, NativeGuards {
    HostileWrappedNative internal wrapped = HostileWrappedNative(deployCode("HostileWrappedNative"));
    IERC4626 internal vault = LocalVault(deployCode("LocalVault", abi.encode(wrapped, "Vault", "VLT")));

    function setUp() public {
        vm.warp(1_000);
        nativeProxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(vault, wrapped)));
    }

    function test_ExecuteNative_WhenProxyHasNoNativeSide_Reverts() public {
        nativeProxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(vault, IWrappedNative(address(0)))));
        vm.expectRevert(abi.encodeWithSelector(INativeProxy.NativeNotTaken.selector, wrapped, 0));
        pay(1, PAYEE, 0, 0);
    }

    function test_ExecuteNative_WhenVaultTakesAPart_SweepsTheRestWrapped() public {
        HostileVault hostile = HostileVault(deployCode("HostileVault", abi.encode(wrapped)));
        hostile.take(6_000);
        nativeProxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(hostile, wrapped)));
        (uint256 amountIn, uint256 amountOut) = pay(100, PAYEE, 100, 60);
        assertEq(amountIn, 100, "amount in");
        assertEq(amountOut, 60, "amount out");
        assertEq(wrapped.balanceOf(PAYEE), 40, "swept");
        assertEq(wrapped.balanceOf(address(nativeProxy)), 0, "proxy's wrapped native");
    }

    function test_ExecuteNative_WhenWrappedNativeMintsLessThanMinimum_Reverts() public {
        wrapped.give(9_000, 10_000);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 90, 91));
        pay(100, PAYEE, 91, 0);
    }

    function test_ExecuteNative_WhenWrappedNativeReenters_Reverts() public {
        wrapped.arm(address(nativeProxy), abi.encodeCall(IDestinationProxy.execute, (PAYEE, 0, 0, 1_000)));
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        pay(100, PAYEE, 0, 0);
    }

    function test_Receive_WhenNativeIsSent_Reverts() public {
        vm.deal(PAYER, 1);
        vm.prank(PAYER);
        (bool success, bytes memory returnData) = address(nativeProxy).call{value: 1}("");
        assertFalse(success, "success");
        assertEq(returnData, "", "return data");
    }

    function nativeOutputOf(address account) internal view override returns (uint256) {
        return vault.balanceOf(account);
    }
}
