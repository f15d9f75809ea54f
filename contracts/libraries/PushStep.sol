// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Kinds of draws
library DrawKind {
    /// @notice A share of the balance, written to call data only.
    uint256 internal constant BALANCE = 0;

    /// @notice A share of the balance, approved for the target.
    uint256 internal constant FOR_TARGET = 1;

    /// @notice A share of the balance, approved for a given spender.
    uint256 internal constant FOR_SPENDER = 2;

    /// @notice A share of the native balance, sent as value.
    uint256 internal constant VALUE = 3;

    /// @notice A share of a word of the previous step's return data.
    uint256 internal constant RETURNED = 4;

    /// @notice A fixed native amount, sent as value.
    uint256 internal constant FIXED_VALUE = 5;
}

/// @dev Start of an encoded step: number of draws (1 byte) and patches (1), call data length (2). The target follows.
type StepHead is uint256;

/// @dev An encoded draw: kind (1 byte), index (1), share (2), and the fields of its kind.
type Draw is uint256;

/// @dev An encoded patch: draw (1 byte), offset (2), width (1).
type Patch is uint256;

using {drawCount, patchCount, callDataLength, target, withTarget} for StepHead global;
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

/// @dev The target's address. Valid only after `withTarget`.
function target(StepHead head) pure returns (address) {
    return address(uint160(StepHead.unwrap(head)));
}

/// @dev The start of a step with its target's address instead of the reference.
function withTarget(StepHead head, address target_) pure returns (StepHead) {
    return StepHead.wrap(((StepHead.unwrap(head) >> 224) << 224) | uint160(target_));
}

function kind(Draw self) pure returns (uint256) {
    return Draw.unwrap(self) >> 248;
}

/// @dev Whether the amount is approved for an account.
function isApproved(Draw self) pure returns (bool) {
    // One bit per kind avoids jumps. Same as: kind(self) == DrawKind.FOR_TARGET || kind(self) == ...
    uint256 kinds = (1 << DrawKind.FOR_TARGET) | (1 << DrawKind.FOR_SPENDER);
    return (kinds >> kind(self)) & 1 != 0;
}

/// @dev Whether the amount is sent as value.
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

/// @dev The spender of a `FOR_SPENDER` draw.
function spender(Draw self) pure returns (address) {
    return address(uint160(Draw.unwrap(self) >> 64));
}

/// @dev The value of a `FIXED_VALUE` draw.
function fixedValue(Draw self) pure returns (uint256) {
    return uint128(Draw.unwrap(self) >> 96);
}

/// @dev Index of the draw within its step.
function draw(Patch patch) pure returns (uint256) {
    return Patch.unwrap(patch) >> 248;
}

function offset(Patch patch) pure returns (uint256) {
    return uint16(Patch.unwrap(patch) >> 232);
}

function width(Patch patch) pure returns (uint256) {
    return uint8(Patch.unwrap(patch) >> 224);
}
