// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationVerifier} from "../../../contracts/interfaces/IAttestationVerifier.sol";
import {OracleExecution} from "../../../contracts/libraries/OracleExecution.sol";
import {HubTest} from "../support/HubTest.sol";

contract LocalHubFuzzTest is HubTest {
    function testFuzz_Execute_WhenTooFewOraclesSigned_MintsNothing(
        bytes32 key,
        uint256 amount,
        uint256 oracle,
        uint256 strangerKey,
        IAttestationVerifier.OracleSignature[] calldata garbage
    ) public {
        OracleExecution.Execution memory order = one(key, mint(ALICE, TOKEN, amount));
        strangerKey = bound(strangerKey, 1, CURVE_ORDER - 1);
        vm.assume(!verifier.isSigner(vm.addr(strangerKey)));
        assertFalse(passes(order, garbage), "garbage");
        IAttestationVerifier.OracleSignature memory ours = signed(order, keys[oracle % 3]);
        IAttestationVerifier.OracleSignature memory theirs = signed(order, strangerKey);
        assertFalse(passes(order, both(ours, ours)), "one oracle twice");
        assertFalse(passes(order, both(ours, theirs)), "a stranger");
        assertFalse(passes(order, both(theirs, ours)), "a stranger first");
        assertEq(hub.balanceOf(ALICE, TOKEN), 0, "balance");
    }

    function testFuzz_Execute_WhenRepeated_MintsOnce(bytes32 key, uint128 amount, uint128 other, bool isSame) public {
        OracleExecution.Execution memory order = one(key, mint(ALICE, TOKEN, amount));
        execute(order);
        if (!isSame) order.actions[0] = mint(ALICE, TOKEN, other);
        assertFalse(passes(order, signedByTwo(order)), "again");
        assertFalse(passes(order, both(signed(order, keys[1]), signed(order, keys[2]))), "by others");
        assertEq(hub.balanceOf(ALICE, TOKEN), amount, "balance");
    }

    function testFuzz_Execute_WhenBalanceIsTooSmall_Reverts(uint256 held, uint256 taken, bool isBurn) public {
        held = bound(held, 0, type(uint256).max - 1);
        taken = bound(taken, held + 1, type(uint256).max);
        give(ALICE, TOKEN, held);
        bytes memory action = isBurn ? burn(ALICE, TOKEN, taken) : move(ALICE, BOB, TOKEN, taken);
        OracleExecution.Execution memory order = one(keccak256("taken"), action);
        assertFalse(passes(order, signedByTwo(order)), "more than held");
        assertEq(hub.balanceOf(ALICE, TOKEN), held, "from");
        assertEq(hub.balanceOf(BOB, TOKEN), 0, "to");
    }

    function testFuzz_Execute_WhenActionIsGarbage_ChangesNoBalance(bytes calldata action) public {
        vm.assume(action.length != 128 && action.length != 160);
        OracleExecution.Execution memory order = one(keccak256("garbage"), action);
        assertFalse(passes(order, signedByTwo(order)), "garbage");
    }

    function passes(OracleExecution.Execution memory order, IAttestationVerifier.OracleSignature[] memory signatures)
        private
        returns (bool)
    {
        try hub.execute(order, signatures) {
            return true;
        } catch {
            return false;
        }
    }
}
