// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC6909} from "@openzeppelin/contracts/token/ERC6909/ERC6909.sol";
import {IAttestationVerifier} from "../../../contracts/interfaces/IAttestationVerifier.sol";
import {OracleExecution} from "../../../contracts/libraries/OracleExecution.sol";
import {HubLedger} from "../../../contracts/localnet/hub/HubLedger.sol";
import {HubTest} from "../support/HubTest.sol";

contract LocalHubLedgerTest is HubTest {
    bytes32 internal constant KEY = keccak256("execution");

    function test_Hub_IsItself() public view {
        assertEq(hub.HUB(), address(hub), "ledger");
        assertEq(address(hub.verifier()), address(verifier), "verifier");
        assertEq(hub.HUB_CHAIN_ID(), DOMAIN_CHAIN_ID, "chain id");
    }

    function test_Execute_WhenOraclesSignedAMint_Credits() public {
        vm.expectEmit(address(hub));
        emit HubLedger.Executed(KEY);
        execute(one(KEY, mint(ALICE, TOKEN, 5)));
        assertEq(hub.balanceOf(ALICE, TOKEN), 5, "balance");
        assertTrue(hub.executed(KEY), "executed");
    }

    function test_Execute_WhenOraclesSignedAFastMint_CreditsInFull() public {
        execute(one(KEY, fastMint(ALICE, TOKEN, 5, address(0))));
        assertEq(hub.balanceOf(ALICE, TOKEN), 5, "balance");
    }

    function test_Execute_WhenAFastMintHasAFee_Reverts() public {
        OracleExecution.Execution memory order = one(KEY, fastMint(ALICE, TOKEN, 5, BOB));
        vm.expectRevert(abi.encodeWithSelector(HubLedger.FeeNotSupported.selector, BOB));
        hub.execute(order, signedByTwo(order));
    }

    function test_Execute_WhenActionsDependOnEachOther_RunsThemInOrder() public {
        execute(two(KEY, mint(ALICE, TOKEN, 5), move(ALICE, BOB, TOKEN, 3)));
        assertEq(hub.balanceOf(ALICE, TOKEN), 2, "from");
        assertEq(hub.balanceOf(BOB, TOKEN), 3, "to");
        execute(one(keccak256("next"), burn(BOB, TOKEN, 3)));
        assertEq(hub.balanceOf(BOB, TOKEN), 0, "burned");
    }

    function test_Execute_WhenAnActionFails_ChangesNothing() public {
        OracleExecution.Execution memory order = two(KEY, mint(ALICE, TOKEN, 5), burn(BOB, TOKEN, 1));
        vm.expectRevert(abi.encodeWithSelector(ERC6909.ERC6909InsufficientBalance.selector, BOB, 0, 1, TOKEN));
        hub.execute(order, signedByTwo(order));
        assertEq(hub.balanceOf(ALICE, TOKEN), 0, "balance");
        assertFalse(hub.executed(KEY), "executed");
        give(BOB, TOKEN, 1);
        execute(order);
        assertEq(hub.balanceOf(ALICE, TOKEN), 5, "later");
    }

    function test_Execute_WhenExecutedBefore_Reverts() public {
        execute(one(KEY, mint(ALICE, TOKEN, 5)));
        OracleExecution.Execution memory again = one(KEY, mint(ALICE, TOKEN, 5));
        vm.expectRevert(abi.encodeWithSelector(HubLedger.ExecutionRepeated.selector, KEY));
        hub.execute(again, signedByTwo(again));
        OracleExecution.Execution memory other = one(KEY, mint(BOB, TOKEN, 1));
        vm.expectRevert(abi.encodeWithSelector(HubLedger.ExecutionRepeated.selector, KEY));
        hub.execute(other, signedByTwo(other));
    }

    function test_Execute_WhenOneOracleSigned_Reverts() public {
        OracleExecution.Execution memory order = one(KEY, mint(ALICE, TOKEN, 5));
        IAttestationVerifier.OracleSignature[] memory list = new IAttestationVerifier.OracleSignature[](1);
        list[0] = signed(order, keys[0]);
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.TooFewSignatures.selector, 1, THRESHOLD));
        hub.execute(order, list);
    }

    function test_Execute_WhenAnActionIsMalformed_Reverts() public {
        bytes[8] memory malformed = [
            bytes(""),
            hex"00",
            abi.encode(uint256(4), ALICE, TOKEN, 5),
            abi.encode(uint256(256), ALICE, TOKEN, 5),
            abi.encodePacked(mint(ALICE, TOKEN, 5), bytes1(0)),
            abi.encode(uint8(1), ALICE, BOB, TOKEN, 5),
            abi.encode(uint8(2), ALICE, TOKEN, 5),
            abi.encodePacked(fastMint(ALICE, TOKEN, 5, address(0)), bytes32(0))
        ];
        for (uint256 i = 0; i < malformed.length; ++i) {
            OracleExecution.Execution memory order = one(KEY, malformed[i]);
            vm.expectRevert(abi.encodeWithSelector(HubLedger.ActionMalformed.selector, malformed[i]));
            hub.execute(order, signedByTwo(order));
        }
    }

    function test_Execute_WhenAnAccountIsZero_Reverts() public {
        OracleExecution.Execution memory order = one(KEY, mint(address(0), TOKEN, 5));
        vm.expectRevert(abi.encodeWithSelector(ERC6909.ERC6909InvalidReceiver.selector, address(0)));
        hub.execute(order, signedByTwo(order));
    }

    function test_Transfer_WhenHolderIsAnAccount_Moves() public {
        give(ALICE, TOKEN, 5);
        vm.prank(ALICE);
        hub.transfer(BOB, TOKEN, 2);
        assertEq(hub.balanceOf(BOB, TOKEN), 2, "to");
        vm.expectRevert(abi.encodeWithSelector(ERC6909.ERC6909InsufficientBalance.selector, BOB, 2, 3, TOKEN));
        vm.prank(BOB);
        hub.transfer(ALICE, TOKEN, 3);
    }
}
