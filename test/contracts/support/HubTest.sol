// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IAttestationVerifier} from "../../../contracts/interfaces/IAttestationVerifier.sol";
import {OracleExecution} from "../../../contracts/libraries/OracleExecution.sol";
import {LocalHub} from "../../../contracts/localnet/LocalHub.sol";
import {AttestationTest} from "./AttestationTest.sol";

/// @title A hub with three oracles and a threshold of two, and the actions and structs that they sign
abstract contract HubTest is AttestationTest {
    uint256 internal constant DOMAIN_CHAIN_ID = 31_337;
    uint256 internal constant TOKEN = uint256(keccak256(abi.encodePacked("local-31337", address(0))));
    address internal constant ALICE = address(0xa11ce);
    address internal constant BOB = address(0xb0b);
    bytes internal constant NATIVE = abi.encodePacked(address(0));

    LocalHub internal hub;

    function setUp() public virtual override {
        super.setUp();
        vm.warp(1_000_000);
        hub = LocalHub(deployCode("LocalHub", abi.encode(verifier)));
    }

    function mint(address to, uint256 token, uint256 amount) internal pure returns (bytes memory) {
        return abi.encode(uint8(0), to, token, amount);
    }

    function burn(address from, uint256 token, uint256 amount) internal pure returns (bytes memory) {
        return abi.encode(uint8(1), from, token, amount);
    }

    function move(address from, address to, uint256 token, uint256 amount) internal pure returns (bytes memory) {
        return abi.encode(uint8(2), from, to, token, amount);
    }

    function fastMint(address to, uint256 token, uint256 amount, address calculator)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encode(uint8(3), to, token, amount, calculator, bytes("fee"), address(0x1117), bytes("limit"));
    }

    function one(bytes32 key, bytes memory action) internal pure returns (OracleExecution.Execution memory order) {
        order.idempotencyKey = key;
        order.actions = new bytes[](1);
        order.actions[0] = action;
    }

    function two(bytes32 key, bytes memory first, bytes memory second)
        internal
        pure
        returns (OracleExecution.Execution memory order)
    {
        order.idempotencyKey = key;
        order.actions = new bytes[](2);
        order.actions[0] = first;
        order.actions[1] = second;
    }

    /// @dev Executes with the signatures of two oracles.
    function execute(OracleExecution.Execution memory order) internal {
        hub.execute(order, signedByTwo(order));
    }

    /// @dev Mints a balance with a separate execution.
    function give(address to, uint256 token, uint256 amount) internal {
        execute(one(keccak256(abi.encode("give", to, token, amount)), mint(to, token, amount)));
    }

    function aliasOf(string memory chainId, address account) internal pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(chainId, account)))));
    }

    /// @dev Returns the EIP-712 digest of a struct in the domain of one of the hub's contracts.
    function digestFor(string memory name, bytes32 structHash) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256("1"),
                DOMAIN_CHAIN_ID,
                address(hub)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function signedFor(string memory name, bytes32 structHash)
        internal
        view
        returns (IAttestationVerifier.OracleSignature[] memory)
    {
        return both(
            signedDigest(digestFor(name, structHash), keys[0]), signedDigest(digestFor(name, structHash), keys[1])
        );
    }

    function signedDigest(bytes32 digest, uint256 key)
        internal
        pure
        returns (IAttestationVerifier.OracleSignature memory)
    {
        return IAttestationVerifier.OracleSignature(vm.addr(key), signatureOf(digest, key));
    }

    function signatureOf(bytes32 digest, uint256 key) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
