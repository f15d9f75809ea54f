// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Model of `PackedField` without assembly, over the word that ends with the field
/// @dev `npm run prove` proves what it does. A test with random inputs shows that the library does the same.
library PackedFieldModel {
    function read(uint256 word, uint256 width) internal pure returns (uint256) {
        unchecked {
            return word & ((uint256(1) << (8 * width)) - 1);
        }
    }

    function write(uint256 word, uint256 was, uint256 field) internal pure returns (uint256) {
        return word ^ (was ^ field);
    }
}
