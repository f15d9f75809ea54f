// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title ERC-721 token that anyone can mint
contract PlainErc721 is ERC721 {
    constructor() ERC721("Plain", "ONE") {}

    /// @notice Mints a token and calls the receiver's acceptance hook.
    function safeMint(address to, uint256 tokenId, bytes calldata data) external {
        _safeMint(to, tokenId, data);
    }
}
