// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Contract that returns the same bytes for every call
contract FixedAnswer {
    bytes private _answer;

    constructor(bytes memory answer) {
        _answer = answer;
    }

    fallback(bytes calldata) external payable returns (bytes memory) {
        return _answer;
    }
}
