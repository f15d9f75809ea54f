// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @dev Where a list of words stands in memory. It does not know its length, nor what was set: whoever uses it does.
type Words is uint256;

using {wordAt, setWordAt, from} for Words global;

/// @dev A new list. What stands in it is undefined.
function newWords(uint256 count) pure returns (Words words) {
    // Saves the zeros, the length and the checks of an array.
    // Same as: uint256[] memory words = new uint256[](count)
    assembly ("memory-safe") {
        words := mload(0x40)
        mstore(0x40, add(words, shl(5, count)))
    }
}

/// @dev The word with that index, which the caller knows to be in the list, and to be set.
function wordAt(Words words, uint256 index) pure returns (uint256 word) {
    // Same as: word = words[index]
    assembly ("memory-safe") {
        word := mload(add(words, shl(5, index)))
    }
}

/// @dev Sets the word with that index, which the caller knows to be in the list.
function setWordAt(Words words, uint256 index, uint256 word) pure {
    // Same as: words[index] = word
    assembly ("memory-safe") {
        mstore(add(words, shl(5, index)), word)
    }
}

/// @dev The rest of the list, from the word with that index.
function from(Words words, uint256 index) pure returns (Words) {
    // Cannot overflow: no gas pays for that much memory.
    unchecked {
        return Words.wrap(Words.unwrap(words) + 32 * index);
    }
}
