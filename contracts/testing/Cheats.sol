// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @dev The cheatcodes of Foundry and Hardhat.
Cheats constant CHEATS = Cheats(address(uint160(uint256(keccak256("hevm cheat code")))));

/// @title Cheatcodes used by the tests in this folder
interface Cheats {
    struct ChainInfo {
        uint256 forkId;
        uint256 chainId;
    }

    struct StorageAccess {
        address account;
        bytes32 slot;
        bool isWrite;
        bytes32 previousValue;
        bytes32 newValue;
        bool reverted;
    }

    /// @dev Newer versions add fields at the end, which decoding ignores.
    struct AccountAccess {
        ChainInfo chainInfo;
        uint8 kind;
        address account;
        address accessor;
        bool initialized;
        uint256 oldBalance;
        uint256 newBalance;
        bytes deployedCode;
        uint256 value;
        bytes data;
        bool reverted;
        StorageAccess[] storageAccesses;
    }

    function activeFork() external view returns (uint256 forkId);

    function assertEq(address left, address right, string calldata err) external pure;

    function assertEq(bytes calldata left, bytes calldata right, string calldata err) external pure;

    function assertEq(uint256 left, uint256 right, string calldata err) external pure;

    function assertFalse(bool condition, string calldata err) external pure;

    function deal(address account, uint256 balance) external;

    function etch(address target, bytes calldata code) external;

    function expectEmit(address emitter) external;

    function expectRevert(bytes calldata revertData) external;

    function keyExistsJson(string calldata json, string calldata path) external view returns (bool);

    function label(address account, string calldata name) external;

    function load(address target, bytes32 slot) external view returns (bytes32 value);

    function parseJsonAddress(string calldata json, string calldata path) external pure returns (address);

    function parseJsonBytes(string calldata json, string calldata path) external pure returns (bytes memory);

    function parseJsonUint(string calldata json, string calldata path) external pure returns (uint256);

    function prank(address sender) external;

    function startPrank(address sender, address origin) external;

    function startStateDiffRecording() external;

    function stopAndReturnStateDiff() external returns (AccountAccess[] memory accesses);

    function stopPrank() external;

    function store(address target, bytes32 slot, bytes32 value) external;

    function toString(uint256 value) external pure returns (string memory);
}
