// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Wallet that accepts native currency and any signature, and has a function that fails
contract SolverWallet {
    /// @notice Error of the function that fails.
    error Called();

    receive() external payable {}

    /// @notice Reverts.
    function fail() external payable {
        revert Called();
    }

    /// @notice ERC-1271: accepts everything.
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return this.isValidSignature.selector;
    }
}
