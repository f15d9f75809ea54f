// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FillTest} from "../Fill.t.sol";

/// @dev Runs the same tests with the 3.2 router.
contract FillOn32Test is FillTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
