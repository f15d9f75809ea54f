// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Child} from "./Child.sol";

/// @title Contract that deploys a child in its constructor, and stores the child, itself and the deployer
/// @dev Two immutables depend on its address, so a simulated deployment does not return its final code.
contract Parent {
    /// @notice The contract's own address.
    address public immutable self;

    /// @notice The contract that the constructor deployed.
    Child public immutable child;

    /// @notice Account that deployed the contract.
    address public immutable deployer;

    constructor() {
        self = address(this);
        child = new Child();
        deployer = msg.sender;
    }
}
