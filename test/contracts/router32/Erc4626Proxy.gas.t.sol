// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Erc4626ProxyGasTest} from "../proxies/Erc4626Proxy.gas.t.sol";

/// @dev Runs the same measurements with the 3.2 router.
/// hardhat-config: isolate = true
contract Erc4626ProxyGasOn32Test is Erc4626ProxyGasTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
