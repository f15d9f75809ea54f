// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PushExecutorGasTest} from "../executor/PushExecutor.gas.t.sol";

/// @dev Runs the same measurements with the 3.2 router.
/// hardhat-config: isolate = true
contract PushExecutorGasOn32Test is PushExecutorGasTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
