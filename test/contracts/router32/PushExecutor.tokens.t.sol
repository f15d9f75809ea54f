// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PushExecutorTokensTest} from "../executor/PushExecutor.tokens.t.sol";

/// @dev The same tests with the 3.2 router.
contract PushExecutorTokensOn32Test is PushExecutorTokensTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
