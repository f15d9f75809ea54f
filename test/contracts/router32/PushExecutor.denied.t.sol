// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PushExecutorDeniedTest} from "../executor/PushExecutor.denied.t.sol";

/// @dev The same tests with the 3.2 router.
contract PushExecutorDeniedOn32Test is PushExecutorDeniedTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
