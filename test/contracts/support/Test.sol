// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CHEATS} from "../../../contracts/testing/Cheats.sol";
import {Vm} from "./Vm.sol";

/// @title Base of all tests
/// @dev Functions have the same names as in forge-std, which is not on npm.
abstract contract Test {
    Vm internal constant vm = Vm(address(CHEATS));

    function assertEq(address left, address right, string memory err) internal pure {
        vm.assertEq(left, right, err);
    }

    function assertEq(bool left, bool right, string memory err) internal pure {
        vm.assertEq(left, right, err);
    }

    function assertEq(bytes memory left, bytes memory right, string memory err) internal pure {
        vm.assertEq(left, right, err);
    }

    function assertEq(bytes32 left, bytes32 right, string memory err) internal pure {
        vm.assertEq(left, right, err);
    }

    function assertEq(string memory left, string memory right, string memory err) internal pure {
        vm.assertEq(left, right, err);
    }

    function assertEq(uint256 left, uint256 right, string memory err) internal pure {
        vm.assertEq(left, right, err);
    }

    function assertLe(uint256 left, uint256 right, string memory err) internal pure {
        vm.assertLe(left, right, err);
    }

    function assertLt(uint256 left, uint256 right, string memory err) internal pure {
        vm.assertLt(left, right, err);
    }

    function assertGe(uint256 left, uint256 right, string memory err) internal pure {
        vm.assertGe(left, right, err);
    }

    function assertGt(uint256 left, uint256 right, string memory err) internal pure {
        vm.assertGt(left, right, err);
    }

    function assertTrue(bool condition, string memory err) internal pure {
        vm.assertTrue(condition, err);
    }

    function assertFalse(bool condition, string memory err) internal pure {
        vm.assertFalse(condition, err);
    }

    /// @dev Deploys a contract with its code from the build, because tests are compiled with faster settings.
    function deployCode(string memory contractName) internal returns (address payable created) {
        return deployCode(contractName, "");
    }

    /// @dev Deploys a contract with ABI-encoded constructor arguments. Reverts with the constructor's revert data.
    function deployCode(string memory contractName, bytes memory arguments) internal returns (address payable created) {
        bytes memory code = abi.encodePacked(vm.getCode(contractName), arguments);
        assembly ("memory-safe") {
            created := create(0, add(code, 32), mload(code))
            if iszero(created) {
                let free := mload(0x40)
                returndatacopy(free, 0, returndatasize())
                revert(free, returndatasize())
            }
        }
    }

    /// @dev Returns the number of recorded logs from `emitter` with this first topic, and clears the recorded logs.
    function countLogs(address emitter, bytes32 topic) internal returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == emitter && logs[i].topics[0] == topic) ++count;
        }
    }

    /// @dev Maps a number into a range, including both bounds.
    function bound(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        uint256 size = high - low;
        return size == type(uint256).max ? value : low + (value % (size + 1));
    }

    function addresses(address a) internal pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = a;
    }

    function addresses(address a, address b) internal pure returns (address[] memory list) {
        list = new address[](2);
        list[0] = a;
        list[1] = b;
    }

    function amounts(uint256 a) internal pure returns (uint256[] memory list) {
        list = new uint256[](1);
        list[0] = a;
    }

    function amounts(uint256 a, uint256 b) internal pure returns (uint256[] memory list) {
        list = new uint256[](2);
        list[0] = a;
        list[1] = b;
    }

    function datas(bytes memory a) internal pure returns (bytes[] memory list) {
        list = new bytes[](1);
        list[0] = a;
    }
}
