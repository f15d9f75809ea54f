// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LocalBatchExecutor} from "../../../contracts/localnet/LocalBatchExecutor.sol";
import {Test} from "../support/Test.sol";

/// @dev The code runs at the account's address, as with EIP-7702.
contract LocalBatchExecutorTest is Test {
    uint256 internal constant OWNER_KEY = 0xa11ce;
    address internal constant STRANGER = address(0xb0b);
    address internal constant PAYEE = address(0xcafe);

    LocalBatchExecutor internal account = LocalBatchExecutor(payable(vm.addr(OWNER_KEY)));

    function setUp() public {
        vm.etch(address(account), deployCode("LocalBatchExecutor").code);
        vm.deal(address(account), 100);
        vm.warp(1_000);
    }

    function test_Execute_RunsTheSignedCalls_AndUsesTheNonce() public {
        LocalBatchExecutor.SignedBatchedCall memory batch = payment();
        vm.prank(STRANGER);
        account.execute(batch, sign(batch, OWNER_KEY));
        assertEq(PAYEE.balance, 7, "paid");
        assertEq(account.getSeq(0), 1, "sequence");
    }

    function test_Execute_WhenTheNonceWasUsed_Reverts() public {
        LocalBatchExecutor.SignedBatchedCall memory batch = payment();
        bytes memory signature = sign(batch, OWNER_KEY);
        account.execute(batch, signature);
        vm.expectRevert(abi.encodeWithSelector(LocalBatchExecutor.InvalidNonce.selector));
        account.execute(batch, signature);
    }

    function test_Execute_WhenAnotherNonceKeyIsUsed_CountsItApart() public {
        LocalBatchExecutor.SignedBatchedCall memory batch = payment();
        batch.nonce = 5 << 64;
        account.execute(batch, sign(batch, OWNER_KEY));
        assertEq(account.getSeq(5), 1, "its own");
        assertEq(account.getSeq(0), 0, "the other");
    }

    function test_Execute_WhenSignedByAnotherKey_Reverts() public {
        LocalBatchExecutor.SignedBatchedCall memory batch = payment();
        bytes memory signature = sign(batch, 0xbad);
        vm.expectRevert(abi.encodeWithSelector(LocalBatchExecutor.InvalidSignature.selector));
        account.execute(batch, signature);
    }

    function test_Execute_WhenACallWasChanged_Reverts() public {
        LocalBatchExecutor.SignedBatchedCall memory batch = payment();
        bytes memory signature = sign(batch, OWNER_KEY);
        batch.batchedCall.calls[0].to = STRANGER;
        vm.expectRevert(abi.encodeWithSelector(LocalBatchExecutor.InvalidSignature.selector));
        account.execute(batch, signature);
    }

    function test_Execute_WhenSignedForAnotherChain_Reverts() public {
        LocalBatchExecutor.SignedBatchedCall memory batch = payment();
        bytes memory signature = sign(batch, OWNER_KEY);
        vm.chainId(99);
        vm.expectRevert(abi.encodeWithSelector(LocalBatchExecutor.InvalidSignature.selector));
        account.execute(batch, signature);
    }

    function test_Execute_WhenAnotherExecutorIsNamed_Reverts() public {
        LocalBatchExecutor.SignedBatchedCall memory batch = payment();
        batch.executor = PAYEE;
        bytes memory signature = sign(batch, OWNER_KEY);
        vm.expectRevert(abi.encodeWithSelector(LocalBatchExecutor.UnauthorizedExecutor.selector, STRANGER, PAYEE));
        vm.prank(STRANGER);
        account.execute(batch, signature);
    }

    function test_Execute_WhenTheDeadlinePassed_Reverts() public {
        LocalBatchExecutor.SignedBatchedCall memory batch = payment();
        batch.deadline = 999;
        bytes memory signature = sign(batch, OWNER_KEY);
        vm.expectRevert(abi.encodeWithSelector(LocalBatchExecutor.SignatureExpired.selector, 999));
        account.execute(batch, signature);
    }

    function test_Execute_WhenAnotherKeyHashIsUsed_Reverts() public {
        LocalBatchExecutor.SignedBatchedCall memory batch = payment();
        batch.keyHash = keccak256("key");
        bytes memory signature = sign(batch, OWNER_KEY);
        vm.expectRevert(abi.encodeWithSelector(LocalBatchExecutor.UnknownKey.selector, batch.keyHash));
        account.execute(batch, signature);
    }

    function test_IsValidSignature_AcceptsTheAccountsOwnKey() public view {
        bytes32 hash = keccak256("permit");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OWNER_KEY, hash);
        assertEq(account.isValidSignature(hash, abi.encodePacked(r, s, v)), bytes4(0x1626ba7e), "65 bytes");
        bytes32 vs = bytes32(uint256(s) | (uint256(v - 27) << 255));
        assertEq(account.isValidSignature(hash, abi.encodePacked(r, vs)), bytes4(0x1626ba7e), "64 bytes");
    }

    function test_IsValidSignature_WhenAnotherKeySigned_IsInvalid() public view {
        bytes32 hash = keccak256("permit");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(0xbad, hash);
        assertEq(account.isValidSignature(hash, abi.encodePacked(r, s, v)), bytes4(0xffffffff), "signer");
        assertEq(account.isValidSignature(hash, ""), bytes4(0xffffffff), "empty");
    }

    function test_Execute_WhenACallFails_RevertsWithItsReason_OrGoesOn() public {
        LocalBatchExecutor.SignedBatchedCall memory batch = payment();
        batch.batchedCall.calls[0].value = 101;
        bytes memory signature = sign(batch, OWNER_KEY);
        vm.expectRevert(abi.encodeWithSelector(LocalBatchExecutor.CallFailed.selector, ""));
        account.execute(batch, signature);

        batch.batchedCall.revertOnFailure = false;
        account.execute(batch, sign(batch, OWNER_KEY));
        assertEq(PAYEE.balance, 0, "paid");
        assertEq(account.getSeq(0), 1, "sequence");
    }

    function payment() internal pure returns (LocalBatchExecutor.SignedBatchedCall memory batch) {
        batch.batchedCall.calls = new LocalBatchExecutor.Call[](1);
        batch.batchedCall.calls[0] = LocalBatchExecutor.Call(PAYEE, 7, "");
        batch.batchedCall.revertOnFailure = true;
    }

    /// @dev Computes the signed hash without the contract's own code.
    function sign(LocalBatchExecutor.SignedBatchedCall memory batch, uint256 key) internal view returns (bytes memory) {
        LocalBatchExecutor.Call memory only = batch.batchedCall.calls[0];
        bytes32 callHash = keccak256(
            abi.encode(
                keccak256("Call(address to,uint256 value,bytes data)"), only.to, only.value, keccak256(only.data)
            )
        );
        bytes32 batchHash = keccak256(
            abi.encode(
                keccak256("BatchedCall(Call[] calls,bool revertOnFailure)Call(address to,uint256 value,bytes data)"),
                keccak256(abi.encodePacked(callHash)),
                batch.batchedCall.revertOnFailure
            )
        );
        bytes32 structHash = keccak256(
            abi.encode(
                // Of Calibur.
                bytes32(0xaf8fe42d5a3f21f696687da49c368df055f0a27356549c08b21b1b73c90e7774),
                batchHash,
                batch.nonce,
                batch.keyHash,
                batch.executor,
                batch.deadline
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)"
                ),
                keccak256("Calibur"),
                keccak256("1.0.0"),
                block.chainid,
                address(account),
                uint256(uint160(0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00))
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        return abi.encode(abi.encodePacked(r, s, v), bytes(""));
    }
}
