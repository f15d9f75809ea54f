// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {Routers} from "../../../contracts/testing/Routers.sol";
import {FillTestTest} from "../testing/FillTest.t.sol";

/// @dev Runs the same tests with the 3.0 router.
contract FillTestOn30Test is FillTestTest {
    function emitCallEvent(address to, bytes memory data, uint256 amount) internal override {
        emit IRouter.SolverCallExecuted(to, data, amount);
    }

    function liveRouter() internal pure override returns (address) {
        return Routers.V3_0;
    }

    function routerName() internal pure override returns (string memory) {
        return "LocalRouter";
    }
}
