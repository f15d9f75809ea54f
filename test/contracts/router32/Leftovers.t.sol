// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LeftoversTest} from "../Leftovers.t.sol";

/// @dev Runs the same tests with the 3.2 router.
contract LeftoversOn32Test is LeftoversTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
