// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Addresses that a program stores once and references elsewhere
contract PushExecutorReferencesTest is ExecutorTest {
    using Programs for Programs.Draft;

    /// @dev Byte positions in a program that has a recipient reference, one declared token and a one-byte amount in
    /// its check.
    uint256 internal constant TOKEN = 12 + 1;
    uint256 internal constant CHECK = 12 + 21 + 1;

    function setUp() public override {
        super.setUp();
        dollar.mint(address(executor), 100);
    }

    function test_Execute_WhenRecipientStandsInTheCallData_PaysThem() public {
        bytes memory program = referring(CHECK);
        execute(program);
        assertEq(vault.balanceOf(USER), 60, "shares");
        assertEq(dollar.balanceOf(USER), 40, "remainder");
        restsEmpty(dollar, address(vault));
    }

    function test_Execute_WhenTheAddressesFollow_CostsMoreAndDoesTheSame() public {
        Programs.Draft memory draft = deposit(Programs.plainReference(address(vault)));
        bytes memory program = draft.packed(USER);
        assertEq(program.length, referring(CHECK).length + 40, "length");
        execute(program);
        assertEq(vault.balanceOf(USER), 60, "shares");
    }

    function test_PullAndExecute_WhenAddressesAreReferences_CountsFromTheProgram() public {
        dollar.mint(address(this), 100);
        dollar.approve(address(puller), 100);
        pullAndExecute(dollar, referring(CHECK));
        assertEq(vault.balanceOf(USER), 120, "shares");
    }

    function test_Execute_WhenProgramFallsBack_ReadsReferencesInItsSteps() public {
        Programs.Draft memory draft = deposit(Programs.referenceTo(CHECK + 28));
        bytes memory fallbackData = abi.encodePacked(STRANGER, uint32(200_000), uint32(100_000));
        uint256 length = 12 + 28 + draft.tokens.length + draft.minimums.length + draft.checks.length;
        bytes memory recipient = Programs.referenceTo(length + draft.steps.length - 20);
        execute(
            abi.encodePacked(
                draft.headerFor(1, Programs.NO_DEADLINE, recipient),
                fallbackData,
                draft.tokens,
                draft.minimums,
                draft.checks,
                draft.steps
            )
        );
        assertEq(vault.balanceOf(USER), 60, "shares");
    }

    function test_Execute_WhenRecipientEndsAfterTheProgram_Reverts() public {
        uint256 length = referring(CHECK).length;
        Programs.Draft memory draft = deposit(Programs.referenceTo(CHECK));
        refuses(draft.packedFor(Programs.referenceTo(length - 19)), truncated(length, length + 1));
        refuses(draft.packedFor(Programs.referenceTo(0xffff)), truncated(length, 0xffff + 20));
    }

    function test_Execute_WhenTargetEndsAfterTheProgram_Reverts() public {
        uint256 length = referring(CHECK).length;
        refuses(referring(length - 19), truncated(length, length + 1));
        refuses(referring(0xffff), truncated(length, 0xffff + 20));
    }

    function test_Execute_WhenTargetIsTheDeclaredToken_Reverts() public {
        refuses(referring(TOKEN), abi.encodeWithSelector(IPushExecutor.TargetDenied.selector, 0, address(dollar)));
    }

    function test_Execute_WhenRecipientIsTheDeclaredToken_Reverts() public {
        Programs.Draft memory draft = deposit(Programs.referenceTo(CHECK));
        refuses(
            draft.packedFor(Programs.referenceTo(TOKEN)),
            abi.encodeWithSelector(IPushExecutor.RecipientDenied.selector, address(dollar))
        );
    }

    /// @dev Adds a deposit of sixty percent, with a reference to its target.
    function deposit(bytes memory target) internal view returns (Programs.Draft memory) {
        Programs.Draft memory draft = dollars().check(address(vault), 60);
        return draft.stepAt(target, Programs.draw(1, 0, 6_000), 1, Programs.patch(0, 4, 32), depositData());
    }

    /// @dev Equivalent to a program with its recipient at the end of its call data.
    function referring(uint256 target) internal view returns (bytes memory) {
        Programs.Draft memory draft = deposit(Programs.referenceTo(target));
        uint256 length = 12 + draft.tokens.length + draft.minimums.length + draft.checks.length + draft.steps.length;
        return draft.packedFor(Programs.referenceTo(length - 20));
    }

    function truncated(uint256 length, uint256 needed) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.ProgramTruncated.selector, length, needed);
    }
}
