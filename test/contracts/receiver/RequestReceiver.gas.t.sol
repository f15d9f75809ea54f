// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRequestReceiver} from "../../../contracts/interfaces/IRequestReceiver.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {ReceiverTest} from "../support/ReceiverTest.sol";

/// @title Gas of a payment, as a separate transaction
/// @dev All accounts hold some of the paid currency, before and after.
/// hardhat-config: isolate = true
contract RequestReceiverGasTest is ReceiverTest {
    string internal constant GROUP = "RequestReceiver";
    bytes32 internal constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    function setUp() public override {
        super.setUp();
        vm.deal(solver, 1);
        vm.deal(address(depository), 1);
        dollar.mint(user, 1_000);
        dollar.mint(solver, 1);
        dollar.mint(address(depository), 1);
    }

    function test_PayNative_WhenForwarded_Gas() public {
        payNative(requestIn(address(0)), forward());
        vm.snapshotGasLastCall(GROUP, "payNative, forwarded to the solver");
    }

    function test_PayNative_WhenDeposited_Gas() public {
        payNative(requestIn(address(0)), deposit());
        vm.snapshotGasLastCall(GROUP, "payNative, deposited in the depository");
    }

    function test_PayToken_WhenForwarded_Gas() public {
        approveStanding();
        payToken(requestIn(address(dollar)), forward());
        vm.snapshotGasLastCall(GROUP, "payToken by a standing allowance, forwarded to the solver");
    }

    function test_PayToken_WhenDeposited_Gas() public {
        approveStanding();
        payToken(requestIn(address(dollar)), deposit());
        vm.snapshotGasLastCall(GROUP, "payToken by a standing allowance, deposited in the depository");
    }

    function test_PayTokenWithPermit_WhenForwarded_Gas() public {
        RequestSignature.Request memory request = requestIn(address(dollar));
        IRequestReceiver.Terms memory terms = forward();
        bytes memory signature = sign(request, KEY);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(USER_KEY, permitHash(request.originAmount, terms.validUntil));
        vm.prank(user);
        receiver.payTokenWithPermit(request, terms, signature, v, r, s);
        vm.snapshotGasLastCall(GROUP, "payTokenWithPermit, forwarded to the solver");
        assertEq(dollar.nonces(user), 1, "permit used");
    }

    function approveStanding() internal {
        vm.prank(user);
        dollar.approve(address(receiver), type(uint256).max);
    }

    function permitHash(uint256 value, uint256 deadline) internal view returns (bytes32) {
        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, user, address(receiver), value, 0, deadline));
        return keccak256(abi.encodePacked("\x19\x01", dollar.DOMAIN_SEPARATOR(), structHash));
    }
}
