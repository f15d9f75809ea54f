// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

/// @title ERC-1155 token that anyone can mint
contract PlainErc1155 is ERC1155 {
    constructor() ERC1155("") {}

    /// @notice Mints tokens of one id and calls the receiver's acceptance hook.
    function mint(address to, uint256 id, uint256 value, bytes calldata data) external {
        _mint(to, id, value, data);
    }

    /// @notice Mints tokens of several ids and calls the receiver's acceptance hook.
    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata values, bytes calldata data) external {
        _mintBatch(to, ids, values, data);
    }
}
