// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DestinationProxy} from "@crosscall/contracts/proxies/DestinationProxy.sol";
import {NftSale} from "./NftSale.sol";

/// @title Mints as many NFTs as the delivered amount can buy
/// @notice The recipient receives the NFTs and the change. `minimumOut` counts NFTs.
contract MintProxy is DestinationProxy {
    /// @notice The delivered amount is below the price of one NFT.
    error PriceNotMet(uint256 amountIn, uint256 price);

    /// @param sale Collection to buy from; its NFTs are the output, because `balanceOf` counts them like tokens.
    constructor(NftSale sale) DestinationProxy(sale.currency(), IERC20(address(sale)), address(sale)) {}

    /// @inheritdoc DestinationProxy
    function _act(uint256 amountIn, address recipient) internal override withApproval(amountIn) {
        NftSale sale = NftSale(address(outputToken));
        uint256 price = sale.price();
        if (amountIn < price) revert PriceNotMet(amountIn, price);
        sale.mint(recipient, amountIn / price);
    }
}
