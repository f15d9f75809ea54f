// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Contract that reverts every call with 10,000 zero bytes
contract HugeRevert {
    fallback() external payable {
        assembly ("memory-safe") {
            revert(0x10000, 10000)
        }
    }
}
