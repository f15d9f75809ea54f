// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title NFT collection for sale at a fixed price in one token
contract NftSale is ERC721 {
    /// @notice Token used to pay.
    IERC20 public immutable currency;

    /// @notice Price of one NFT.
    uint256 public immutable price;

    /// @notice Account that receives the payments.
    address public immutable seller;

    /// @notice Number of NFTs sold. Ids start at 0.
    uint256 public sold;

    constructor(IERC20 currency_, uint256 price_, address seller_) ERC721("Example NFT", "NFT") {
        currency = currency_;
        price = price_;
        seller = seller_;
    }

    /// @notice Sells NFTs to a recipient.
    function mint(address to, uint256 count) external {
        SafeERC20.safeTransferFrom(currency, msg.sender, seller, count * price);
        uint256 first = sold;
        sold = first + count;
        for (uint256 id = first; id < first + count; ++id) {
            _safeMint(to, id);
        }
    }
}
