// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title The kinds of draws
library DrawKind {
    /// @notice A share of the balance, to write only.
    uint256 internal constant BALANCE = 0;

    /// @notice A share of the balance, which the target may take.
    uint256 internal constant FOR_TARGET = 1;

    /// @notice A share of the balance, which a spender may take.
    uint256 internal constant FOR_SPENDER = 2;

    /// @notice A share of native, sent with the call.
    uint256 internal constant VALUE = 3;

    /// @notice A share of a word that the step before returned.
    uint256 internal constant RETURNED = 4;

    /// @notice A fixed amount of native, sent with the call.
    uint256 internal constant FIXED_VALUE = 5;
}

/// @dev The beginning of a step as it stands in the program: draws 1, patches 1, length of the call data 2, target 20.
type StepHead is uint256;

/// @dev A draw as it stands in the program: kind 1, index 1, share 2, and what its kind adds.
type Draw is uint256;

/// @dev A patch as it stands in the program: draw 1, offset 2, width 1.
type Patch is uint256;

using {drawCount, patchCount, callDataLength, target} for StepHead global;
using {kind, isApproved, isValue, index, shareBps, spender, fixedValue} for Draw global;
using {draw, offset, width} for Patch global;

function drawCount(StepHead head) pure returns (uint256) {
    return StepHead.unwrap(head) >> 248;
}

function patchCount(StepHead head) pure returns (uint256) {
    return uint8(StepHead.unwrap(head) >> 240);
}

function callDataLength(StepHead head) pure returns (uint256) {
    return uint16(StepHead.unwrap(head) >> 224);
}

function target(StepHead head) pure returns (address) {
    return address(uint160(StepHead.unwrap(head) >> 64));
}

function kind(Draw self) pure returns (uint256) {
    return Draw.unwrap(self) >> 248;
}

/// @dev Whether somebody may take the amount.
function isApproved(Draw self) pure returns (bool) {
    // A bit for each kind, for fewer jumps. Same as: kind(self) == DrawKind.FOR_TARGET || kind(self) == ...
    uint256 kinds = (1 << DrawKind.FOR_TARGET) | (1 << DrawKind.FOR_SPENDER);
    return (kinds >> kind(self)) & 1 != 0;
}

/// @dev Whether the amount is sent with the call.
function isValue(Draw self) pure returns (bool) {
    // As above.
    uint256 kinds = (1 << DrawKind.VALUE) | (1 << DrawKind.FIXED_VALUE);
    return (kinds >> kind(self)) & 1 != 0;
}

function index(Draw self) pure returns (uint256) {
    return uint8(Draw.unwrap(self) >> 240);
}

function shareBps(Draw self) pure returns (uint256) {
    return uint16(Draw.unwrap(self) >> 224);
}

/// @dev Of a draw for a spender.
function spender(Draw self) pure returns (address) {
    return address(uint160(Draw.unwrap(self) >> 64));
}

/// @dev Of a draw of a fixed value.
function fixedValue(Draw self) pure returns (uint256) {
    return uint128(Draw.unwrap(self) >> 96);
}

/// @dev The index of the draw within its step.
function draw(Patch patch) pure returns (uint256) {
    return Patch.unwrap(patch) >> 248;
}

function offset(Patch patch) pure returns (uint256) {
    return uint16(Patch.unwrap(patch) >> 232);
}

function width(Patch patch) pure returns (uint256) {
    return uint8(Patch.unwrap(patch) >> 224);
}
