// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FillRunnerTest} from "../replay/FillRunner.t.sol";

/// @dev Runs the same tests with the 3.2 router.
contract FillRunnerOn32Test is FillRunnerTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
