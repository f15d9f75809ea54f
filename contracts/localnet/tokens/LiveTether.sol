// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {LocalTether} from "./LocalTether.sol";

/// @title Tether token to place at its live address on a local chain
/// @dev Warning: anyone may mint.
contract LiveTether is LocalTether {
    /// @inheritdoc LocalTether
    function name() external pure override returns (string memory) {
        return "Tether USD";
    }
}
