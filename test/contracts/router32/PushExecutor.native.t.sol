// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PushExecutorNativeTest} from "../executor/PushExecutor.native.t.sol";

/// @dev Runs the same tests with the 3.2 router.
contract PushExecutorNativeOn32Test is PushExecutorNativeTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
