// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

// Hardhat 2 creates artifacts only for contracts that a source imports.
import {LocalDollar} from "@crosscall/contracts/localnet/tokens/LocalDollar.sol";
