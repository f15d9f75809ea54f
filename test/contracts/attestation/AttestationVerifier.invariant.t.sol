// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AttestationHandler} from "../support/AttestationHandler.sol";
import {Test} from "../support/Test.sol";

/// @dev To run this file alone, pass the handler's file too, because the runner knows only the contracts in the given
/// files.
contract AttestationVerifierInvariantTest is Test {
    AttestationHandler internal handler;

    function setUp() public {
        handler = new AttestationHandler();
    }

    /// @dev Limits the invariant runner to the handler.
    function targetContracts() external view returns (address[] memory) {
        return addresses(address(handler));
    }

    function invariant_Verifier_RejectsBelowThreshold() public view {
        for (uint256 order = 0; order < 4; ++order) {
            if (handler.passed(order) == 0) continue;
            assertGe(handler.support(order), handler.exposed().threshold(), "enough have signed");
        }
    }

    function invariant_Verifier_KeepsItsSigners() public view {
        assertEq(handler.exposed().threshold(), 2, "threshold");
        assertEq(handler.exposed().signers().length, 3, "signers");
    }

    /// @dev Proves that the handler's actions have effects: the signatures of two oracles pass, and the signature of
    /// one does not.
    function test_Handler_WhenTwoHaveSigned_Passes() public {
        handler.sign(1, 0);
        handler.submit(1, [uint256(4), 6, 0], false, true);
        assertEq(handler.passed(1), 0, "one");
        handler.sign(1, 2);
        handler.submit(1, [uint256(6), 4, 0], false, true);
        assertEq(handler.passed(1), 1, "two");
        handler.sign(1, 3);
        handler.submit(1, [uint256(4), 7, 0], false, true);
        assertEq(handler.passed(1), 1, "a stranger");
    }
}
