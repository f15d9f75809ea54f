// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PushExecutorTest} from "../executor/PushExecutor.t.sol";

/// @dev Runs the same tests with the 3.2 router.
contract PushExecutorOn32Test is PushExecutorTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
