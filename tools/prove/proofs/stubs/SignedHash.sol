// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Any signature can be valid or invalid. Returns the account that was checked.
library SignedHash {
    function requireSigned(bytes32, address signer, bytes calldata signature) internal pure returns (address) {
        require(signature.length != 0);
        return signer;
    }
}
