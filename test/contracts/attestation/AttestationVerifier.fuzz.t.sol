// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestationVerifier} from "../../../contracts/interfaces/IAttestationVerifier.sol";
import {OracleExecution} from "../../../contracts/libraries/OracleExecution.sol";
import {AttestationTest} from "../support/AttestationTest.sol";

contract AttestationVerifierFuzzTest is AttestationTest {
    function testFuzz_HashExecution_WhenComputedWordByWord_IsTheSame(OracleExecution.Execution calldata order)
        public
        view
    {
        assertEq(verifier.hashExecution(order), digestOf(order), "digest");
    }

    function testFuzz_Verify_WhenSignedDataDiffers_Reverts(
        OracleExecution.Execution memory order,
        OracleExecution.Execution memory other
    ) public view {
        vm.assume(digestOf(order) != digestOf(other));
        assertTrue(passes(order, signedByTwo(order)), "what was signed");
        assertFalse(passes(other, signedByTwo(order)), "something else");
        assertFalse(passes(order, both(signed(order, keys[0]), signed(other, keys[1]))), "one of something else");
    }

    function testFuzz_Verify_WhenOneBitOfASignatureDiffers_Reverts(bytes32 key, uint256 which, uint256 bit)
        public
        view
    {
        OracleExecution.Execution memory order = execution(key, 1);
        IAttestationVerifier.OracleSignature[] memory two = signedByTwo(order);
        bytes memory signature = two[which % 2].signature;
        bit = bound(bit, 0, 8 * signature.length - 1);
        signature[bit / 8] ^= bytes1(uint8(1 << (bit % 8)));
        assertFalse(passes(order, two), "changed");
    }

    function testFuzz_Verify_WhenSignersAreGarbage_Reverts(IAttestationVerifier.OracleSignature[] calldata garbage)
        public
        view
    {
        assertFalse(passes(execution(0, 1), garbage), "garbage");
    }

    function testFuzz_Verify_WhenAnyTwoSign_PassesOnlyForOracles(uint256 first, uint256 second) public view {
        (uint256 one, uint256 two) = (bound(first, 1, CURVE_ORDER - 1), bound(second, 1, CURVE_ORDER - 1));
        vm.assume(one != two && !verifier.isSigner(vm.addr(one)));
        OracleExecution.Execution memory order = execution(0, 1);
        IAttestationVerifier.OracleSignature[] memory list = both(signed(order, one), signed(order, two));
        if (list[1].signer < list[0].signer) (list[0], list[1]) = (list[1], list[0]);
        assertFalse(passes(order, list), "strangers");
    }

    function passes(OracleExecution.Execution memory order, IAttestationVerifier.OracleSignature[] memory signatures)
        private
        view
        returns (bool)
    {
        try verifier.verify(order, signatures) returns (bytes32) {
            return true;
        } catch {
            return false;
        }
    }
}
