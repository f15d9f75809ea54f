// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {Erc3009} from "./Erc3009.sol";

/// @title Dollar token for local chains
/// @notice Has the decimals and the signed transfers of the dollar token that the service uses for settlement.
/// @dev Warning: anyone may mint.
contract LocalDollar is ERC20Permit, Erc3009 {
    constructor() ERC20("Local Dollar", "USDC") ERC20Permit("Local Dollar") {}

    /// @notice Mints tokens.
    /// @param to Recipient of the tokens.
    /// @param amount Amount in units of 10^-6.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @inheritdoc Erc3009
    function _move(address from, address to, uint256 value) internal override {
        _transfer(from, to, value);
    }

    /// @inheritdoc Erc3009
    function _requireAuthorized(address authorizer, bytes32 structHash, bytes memory signature) internal view override {
        address signer = ECDSA.recover(_hashTypedDataV4(structHash), signature);
        if (signer != authorizer) revert InvalidAuthorizationSigner(signer, authorizer);
    }
}
