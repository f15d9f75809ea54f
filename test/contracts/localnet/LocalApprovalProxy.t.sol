// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDepository} from "../../../contracts/interfaces/IDepository.sol";
import {ISignatureTransfer} from "../../../contracts/interfaces/ISignatureTransfer.sol";
import {IBatchSignatureTransfer} from "../../../contracts/localnet/IBatchSignatureTransfer.sol";
import {LocalApprovalProxy} from "../../../contracts/localnet/LocalApprovalProxy.sol";
import {LocalDepository} from "../../../contracts/localnet/LocalDepository.sol";
import {LocalToken} from "../../../contracts/localnet/tokens/LocalToken.sol";
import {Test} from "../support/Test.sol";

contract LocalApprovalProxyTest is Test {
    uint256 internal constant OWNER_KEY = 0xa11ce;
    address internal constant SOLVER = address(0x501);
    address internal constant STRANGER = address(0xb0b);
    bytes32 internal constant ORDER_ID = keccak256("order");

    address internal owner = vm.addr(OWNER_KEY);
    LocalToken internal token = LocalToken(deployCode("LocalToken"));
    LocalDepository internal depository =
        LocalDepository(deployCode("LocalDepository", abi.encode(STRANGER, STRANGER)));
    LocalApprovalProxy internal proxy = LocalApprovalProxy(
        deployCode("LocalApprovalProxy", abi.encode(SOLVER, address(depository), address(0), address(0)))
    );

    function setUp() public {
        token.mint(owner, 100);
    }

    function test_DepositPermit_DepositsForTheOwnerAndTheOrder() public {
        (uint8 v, bytes32 r, bytes32 s) = sign();
        vm.expectEmit(address(depository));
        emit IDepository.RelayErc20Deposit(owner, address(token), 100, ORDER_ID);
        vm.prank(SOLVER);
        proxy.depositPermit(owner, address(token), 100, block.timestamp, v, r, s, ORDER_ID);
        assertEq(token.balanceOf(address(depository)), 100, "deposited");
        assertEq(token.allowance(owner, address(proxy)), 0, "left approved");
        assertEq(token.allowance(address(proxy), address(depository)), 0, "depository left approved");
    }

    function test_DepositPermit_WhenThePermitWasUsedBefore_Deposits() public {
        (uint8 v, bytes32 r, bytes32 s) = sign();
        vm.prank(STRANGER);
        token.permit(owner, address(proxy), 100, block.timestamp, v, r, s);
        vm.prank(SOLVER);
        proxy.depositPermit(owner, address(token), 100, block.timestamp, v, r, s, ORDER_ID);
        assertEq(token.balanceOf(address(depository)), 100, "deposited");
    }

    function test_DepositPermit_WhenAStrangerCalls_Reverts() public {
        (uint8 v, bytes32 r, bytes32 s) = sign();
        vm.expectRevert(abi.encodeWithSelector(LocalApprovalProxy.OnlySolver.selector, STRANGER));
        vm.prank(STRANGER);
        proxy.depositPermit(owner, address(token), 100, block.timestamp, v, r, s, keccak256("another order"));
    }

    function test_DepositPermit2_WhenAStrangerCalls_Reverts() public {
        IBatchSignatureTransfer.PermitBatchTransferFrom memory permit = IBatchSignatureTransfer.PermitBatchTransferFrom(
            new ISignatureTransfer.TokenPermissions[](1), 0, block.timestamp
        );
        vm.expectRevert(abi.encodeWithSelector(LocalApprovalProxy.OnlySolver.selector, STRANGER));
        vm.prank(STRANGER);
        proxy.depositPermit2(owner, permit, "", ORDER_ID);
    }

    function sign() internal view returns (uint8 v, bytes32 r, bytes32 s) {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                owner,
                address(proxy),
                100,
                0,
                block.timestamp
            )
        );
        return vm.sign(OWNER_KEY, keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), structHash)));
    }
}
