// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Child} from "./Child.sol";

/// @title Deploys a child in its constructor and stores the child, itself and the deployer
/// @dev Two of its immutables depend on its address, so a simulated call does not return its code.
contract Parent {
    /// @notice Its own address.
    address public immutable self;

    /// @notice The contract that its constructor deployed.
    Child public immutable child;

    /// @notice Account that deployed it.
    address public immutable deployer;

    constructor() {
        self = address(this);
        child = new Child();
        deployer = msg.sender;
    }
}
