// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What a `Parent` deploys
contract Child {}
