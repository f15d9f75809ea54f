// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title A collection that anyone can buy from, at a fixed price in one token
contract NftSale is ERC721 {
    /// @notice Token that buyers pay with.
    IERC20 public immutable currency;

    /// @notice Price of one NFT.
    uint256 public immutable price;

    /// @notice Account that receives the payments.
    address public immutable seller;

    /// @notice Number of sold NFTs. Their ids start at 0.
    uint256 public sold;

    constructor(IERC20 currency_, uint256 price_, address seller_) ERC721("Example NFT", "NFT") {
        currency = currency_;
        price = price_;
        seller = seller_;
    }

    /// @notice Sells NFTs to the given recipient.
    function mint(address to, uint256 count) external {
        SafeERC20.safeTransferFrom(currency, msg.sender, seller, count * price);
        uint256 first = sold;
        sold = first + count;
        for (uint256 id = first; id < first + count; ++id) {
            _safeMint(to, id);
        }
    }
}
