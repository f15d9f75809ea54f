// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IWrappedNative} from "../interfaces/IWrappedNative.sol";
import {DestinationProxy} from "./DestinationProxy.sol";
import {NativeProxy} from "./NativeProxy.sol";

/// @title Deposits the delivered amount in one ERC-4626 vault
/// @notice The input is the vault's asset, the output its shares, minted to the recipient.
/// @dev Warning: the vault sets the share price at the time of the fill. Only `minimumOut` protects against a
/// manipulated price.
contract Erc4626Proxy is NativeProxy {
    /// @param wrappedNative_ The chain's wrapped native token; the zero address for a proxy without native input.
    constructor(IERC4626 vault, IWrappedNative wrappedNative_)
        NativeProxy(IERC20(vault.asset()), vault, address(vault), wrappedNative_)
    {}

    /// @inheritdoc DestinationProxy
    function _act(uint256 amountIn, address recipient) internal override withApproval(amountIn) {
        IERC4626(address(outputToken)).deposit(amountIn, recipient);
    }
}
