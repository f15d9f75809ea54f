// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Contract that returns a word and a million zero bytes
contract HugeAnswer {
    bytes32 private immutable _word;

    constructor(bytes32 word) {
        _word = word;
    }

    fallback(bytes calldata) external payable returns (bytes memory) {
        _answer(_word);
    }

    function _answer(bytes32 word) private pure {
        // Only expands memory. Same as: return bytes.concat(word, new bytes(1_000_000))
        assembly ("memory-safe") {
            let answer := mload(0x40)
            mstore(answer, word)
            return(answer, 1000032)
        }
    }
}
