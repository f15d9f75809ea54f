// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationVerifier} from "../../../contracts/interfaces/IAttestationVerifier.sol";
import {OracleExecution} from "../../../contracts/libraries/OracleExecution.sol";
import {AttestationTest} from "../support/AttestationTest.sol";

/// @title Gas cost of an execution check for the calling contract
contract AttestationVerifierGasTest is AttestationTest {
    string internal constant GROUP = "AttestationVerifier";

    function test_Verify_WhenTwoHaveSignedOneAction_Gas() public {
        OracleExecution.Execution memory order = execution(keccak256("order"), 1);
        verifier.verify(order, signedByTwo(order));
        vm.snapshotGasLastCall(GROUP, "verify, two keys, one action");
    }

    function test_Verify_WhenThreeHaveSignedFourActions_Gas() public {
        OracleExecution.Execution memory order = execution(keccak256("order"), 4);
        IAttestationVerifier.OracleSignature[] memory all = new IAttestationVerifier.OracleSignature[](3);
        for (uint256 i = 0; i < 3; ++i) {
            all[i] = signed(order, keys[i]);
        }
        verifier.verify(order, all);
        vm.snapshotGasLastCall(GROUP, "verify, three keys, four actions");
    }
}
