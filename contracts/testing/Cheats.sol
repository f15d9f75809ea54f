// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @dev The cheatcodes of Foundry and Hardhat.
Cheats constant CHEATS = Cheats(address(uint160(uint256(keccak256("hevm cheat code")))));

/// @title Cheatcodes that the tests of this folder use
interface Cheats {
    function assertEq(address left, address right, string calldata err) external pure;

    function assertEq(bytes calldata left, bytes calldata right, string calldata err) external pure;

    function assertEq(uint256 left, uint256 right, string calldata err) external pure;

    function assertFalse(bool condition, string calldata err) external pure;

    function deal(address account, uint256 balance) external;

    function etch(address target, bytes calldata code) external;

    function expectEmit(address emitter) external;

    function expectRevert(bytes calldata revertData) external;

    function prank(address sender) external;
}
