// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Call data patches
contract PushExecutorPatchesTest is ExecutorTest {
    using Programs for Programs.Draft;

    uint256 internal constant LENGTH = 100;

    function test_Patch_WhenOffsetIsInTheSelector_Reverts() public {
        for (uint16 offset = 0; offset < 4; ++offset) {
            refusesPatch(offset, 32, outOfBounds(offset, 32));
        }
    }

    function test_Patch_WhenOffsetIsTheFirstArgument_Writes() public {
        writes(4, 32, 77);
    }

    function test_Patch_WhenWordEndsWithTheCallData_Writes() public {
        writes(uint16(LENGTH - 32), 32, 77);
    }

    function test_Patch_WhenWordEndsOneAfterTheCallData_Reverts() public {
        refusesPatch(uint16(LENGTH - 31), 32, outOfBounds(LENGTH - 31, 32));
    }

    function test_Patch_WhenOffsetIsTheEnd_Reverts() public {
        refusesPatch(uint16(LENGTH), 16, outOfBounds(LENGTH, 16));
    }

    function test_Patch_WhenOffsetIs65535_Reverts() public {
        refusesPatch(65_535, 32, outOfBounds(65_535, 32));
    }

    function test_Patch_WhenCallDataIsShorterThanTheWidth_Reverts() public {
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(0, 0, 10_000), 1, Programs.patch(0, 4, 16), new bytes(19));
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.PatchOutOfBounds.selector, 0, 4, 16, 19));
    }

    function test_Patch_WhenFieldIsNarrow_Writes() public {
        writes(5, 16, type(uint128).max);
        writes(84, 16, 77);
        writes(7, 20, type(uint160).max);
        writes(80, 20, 77);
    }

    function test_Patch_WhenAmountIsAboveUint128_Reverts() public {
        uint256 amount = uint256(type(uint128).max) + 1;
        dollar.mint(address(executor), amount);
        refusesPatch(4, 16, abi.encodeWithSelector(IPushExecutor.AmountTooWide.selector, 0, amount, 16));
    }

    function test_Patch_WhenAmountIsAboveUint160_Reverts() public {
        uint256 amount = uint256(type(uint160).max) + 1;
        dollar.mint(address(executor), amount);
        refusesPatch(4, 20, abi.encodeWithSelector(IPushExecutor.AmountTooWide.selector, 0, amount, 20));
    }

    function test_Patch_WhenAmountIsTheGreatest_WritesIt() public {
        writes(4, 32, MAX);
    }

    function test_Patch_WhenPlaceholderIsZero_Reverts() public {
        refusesOver(32, 0, 0);
    }

    function test_Patch_WhenPlaceholderIsDirtyAbove_Reverts() public {
        uint256 dirty = Programs.sentinel() | (1 << 255);
        refusesOver(32, dirty, dirty);
    }

    function test_Patch_WhenPlaceholderIsDirtyBelow_Reverts() public {
        uint256 dirty = Programs.sentinel() ^ 1;
        refusesOver(32, dirty, dirty);
    }

    function test_Patch_WhenNarrowPlaceholderIsDirty_ReportsOnlyItsBytes() public {
        uint256 dirty = Programs.sentinel() | (uint256(1) << 127);
        refusesOver(16, (dirty << 128) | 5, dirty);
    }

    function test_Patch_WhenTwoWriteTheSamePlace_Reverts() public {
        dollar.mint(address(executor), 77);
        Programs.Draft memory draft = dollars();
        bytes memory patches = bytes.concat(Programs.patch(0, 4, 32), Programs.patch(0, 4, 32));
        draft.step(address(target), Programs.draw(0, 0, 10_000), 1, patches, recordData());
        refuses(draft.packed(USER), sentinelMissing(4, 77));
    }

    function test_Patch_WhenTwoWriteOneDraw_WritesBoth() public {
        dollar.mint(address(executor), 77);
        Programs.Draft memory draft = dollars();
        bytes memory patches = bytes.concat(Programs.patch(0, 4, 32), Programs.patch(0, 36, 32));
        bytes memory data = bytes.concat(recordData(), bytes32(Programs.sentinel()));
        draft.step(address(target), Programs.draw(0, 0, 10_000), 1, patches, data);
        vm.expectCall(address(target), bytes.concat(target.record.selector, abi.encode(77, 77)));
        execute(draft.packed(USER));
    }

    function test_Patch_WhenWidthIsNeither16Nor20Nor32_Reverts() public {
        uint8[6] memory widths = [uint8(0), 8, 17, 31, 33, 255];
        for (uint256 i = 0; i < widths.length; ++i) {
            refusesPatch(4, widths[i], invalidPatch(0));
        }
    }

    function test_Patch_WhenThereIsNoSuchDraw_Reverts() public {
        Programs.Draft memory draft = dollars();
        bytes memory patches = bytes.concat(Programs.patch(0, 4, 32), Programs.patch(1, 4, 32));
        draft.step(address(target), Programs.draw(0, 0, 10_000), 1, patches, recordData());
        refuses(draft.packed(USER), invalidPatch(1));
    }

    function test_Patch_WhenCallDataIsTheLongest_Writes() public {
        dollar.mint(address(executor), 77);
        bytes memory data = bytes.concat(target.record.selector, new bytes(65_531));
        place(data, 65_503, 32, Programs.sentinel());
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(0, 0, 10_000), 1, Programs.patch(0, 65_503, 32), data);
        place(data, 65_503, 32, 77);
        vm.expectCall(address(target), data);
        execute(draft.packed(USER));
    }

    function test_Execute_WhenCallDataIsEmpty_Calls() public {
        Programs.Draft memory draft;
        draft.plain(address(target), "");
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.StepFailed.selector, 0, address(target), ""));
    }

    function testFuzz_Patch_AnyOffsetAndWidth_WritesTheFieldAndNothingElse(
        uint16 offset,
        uint8 kind,
        uint256 amount,
        bytes32 seed
    ) public {
        uint8 width = [uint8(16), 20, 32][kind % 3];
        offset = uint16(bound(offset, 4, LENGTH - width));
        amount = bound(amount, 0, MAX >> (256 - 8 * uint256(width)));
        bytes memory data = noise(seed);
        place(data, offset, width, Programs.sentinel());
        dollar.mint(address(executor), amount);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(0, 0, 10_000), 1, Programs.patch(0, offset, width), data);
        place(data, offset, width, amount);
        vm.expectCall(address(target), data);
        execute(draft.packed(USER));
    }

    function testFuzz_Patch_AnyPlaceholder_RevertsUnlessItIsTheSentinel(uint256 found, uint8 kind) public {
        uint8 width = [uint8(16), 20, 32][kind % 3];
        found = bound(found, 0, MAX >> (256 - 8 * uint256(width)));
        vm.assume(found != Programs.sentinel());
        bytes memory data = noise(bytes32(found));
        place(data, 9, width, found);
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(0, 0, 10_000), 1, Programs.patch(0, 9, width), data);
        refuses(draft.packed(USER), sentinelMissing(9, found));
    }

    /// @dev Applies a patch to random call data, and checks the call that the target receives.
    function writes(uint16 offset, uint8 width, uint256 amount) internal {
        dollar.mint(address(executor), amount);
        bytes memory data = noise("");
        place(data, offset, width, Programs.sentinel());
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(0, 0, 10_000), 1, Programs.patch(0, offset, width), data);
        place(data, offset, width, amount);
        vm.expectCall(address(target), data);
        execute(draft.packed(USER));
    }

    function refusesPatch(uint16 offset, uint8 width, bytes memory revertData) internal {
        bytes memory data = noise("");
        if (offset >= 4 && offset + uint256(width) <= LENGTH) place(data, offset, width, Programs.sentinel());
        Programs.Draft memory draft = dollars();
        draft.step(address(target), Programs.draw(0, 0, 10_000), 1, Programs.patch(0, offset, width), data);
        refuses(draft.packed(USER), revertData);
    }

    function refusesOver(uint8 width, uint256 word, uint256 found) internal {
        Programs.Draft memory draft = dollars();
        bytes memory data = abi.encodeCall(target.record, (word));
        draft.step(address(target), Programs.draw(0, 0, 10_000), 1, Programs.patch(0, 4, width), data);
        refuses(draft.packed(USER), sentinelMissing(4, found));
    }

    /// @dev Returns call data for `record`, followed by random bytes.
    function noise(bytes32 seed) internal view returns (bytes memory data) {
        data = bytes.concat(target.record.selector, keccak256(abi.encode(seed, 1)), keccak256(abi.encode(seed, 2)));
        data = bytes.concat(data, keccak256(abi.encode(seed, 3)));
    }

    /// @dev Writes a field byte by byte.
    function place(bytes memory data, uint256 offset, uint256 width, uint256 field) internal pure {
        for (uint256 i = 0; i < width; ++i) {
            data[offset + i] = bytes1(uint8(field >> (8 * (width - 1 - i))));
        }
    }

    function outOfBounds(uint256 offset, uint256 width) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.PatchOutOfBounds.selector, 0, offset, width, LENGTH);
    }

    function sentinelMissing(uint256 offset, uint256 found) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.SentinelMissing.selector, 0, offset, found);
    }

    function invalidPatch(uint256 patch) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.InvalidPatch.selector, 0, patch);
    }
}
