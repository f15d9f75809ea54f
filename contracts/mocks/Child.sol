// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Contract that `Parent` deploys
contract Child {}
