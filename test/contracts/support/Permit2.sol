// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Requests} from "./Requests.sol";

/// @title The published Permit2 at its live address, and Permit2 signatures made from the type strings that a wallet
/// shows
/// @dev The published code caches the domain separator of chain 31337 for another address. On any other chain it uses
/// its own address, so the tests run on chain 1.
abstract contract Permit2 is Requests {
    uint256 internal constant PERMIT2_CHAIN_ID = 1;
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    /// @dev Length and first bytes of Permit2's code on live chains.
    uint256 private constant SIZE = 9_152;
    bytes8 private constant BEGINNING = 0x6040608081526004;
    string private constant ARTIFACT =
        "node_modules/@uniswap/v4-periphery/foundry-out/DeployPermit2.sol/DeployPermit2.json";

    struct Permit2Transfer {
        address token;
        uint256 amount;
        address spender;
        uint256 nonce;
        uint256 deadline;
        bytes32 requestId;
        bytes32 orderId;
    }

    /// @dev Puts the code at Permit2's live address. Uniswap publishes the code inside a test helper that requires a
    /// Cancun chain, so this function extracts it from the helper.
    function placePermit2() internal returns (address) {
        bytes memory helper = vm.parseJsonBytes(vm.readFile(ARTIFACT), ".bytecode.object");
        uint256 start = 0;
        while (startsWithout(helper, start)) ++start;
        bytes memory code = new bytes(SIZE);
        for (uint256 i = 0; i < SIZE; ++i) {
            code[i] = helper[start + i];
        }
        vm.etch(PERMIT2, code);
        return PERMIT2;
    }

    function startsWithout(bytes memory data, uint256 start) private pure returns (bool) {
        for (uint256 i = 0; i < 8; ++i) {
            if (data[start + i] != BEGINNING[i]) return true;
        }
        return false;
    }

    function signPermit2(Permit2Transfer memory transfer, uint256 key) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, permit2HashOf(transfer));
        return abi.encodePacked(r, s, v);
    }

    function permit2HashOf(Permit2Transfer memory t) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256("Permit2"),
                block.chainid,
                PERMIT2
            )
        );
        bytes32 permitted =
            keccak256(abi.encode(keccak256("TokenPermissions(address token,uint256 amount)"), t.token, t.amount));
        bytes32 witness = keccak256(
            abi.encode(keccak256("RequestPayment(bytes32 requestId,bytes32 orderId)"), t.requestId, t.orderId)
        );
        bytes32 typeHash = keccak256(
            "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,"
            "RequestPayment witness)RequestPayment(bytes32 requestId,bytes32 orderId)"
            "TokenPermissions(address token,uint256 amount)"
        );
        bytes32 structHash = keccak256(abi.encode(typeHash, permitted, t.spender, t.nonce, t.deadline, witness));
        return keccak256(abi.encodePacked("\x19\x01", domain, structHash));
    }
}
