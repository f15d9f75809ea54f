// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IErc3009} from "../../../contracts/interfaces/IErc3009.sol";
import {LiveDollar} from "../../../contracts/localnet/tokens/LiveDollar.sol";
import {LiveToken} from "../../../contracts/localnet/tokens/LiveToken.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {Authorizations} from "../support/Authorizations.sol";

contract LiveDollarTest is Authorizations {
    uint256 internal constant KEY = 0xa11ce;
    address internal constant PAYEE = address(0xb0b);
    bytes32 internal constant NONCE = keccak256("nonce");
    address internal constant LIVE = 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913;

    LiveDollar internal dollar = LiveDollar(LIVE);
    address internal holder = vm.addr(KEY);

    function setUp() public {
        LiveDollar instance = new LiveDollar("USD Coin", "USDC", 6, "2");
        vm.etch(LIVE, address(instance).code);
        vm.chainId(8453);
        vm.warp(1_000);
        dollar.mint(holder, 100);
    }

    function test_Facts_AtAnotherAddress_AreThoseOfTheConstructor() public view {
        assertEq(dollar.name(), "USD Coin", "name");
        assertEq(dollar.symbol(), "USDC", "symbol");
        assertEq(dollar.decimals(), 6, "decimals");
        assertEq(dollar.version(), "2", "version");
        // Value that the live contract returns.
        assertEq(
            dollar.DOMAIN_SEPARATOR(),
            0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f,
            "domain separator"
        );
    }

    function test_Permit_WhenSignedByHolder_Approves(uint256 value) public {
        bytes32 structHash =
            keccak256(abi.encode(dollar.PERMIT_TYPEHASH(), holder, PAYEE, value, uint256(0), uint256(1_000)));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _digest(structHash));
        dollar.permit(holder, PAYEE, value, 1_000, v, r, s);
        assertEq(dollar.allowance(holder, PAYEE), value, "allowance");
        assertEq(dollar.nonces(holder), 1, "nonce");
        vm.expectRevert(abi.encodeWithSelector(LiveToken.InvalidSignature.selector, holder));
        dollar.permit(holder, PAYEE, value, 1_000, v, r, s);
    }

    function test_Permit_WhenExpired_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(LiveToken.PermitExpired.selector, 999, 1_000));
        dollar.permit(holder, PAYEE, 1, 999, "");
    }

    function test_Transfer_WithWordsAndWithBytes_MovesOnceEach() public {
        Authorization memory a = Authorization(holder, PAYEE, 30, 0, 2_000, NONCE);
        Signature memory signature = _sign(TRANSFER_TYPEHASH, a);
        dollar.transferWithAuthorization(
            a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature.v, signature.r, signature.s
        );
        assertEq(dollar.balanceOf(PAYEE), 30, "words");

        bytes memory packed = abi.encodePacked(signature.r, signature.s, signature.v);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationAlreadyUsed.selector, holder, NONCE));
        dollar.transferWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, packed);

        a.nonce = keccak256("other");
        signature = _sign(TRANSFER_TYPEHASH, a);
        packed = abi.encodePacked(signature.r, signature.s, signature.v);
        dollar.transferWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, packed);
        assertEq(dollar.balanceOf(PAYEE), 60, "bytes");
    }

    function test_Transfer_WhenChanged_Reverts() public {
        Authorization memory a = Authorization(holder, PAYEE, 30, 0, 2_000, NONCE);
        Signature memory signature = _sign(TRANSFER_TYPEHASH, a);
        bytes memory packed = abi.encodePacked(signature.r, signature.s, signature.v);
        vm.expectRevert(abi.encodeWithSelector(LiveToken.InvalidSignature.selector, holder));
        dollar.transferWithAuthorization(holder, PAYEE, 31, 0, 2_000, NONCE, packed);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationExpired.selector, 1_000, 1_000));
        dollar.transferWithAuthorization(holder, PAYEE, 30, 0, 1_000, NONCE, packed);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationNotYetValid.selector, 1_000, 1_000));
        dollar.transferWithAuthorization(holder, PAYEE, 30, 1_000, 2_000, NONCE, packed);
    }

    function test_Receive_WhenCalledByAnother_Reverts() public {
        Authorization memory a = Authorization(holder, PAYEE, 30, 0, 2_000, NONCE);
        Signature memory signature = _sign(RECEIVE_TYPEHASH, a);
        bytes memory packed = abi.encodePacked(signature.r, signature.s, signature.v);
        vm.expectRevert(abi.encodeWithSelector(IErc3009.CallerNotPayee.selector, address(this), PAYEE));
        dollar.receiveWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, packed);
        vm.prank(PAYEE);
        dollar.receiveWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, packed);
        assertEq(dollar.balanceOf(PAYEE), 30, "balance");
    }

    function test_Cancel_WhenSignedByHolder_MakesTheNonceUnusable() public {
        Signature memory signature = signCancel(LocalDollar(LIVE), holder, NONCE, KEY);
        dollar.cancelAuthorization(holder, NONCE, signature.v, signature.r, signature.s);
        assertTrue(dollar.authorizationState(holder, NONCE), "state");
        vm.expectRevert(abi.encodeWithSelector(IErc3009.AuthorizationAlreadyUsed.selector, holder, NONCE));
        dollar.transferWithAuthorization(holder, PAYEE, 30, 0, 2_000, NONCE, "");
    }

    function _sign(bytes32 typeHash, Authorization memory a) private view returns (Signature memory) {
        return signTransfer(LocalDollar(LIVE), typeHash, a, KEY);
    }

    function _digest(bytes32 structHash) private view returns (bytes32) {
        return digestOf(LocalDollar(LIVE), structHash);
    }
}
