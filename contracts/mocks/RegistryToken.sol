// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {HookRegistry} from "./HookRegistry.sol";

/// @title Token that calls the hook that the receiver registered (ERC-777)
contract RegistryToken is ERC20 {
    /// @notice ERC-1820 interface name for receivers.
    bytes32 public constant HOOK = keccak256("ERC777TokensRecipient");

    HookRegistry private immutable _registry;

    constructor(HookRegistry registry) ERC20("Registry Token", "REG") {
        _registry = registry;
    }

    /// @notice Mints tokens without calling a hook.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        address implementer = from == address(0) ? from : _registry.getInterfaceImplementer(to, HOOK);
        if (implementer == address(0)) return;
        bytes memory data = abi.encodeWithSignature(
            "tokensReceived(address,address,address,uint256,bytes,bytes)", msg.sender, from, to, value, "", ""
        );
        Address.functionCall(implementer, data);
    }
}
