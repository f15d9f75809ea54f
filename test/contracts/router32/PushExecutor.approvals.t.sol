// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PushExecutorApprovalsTest} from "../executor/PushExecutor.approvals.t.sol";

/// @dev The same tests with the 3.2 router.
contract PushExecutorApprovalsOn32Test is PushExecutorApprovalsTest {
    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }
}
