// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @dev Pointer to a list of words in memory, without length. The caller tracks length and set words.
type Words is uint256;

using {wordAt, setWordAt, from} for Words global;

/// @dev Allocates a list. Its words are undefined.
function newWords(uint256 count) pure returns (Words words) {
    // Saves the initialization, length and bounds checks of an array.
    // Same as: uint256[] memory words = new uint256[](count)
    assembly ("memory-safe") {
        words := mload(0x40)
        mstore(0x40, add(words, shl(5, count)))
    }
}

/// @dev The word at the index. The caller checks that the index is in the list, and the word is set.
function wordAt(Words words, uint256 index) pure returns (uint256 word) {
    // Same as: word = words[index]
    assembly ("memory-safe") {
        word := mload(add(words, shl(5, index)))
    }
}

/// @dev Sets the word at the index. The caller checks that the index is in the list.
function setWordAt(Words words, uint256 index, uint256 word) pure {
    // Same as: words[index] = word
    assembly ("memory-safe") {
        mstore(add(words, shl(5, index)), word)
    }
}

/// @dev The rest of the list, starting at the index.
function from(Words words, uint256 index) pure returns (Words) {
    // Cannot overflow: so much memory would cost more than any gas limit.
    unchecked {
        return Words.wrap(Words.unwrap(words) + 32 * index);
    }
}
