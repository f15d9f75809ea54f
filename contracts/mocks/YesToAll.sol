// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Contract whose fallback answers every call with a word of zeros
contract YesToAll {
    fallback(bytes calldata) external returns (bytes memory) {
        return new bytes(32);
    }
}
