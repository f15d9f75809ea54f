// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

// A build of Hardhat 2 has artifacts only of contracts that a source imports.
import {LocalDollar} from "@crosscall/contracts/localnet/tokens/LocalDollar.sol";
