// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {IWrappedNative} from "../../../contracts/interfaces/IWrappedNative.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {Erc4626Proxy} from "../../../contracts/proxies/Erc4626Proxy.sol";
import {RouterCalls} from "../support/RouterCalls.sol";

/// @title Gas of a deposit through the router, as a separate transaction
/// hardhat-config: isolate = true
contract Erc4626ProxyGasTest is RouterCalls {
    string internal constant GROUP = "Erc4626Proxy";
    address internal constant SOLVER = address(0x501e);
    address internal constant USER = address(0xa11ce);
    uint256 internal constant MAX = type(uint256).max;

    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    LocalVault internal vault = LocalVault(deployCode("LocalVault", abi.encode(dollar, "Vault", "VLT")));
    Erc4626Proxy internal proxy =
        Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(vault, IWrappedNative(address(0)))));

    function test_Execute_WhenNothingIsLeftAtTheProxy_Gas() public {
        fill(measured("execute", "first use"), USER);
        fill(measured("execute", "second use"), USER);
    }

    function test_Execute_WhenOneUnitIsLeftAtTheProxy_Gas() public {
        dollar.mint(address(proxy), 1);
        fill(measured("execute", "unit left at the proxy, first use"), USER);
        fill(measured("execute", "unit left at the proxy, second use"), USER);
        fill(measured("execute", "unit left at the proxy, second use, new recipient"), address(0xb0b));
    }

    /// @dev Measures the whole fill, except the delivery of the tokens.
    function fill(string memory name, address recipient) internal {
        dollar.mint(address(router), 1_000e6);
        bytes memory executeData =
            abi.encodeCall(IDestinationProxy.execute, (recipient, 1_000e6, 1_000e6, block.timestamp));
        IRouter.Call3Value[] memory calls =
            steps(step(address(dollar), approveData(address(proxy), MAX)), step(address(proxy), executeData));
        vm.prank(SOLVER);
        router.multicall(calls, USER, address(0), "");
        vm.snapshotGasLastCall(GROUP, name);
    }
}
