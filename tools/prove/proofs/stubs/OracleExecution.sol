// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Returns any hash, because the proofs about signatures do not depend on it.
library OracleExecution {
    struct Execution {
        bytes32 idempotencyKey;
        bytes[] actions;
    }

    function domainSeparator(string memory, uint256 chainId, address) internal pure returns (bytes32) {
        return bytes32(chainId);
    }

    function digest(Execution calldata execution, bytes32) internal pure returns (bytes32) {
        return execution.idempotencyKey;
    }
}
