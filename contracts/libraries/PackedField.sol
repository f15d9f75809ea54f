// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Reads and writes a field of 1 to 32 bytes in a byte array
library PackedField {
    /// @notice Reads the `width` bytes of `data` at `offset`, right-aligned.
    /// @dev The caller checks the bounds.
    function read(bytes memory data, uint256 offset, uint256 width) internal pure returns (uint256 field) {
        // Solidity cannot read a part of `bytes memory`. The word that ends with the field starts no earlier than in
        // the length word of the data. Same as: uint256(bytes32(data[offset:offset + width])) >> (256 - 8 * width)
        assembly ("memory-safe") {
            let mask := sub(shl(shl(3, width), 1), 1)
            field := and(mload(add(add(data, offset), width)), mask)
        }
    }

    /// @notice Writes the low `width` bytes of `field` to `data` at `offset`.
    /// @param was Current value of the field, as returned by `read`.
    /// @dev The caller checks the bounds, and that the value fits the field.
    function write(bytes memory data, uint256 offset, uint256 width, uint256 was, uint256 field) internal pure {
        // As above. Same as, for each byte i: data[offset + i] = bytes1(uint8(field >> (8 * (width - 1 - i))))
        assembly ("memory-safe") {
            let place := add(add(data, offset), width)
            mstore(place, xor(mload(place), xor(was, field)))
        }
    }
}
