// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @dev The beginning of a step as it stands in the program: draws 1, patches 1, length of the call data 2, target 20.
type StepHead is uint256;

/// @dev A draw as it stands in the program: kind 1, index 1, share 2, and what its kind adds.
type Draw is uint256;

using {drawCount, patchCount, callDataLength, target} for StepHead global;
using {kind, index, shareBps, spender, fixedValue} for Draw global;

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

function kind(Draw draw) pure returns (uint256) {
    return Draw.unwrap(draw) >> 248;
}

function index(Draw draw) pure returns (uint256) {
    return uint8(Draw.unwrap(draw) >> 240);
}

function shareBps(Draw draw) pure returns (uint256) {
    return uint16(Draw.unwrap(draw) >> 224);
}

/// @dev Of a draw for a spender.
function spender(Draw draw) pure returns (address) {
    return address(uint160(Draw.unwrap(draw) >> 64));
}

/// @dev Of a draw of a fixed value.
function fixedValue(Draw draw) pure returns (uint256) {
    return uint128(Draw.unwrap(draw) >> 96);
}
