// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Erc3009} from "./Erc3009.sol";
import {LiveToken} from "./LiveToken.sol";

/// @title Dollar token to place at a live token's address on a local chain, with EIP-2612 and EIP-3009
/// @dev Warning: anyone may mint.
contract LiveDollar is LiveToken, Erc3009 {
    /// @param name_ Up to 31 bytes.
    /// @param symbol_ Up to 31 bytes.
    /// @param decimals_ Number of decimals.
    /// @param version_ Version in the EIP-712 domain.
    constructor(string memory name_, string memory symbol_, uint8 decimals_, string memory version_)
        LiveToken(name_, symbol_, decimals_, version_)
    {}

    /// @inheritdoc Erc3009
    function _move(address from, address to, uint256 value) internal override {
        _transfer(from, to, value);
    }

    /// @inheritdoc Erc3009
    function _requireAuthorized(address authorizer, bytes32 structHash, bytes memory signature) internal view override {
        _requireSigned(authorizer, structHash, signature);
    }
}
