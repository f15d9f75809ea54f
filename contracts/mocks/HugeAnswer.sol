// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Contract that answers every call with a word and a million zeros behind it
contract HugeAnswer {
    bytes32 private immutable _word;

    constructor(bytes32 word) {
        _word = word;
    }

    fallback(bytes calldata) external payable returns (bytes memory) {
        return bytes.concat(_word, new bytes(1_000_000));
    }
}
