// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Contract that burns all the gas of every call
contract GasBurner {
    fallback() external payable {
        // An invalid opcode consumes all gas of the call.
        assembly ("memory-safe") {
            invalid()
        }
    }
}
