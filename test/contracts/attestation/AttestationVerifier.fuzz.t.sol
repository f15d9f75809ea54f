// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationVerifier} from "../../../contracts/interfaces/IAttestationVerifier.sol";
import {OracleExecution} from "../../../contracts/libraries/OracleExecution.sol";
import {AttestationTest} from "../support/AttestationTest.sol";

contract AttestationVerifierFuzzTest is AttestationTest {
    function testFuzz_HashExecution_WhenComputedWordByWord_IsTheSame(
        OracleExecution.Execution calldata order
    ) public view {
        eq(verifier.hashExecution(order), digestOf(order), "digest");
    }

    function testFuzz_Verify_WhenAnythingElseWasSigned_Reverts(
        OracleExecution.Execution memory order,
        OracleExecution.Execution memory other
    ) public view {
        vm.assume(digestOf(order) != digestOf(other));
        eq(passes(order, signedByTwo(order)), true, "what was signed");
        eq(passes(other, signedByTwo(order)), false, "something else");
        eq(passes(order, both(signed(order, keys[0]), signed(other, keys[1]))), false, "one of something else");
    }

    function testFuzz_Verify_WhenOneBitOfASignatureDiffers_Reverts(
        bytes32 key,
        uint256 which,
        uint256 bit
    ) public view {
        OracleExecution.Execution memory order = execution(key, 1);
        IAttestationVerifier.OracleSignature[] memory two = signedByTwo(order);
        bytes memory signature = two[which % 2].signature;
        bit = within(bit, 0, 8 * signature.length - 1);
        signature[bit / 8] ^= bytes1(uint8(1 << (bit % 8)));
        eq(passes(order, two), false, "changed");
    }

    function testFuzz_Verify_WhenSignersAreGarbage_Reverts(
        IAttestationVerifier.OracleSignature[] calldata garbage
    ) public view {
        eq(passes(execution(0, 1), garbage), false, "garbage");
    }

    function testFuzz_Verify_WhenAnyTwoSign_PassesOnlyForOracles(uint256 first, uint256 second) public view {
        (uint256 one, uint256 two) = (within(first, 1, CURVE_ORDER - 1), within(second, 1, CURVE_ORDER - 1));
        vm.assume(one != two && !verifier.isSigner(vm.addr(one)));
        OracleExecution.Execution memory order = execution(0, 1);
        IAttestationVerifier.OracleSignature[] memory list = both(signed(order, one), signed(order, two));
        if (list[1].signer < list[0].signer) (list[0], list[1]) = (list[1], list[0]);
        eq(passes(order, list), false, "strangers");
    }

    function passes(
        OracleExecution.Execution memory order,
        IAttestationVerifier.OracleSignature[] memory signatures
    ) private view returns (bool) {
        try verifier.verify(order, signatures) returns (bytes32) {
            return true;
        } catch {
            return false;
        }
    }
}
