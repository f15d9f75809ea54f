// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Cheats} from "../../../contracts/testing/Cheats.sol";

/// @title Cheatcodes that the tests use
interface Vm is Cheats {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 privateKey) external pure returns (address);

    function assertEq(bool left, bool right, string calldata err) external pure;

    function assertEq(bytes32 left, bytes32 right, string calldata err) external pure;

    function assertEq(string calldata left, string calldata right, string calldata err) external pure;

    function assertGe(uint256 left, uint256 right, string calldata err) external pure;

    function assertGt(uint256 left, uint256 right, string calldata err) external pure;

    function assertLe(uint256 left, uint256 right, string calldata err) external pure;

    function assertLt(uint256 left, uint256 right, string calldata err) external pure;

    function assertTrue(bool condition, string calldata err) external pure;

    function assume(bool condition) external pure;

    function chainId(uint256 id) external;

    function expectCall(address callee, bytes calldata data) external;

    function expectCall(address callee, bytes calldata data, uint64 count) external;

    function expectRevert() external;

    function getCode(string calldata contractName) external view returns (bytes memory creationCode);

    function getRecordedLogs() external returns (Log[] memory logs);

    function mockCall(address callee, bytes calldata data, bytes calldata returnData) external;

    function mockCallRevert(address callee, bytes calldata data, bytes calldata revertData) external;

    function parseJsonAddressArray(string calldata json, string calldata path) external pure returns (address[] memory);

    function parseJsonBytes32(string calldata json, string calldata path) external pure returns (bytes32);

    function parseJsonBytes32Array(string calldata json, string calldata path) external pure returns (bytes32[] memory);

    function parseJsonBytesArray(string calldata json, string calldata path) external pure returns (bytes[] memory);

    function parseJsonString(string calldata json, string calldata path) external pure returns (string memory);

    function readFile(string calldata path) external view returns (string memory);

    function recordLogs() external;

    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);

    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256 gasUsed);

    function snapshotValue(string calldata group, string calldata name, uint256 value) external;

    function warp(uint256 timestamp) external;

    function revertToState(uint256 snapshotId) external returns (bool success);

    function snapshotState() external returns (uint256 snapshotId);
}
