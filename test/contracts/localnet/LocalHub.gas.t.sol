// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OracleExecution} from "../../../contracts/libraries/OracleExecution.sol";
import {HubTest} from "../support/HubTest.sol";

/// @title Gas cost of executions on the local hub for the calling contract
contract LocalHubGasTest is HubTest {
    string internal constant GROUP = "LocalHub";

    function test_Execute_WhenADepositIsMinted_Gas() public {
        OracleExecution.Execution memory order = one(keccak256("mint"), mint(ALICE, TOKEN, 5));
        hub.execute(order, signedByTwo(order));
        vm.snapshotGasLastCall(GROUP, "execute, two keys, one mint");
    }

    function test_Execute_WhenAnOrderIsSettled_Gas() public {
        give(ALICE, TOKEN, 5);
        OracleExecution.Execution memory order =
            two(keccak256("settle"), move(ALICE, BOB, TOKEN, 5), move(BOB, address(0xfee), TOKEN, 1));
        hub.execute(order, signedByTwo(order));
        vm.snapshotGasLastCall(GROUP, "execute, two keys, two transfers");
    }
}
