// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IErc3009} from "../../../contracts/interfaces/IErc3009.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {Authorizations} from "../support/Authorizations.sol";

contract LocalDollarTest is Authorizations {
    uint256 internal constant KEY = 0xa11ce;
    address internal constant PAYEE = address(0xb0b);
    bytes32 internal constant NONCE = keccak256("nonce");

    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    address internal holder = vm.addr(KEY);

    function setUp() public {
        vm.warp(1_000);
        dollar.mint(holder, 100);
    }

    function test_Metadata_MatchesADollar() public view {
        assertEq(dollar.name(), "Local Dollar", "name");
        assertEq(dollar.symbol(), "USDC", "symbol");
        assertEq(dollar.decimals(), 6, "decimals");
    }

    function test_TypeHashes_MatchTheEip() public view {
        assertEq(dollar.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), TRANSFER_TYPEHASH, "transfer");
        assertEq(dollar.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), RECEIVE_TYPEHASH, "receive");
        assertEq(dollar.CANCEL_AUTHORIZATION_TYPEHASH(), CANCEL_TYPEHASH, "cancel");
    }

    function test_DomainSeparator_IsOfNameAndVersion1() public view {
        bytes32 expected = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Local Dollar"),
                keccak256("1"),
                block.chainid,
                address(dollar)
            )
        );
        assertEq(dollar.DOMAIN_SEPARATOR(), expected, "separator");
    }

    function test_Mint_WhenCalledByAnyone_Mints() public {
        vm.expectEmit(address(dollar));
        emit IERC20.Transfer(address(0), PAYEE, 5);
        vm.prank(PAYEE);
        dollar.mint(PAYEE, 5);
    }

    function test_Permit_WhenSignedByHolder_Approves() public {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                holder,
                PAYEE,
                40,
                0,
                1_000
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, digestOf(dollar, structHash));
        vm.expectEmit(address(dollar));
        emit IERC20.Approval(holder, PAYEE, 40);
        dollar.permit(holder, PAYEE, 40, 1_000, v, r, s);
    }

    function test_TransferWithAuthorization_WhenSignedByHolder_Transfers() public {
        Authorization memory a = sample();
        Signature memory signature = signTransfer(dollar, TRANSFER_TYPEHASH, a, KEY);
        vm.expectEmit(address(dollar));
        emit IErc3009.AuthorizationUsed(holder, NONCE);
        vm.expectEmit(address(dollar));
        emit IERC20.Transfer(holder, PAYEE, 40);
        transfer(a, signature);
        assertTrue(dollar.authorizationState(holder, NONCE), "state");
        assertEq(dollar.balanceOf(PAYEE), 40, "payee");
    }

    function test_TransferWithAuthorization_WhenSignerIsNotHolder_Reverts() public {
        Authorization memory a = sample();
        Signature memory signature = signTransfer(dollar, TRANSFER_TYPEHASH, a, KEY + 1);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.InvalidAuthorizationSigner.selector, vm.addr(KEY + 1), holder));
        transfer(a, signature);
    }

    function test_TransferWithAuthorization_WhenSignatureIsMalleated_Reverts() public {
        Authorization memory a = sample();
        Signature memory signature = signTransfer(dollar, TRANSFER_TYPEHASH, a, KEY);
        uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        signature.s = bytes32(order - uint256(signature.s));
        signature.v = signature.v == 27 ? 28 : 27;
        vm.expectRevert(abi.encodeWithSelector(ECDSA.ECDSAInvalidSignatureS.selector, signature.s));
        transfer(a, signature);
    }

    function test_TransferWithAuthorization_WhenRepeated_Reverts() public {
        Authorization memory a = sample();
        Signature memory signature = signTransfer(dollar, TRANSFER_TYPEHASH, a, KEY);
        transfer(a, signature);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationAlreadyUsed.selector, holder, NONCE));
        transfer(a, signature);
    }

    function test_TransferWithAuthorization_AtValidAfter_Reverts() public {
        Authorization memory a = sample();
        a.validAfter = 1_000;
        Signature memory signature = signTransfer(dollar, TRANSFER_TYPEHASH, a, KEY);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationNotYetValid.selector, 1_000, 1_000));
        transfer(a, signature);
    }

    function test_TransferWithAuthorization_AtValidBefore_Reverts() public {
        Authorization memory a = sample();
        a.validBefore = 1_000;
        Signature memory signature = signTransfer(dollar, TRANSFER_TYPEHASH, a, KEY);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationExpired.selector, 1_000, 1_000));
        transfer(a, signature);
    }

    function test_ReceiveWithAuthorization_WhenSentByPayee_Transfers() public {
        Authorization memory a = sample();
        Signature memory signature = signTransfer(dollar, RECEIVE_TYPEHASH, a, KEY);
        vm.expectEmit(address(dollar));
        emit IErc3009.AuthorizationUsed(holder, NONCE);
        vm.expectEmit(address(dollar));
        emit IERC20.Transfer(holder, PAYEE, 40);
        receiveAs(PAYEE, a, signature);
    }

    function test_ReceiveWithAuthorization_WhenSentByOther_Reverts() public {
        Authorization memory a = sample();
        Signature memory signature = signTransfer(dollar, RECEIVE_TYPEHASH, a, KEY);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.CallerNotPayee.selector, address(this), PAYEE));
        receiveAs(address(this), a, signature);
    }

    function test_ReceiveWithAuthorization_WhenSignerIsNotHolder_Reverts() public {
        Authorization memory a = sample();
        Signature memory signature = signTransfer(dollar, RECEIVE_TYPEHASH, a, KEY + 1);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.InvalidAuthorizationSigner.selector, vm.addr(KEY + 1), holder));
        receiveAs(PAYEE, a, signature);
    }

    function test_ReceiveWithAuthorization_WhenRepeated_Reverts() public {
        Authorization memory a = sample();
        Signature memory signature = signTransfer(dollar, RECEIVE_TYPEHASH, a, KEY);
        receiveAs(PAYEE, a, signature);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationAlreadyUsed.selector, holder, NONCE));
        receiveAs(PAYEE, a, signature);
    }

    function test_ReceiveWithAuthorization_AtValidAfter_Reverts() public {
        Authorization memory a = sample();
        a.validAfter = 1_000;
        Signature memory signature = signTransfer(dollar, RECEIVE_TYPEHASH, a, KEY);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationNotYetValid.selector, 1_000, 1_000));
        receiveAs(PAYEE, a, signature);
    }

    function test_ReceiveWithAuthorization_AtValidBefore_Reverts() public {
        Authorization memory a = sample();
        a.validBefore = 1_000;
        Signature memory signature = signTransfer(dollar, RECEIVE_TYPEHASH, a, KEY);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationExpired.selector, 1_000, 1_000));
        receiveAs(PAYEE, a, signature);
    }

    function test_CancelAuthorization_WhenSignedByHolder_Cancels() public {
        Signature memory signature = signCancel(dollar, holder, NONCE, KEY);
        vm.expectEmit(address(dollar));
        emit IErc3009.AuthorizationCanceled(holder, NONCE);
        dollar.cancelAuthorization(holder, NONCE, signature.v, signature.r, signature.s);
        assertTrue(dollar.authorizationState(holder, NONCE), "state");

        Authorization memory a = sample();
        signature = signTransfer(dollar, TRANSFER_TYPEHASH, a, KEY);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationAlreadyUsed.selector, holder, NONCE));
        transfer(a, signature);
    }

    function test_CancelAuthorization_WhenSignerIsNotHolder_Reverts() public {
        Signature memory signature = signCancel(dollar, holder, NONCE, KEY + 1);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.InvalidAuthorizationSigner.selector, vm.addr(KEY + 1), holder));
        dollar.cancelAuthorization(holder, NONCE, signature.v, signature.r, signature.s);
    }

    function test_CancelAuthorization_WhenUsed_Reverts() public {
        Authorization memory a = sample();
        transfer(a, signTransfer(dollar, TRANSFER_TYPEHASH, a, KEY));
        Signature memory signature = signCancel(dollar, holder, NONCE, KEY);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationAlreadyUsed.selector, holder, NONCE));
        dollar.cancelAuthorization(holder, NONCE, signature.v, signature.r, signature.s);
    }

    function sample() internal view returns (Authorization memory) {
        return Authorization(holder, PAYEE, 40, 999, 1_001, NONCE);
    }

    function transfer(Authorization memory a, Signature memory signature) internal {
        dollar.transferWithAuthorization(
            a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature.v, signature.r, signature.s
        );
    }

    function receiveAs(address sender, Authorization memory a, Signature memory signature) internal {
        vm.prank(sender);
        dollar.receiveWithAuthorization(
            a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature.v, signature.r, signature.s
        );
    }
}
