// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PackedFieldModel} from "../../../../test/contracts/models/PackedFieldModel.sol";

contract Proof {
    /// @dev Writes change the field to the value, and no byte outside of it.
    function aWriteSetsTheFieldAlone(uint256 word, uint256 width, uint256 field) external pure {
        require(width >= 1 && width <= 32);
        require(width == 32 || field >> (8 * width) == 0);
        uint256 was = PackedFieldModel.read(word, width);
        uint256 written = PackedFieldModel.write(word, was, field);
        assert(PackedFieldModel.read(written, width) == field);
        assert(width == 32 || written >> (8 * width) == word >> (8 * width));
    }

    function aReadFitsTheWidth(uint256 word, uint256 width) external pure {
        require(width >= 1 && width < 32);
        assert(PackedFieldModel.read(word, width) >> (8 * width) == 0);
    }
}
