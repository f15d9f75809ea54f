// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PushExecutorFallbackTest} from "../executor/PushExecutor.fallback.t.sol";

/// @dev The same tests with the 3.2 router.
contract PushExecutorFallbackOn32Test is PushExecutorFallbackTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
