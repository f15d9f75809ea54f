// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {HubHandler} from "../support/HubHandler.sol";
import {Test} from "../support/Test.sol";

/// @dev To run this file alone, pass the handler's file too, because the runner knows only the contracts in the given
/// files.
contract LocalHubInvariantTest is Test {
    HubHandler internal handler;

    function setUp() public {
        handler = new HubHandler();
    }

    /// @dev Limits the invariant runner to the handler.
    function targetContracts() external view returns (address[] memory) {
        return addresses(address(handler));
    }

    function invariant_Balances_AreWhatWasMintedAndNotBurned() public view {
        assertEq(handler.supply(), handler.minted() - handler.burned(), "sum of balances");
    }

    function invariant_Executions_AreSignedAndRunOnce() public view {
        assertFalse(handler.isBroken(), "unsigned or repeated");
    }

    /// @dev Proves that the handler's actions have effects.
    function test_Handler_WhenOraclesSigned_MintsMovesAndBurns() public {
        handler.submit(1, 0, 0, 0, 10, 0);
        assertEq(handler.minted(), 0, "unsigned");
        handler.submit(1, 0, 0, 0, 10, 1);
        handler.submit(2, 3, 0, 1, 5, 1);
        handler.submit(3, 2, 0, 1, 4, 1);
        handler.submit(4, 1, 1, 0, 9, 1);
        handler.submit(4, 0, 1, 0, 9, 1);
        assertEq(handler.minted(), 15, "minted");
        assertEq(handler.burned(), 9, "burned");
        assertEq(handler.moves(), 1, "moves");
        assertEq(handler.supply(), 6, "supply");
    }
}
