// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LivePullerTest} from "../executor/LivePuller.t.sol";

/// @dev Runs the same tests with the 3.2 router.
contract LivePullerOn32Test is LivePullerTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
