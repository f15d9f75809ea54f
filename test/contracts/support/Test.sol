// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Vm} from "./Vm.sol";

/// @title Base of all tests
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function eq(address left, address right, string memory what) internal pure {
        vm.assertEq(left, right, what);
    }

    function eq(bool left, bool right, string memory what) internal pure {
        vm.assertEq(left, right, what);
    }

    function eq(bytes memory left, bytes memory right, string memory what) internal pure {
        vm.assertEq(left, right, what);
    }

    function eq(bytes32 left, bytes32 right, string memory what) internal pure {
        vm.assertEq(left, right, what);
    }

    function eq(string memory left, string memory right, string memory what) internal pure {
        vm.assertEq(left, right, what);
    }

    function eq(uint256 left, uint256 right, string memory what) internal pure {
        vm.assertEq(left, right, what);
    }

    /// @dev Deploys a contract as the build made it: the tests themselves are compiled by faster settings.
    function create(string memory contractName) internal returns (address payable created) {
        return create(contractName, "");
    }

    /// @dev Deploys a contract with constructor arguments in the encoding of the ABI, and reverts as its constructor does.
    function create(string memory contractName, bytes memory arguments) internal returns (address payable created) {
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

    /// @dev Expects the next call to revert with exactly this data.
    function reverts(bytes memory revertData) internal {
        vm.expectRevert(revertData);
    }

    /// @dev How many of the recorded logs `emitter` made with this first topic. Forgets the logs.
    function countLogs(address emitter, bytes32 topic) internal returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == emitter && logs[i].topics[0] == topic) ++count;
        }
    }

    /// @dev Maps any number into a range, both ends included.
    function within(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
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
