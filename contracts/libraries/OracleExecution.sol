// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Executions that attestation oracles sign for the settlement hub
/// @notice EIP-712 hashes of executions, in the domain of the hub's oracle contract.
/// @dev Warning: an execution does not contain the contract that may use it, or a time. A contract that acts on one
/// must record its idempotencyKey, not the signatures.
library OracleExecution {
    /// @param idempotencyKey Key that the hub accepts once.
    /// @param actions ABI-encoded actions, in order of execution.
    struct Execution {
        bytes32 idempotencyKey;
        bytes[] actions;
    }

    /// @notice The EIP-712 type of an execution.
    bytes32 internal constant EXECUTION_TYPEHASH = keccak256("Execution(bytes32 idempotencyKey,bytes[] actions)");

    /// @notice The EIP-712 type of the domain.
    bytes32 internal constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    /// @notice The name in the domain.
    bytes32 internal constant NAME_HASH = keccak256("RelayOracle");

    /// @notice The domain of an oracle contract.
    /// @param version Version of the oracle contract: `2` today, `1` before.
    /// @param chainId The chain of the hub, not this one.
    /// @param oracle The oracle contract on the hub.
    function domainSeparator(string memory version, uint256 chainId, address oracle) internal pure returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, keccak256(bytes(version)), chainId, oracle));
    }

    /// @notice The hash that oracles sign.
    /// @param execution The execution.
    /// @param separator See `domainSeparator`.
    function digest(Execution calldata execution, bytes32 separator) internal pure returns (bytes32) {
        bytes[] calldata actions = execution.actions;
        bytes32[] memory hashes = new bytes32[](actions.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            hashes[i] = keccak256(actions[i]);
        }
        bytes32 structHash =
            keccak256(abi.encode(EXECUTION_TYPEHASH, execution.idempotencyKey, keccak256(abi.encodePacked(hashes))));
        return keccak256(abi.encodePacked(hex"1901", separator, structHash));
    }
}
