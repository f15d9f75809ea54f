// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {Erc4626ProxyHostileTest} from "../proxies/Erc4626Proxy.hostile.t.sol";

/// @dev Runs the same tests with the 3.2 router.
contract Erc4626ProxyHostileOn32Test is Erc4626ProxyHostileTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }

    function test_Execute_WhenVaultEntersTheRouterAfterItsSelfCall_FindsNothingOfTheFill() public override {
        fund(100);
        vault.arm(address(router), cleanupErc20sData(address(dollar), STRANGER, 0));
        IRouter.Call3Value[] memory calls = steps(
            step(address(dollar), approveData(address(proxy), MAX)),
            step(address(router), abi.encodeCall(IRouter.cleanupNative, (0, USER, ""))),
            step(address(proxy), executeData(100, 100))
        );
        vm.expectRevert(busyError(address(vault), address(this)));
        router.multicall(calls, address(0), address(0), "");
    }
}
