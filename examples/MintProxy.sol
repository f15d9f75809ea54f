// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DestinationProxy} from "@crosscall/contracts/proxies/DestinationProxy.sol";
import {NftSale} from "./NftSale.sol";

/// @title Mints as many NFTs as the delivered amount pays for
/// @notice The recipient gets the NFTs, and the change. `minimumOut` counts NFTs.
contract MintProxy is DestinationProxy {
    /// @notice Less was delivered than one NFT costs.
    error PriceNotMet(uint256 amountIn, uint256 price);

    /// @param sale Its NFTs are the output: `balanceOf` counts them as it counts tokens.
    constructor(NftSale sale) DestinationProxy(sale.currency(), IERC20(address(sale)), address(sale)) {}

    /// @inheritdoc DestinationProxy
    function _act(uint256 amountIn, address recipient) internal override withApproval(amountIn) {
        NftSale sale = NftSale(address(outputToken));
        uint256 price = sale.price();
        if (amountIn < price) revert PriceNotMet(amountIn, price);
        sale.mint(recipient, amountIn / price);
    }
}
