// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IRequestPolicy} from "../../../contracts/interfaces/IRequestPolicy.sol";
import {IRequestReceiver} from "../../../contracts/interfaces/IRequestReceiver.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {LocalDepository} from "../../../contracts/localnet/LocalDepository.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {RequestReceiver} from "../../../contracts/receiver/RequestReceiver.sol";
import {Permit2} from "./Permit2.sol";

/// @title A receiver with its dependencies, and requests for it
abstract contract ReceiverTest is Permit2 {
    uint256 internal constant USER_KEY = 0xa11ce;
    bytes32 internal constant ORDER_ID = keccak256("order");
    address internal constant STRANGER = address(0xb0b);

    address internal solver = vm.addr(KEY);
    address internal user = vm.addr(USER_KEY);
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    LocalDepository internal depository =
        LocalDepository(deployCode("LocalDepository", abi.encode(STRANGER, STRANGER)));
    address internal permit2 = placePermit2();
    RequestReceiver internal receiver = receiverFor(solver, address(0));

    function setUp() public virtual {
        vm.chainId(PERMIT2_CHAIN_ID);
        vm.warp(1_000);
        vm.deal(user, 1_000);
    }

    function receiverFor(address solver_, address policy) internal returns (RequestReceiver) {
        return RequestReceiver(
            deployCode("RequestReceiver", abi.encode(solver_, address(depository), permit2, IRequestPolicy(policy)))
        );
    }

    function requestIn(address currency) internal view returns (RequestSignature.Request memory) {
        return RequestSignature.Request({
            requestId: keccak256("request"),
            originChainId: PERMIT2_CHAIN_ID,
            originUser: word(user),
            originCurrency: word(currency),
            originAmount: 100,
            destinationChainId: 792703809,
            destinationUser: keccak256("recipient")
        });
    }

    function forward() internal pure returns (IRequestReceiver.Terms memory) {
        return IRequestReceiver.Terms(1_000, bytes32(0));
    }

    function deposit() internal pure returns (IRequestReceiver.Terms memory) {
        return IRequestReceiver.Terms(1_000, ORDER_ID);
    }

    function payNative(RequestSignature.Request memory request, IRequestReceiver.Terms memory terms) internal {
        vm.prank(user);
        receiver.payNative{value: 100}(request, terms, sign(request, KEY));
    }

    function payToken(RequestSignature.Request memory request, IRequestReceiver.Terms memory terms) internal {
        vm.prank(user);
        receiver.payToken(request, terms, sign(request, KEY));
    }

    function refusesNative(RequestSignature.Request memory request, bytes memory signature, bytes memory error_)
        internal
    {
        vm.expectRevert(error_);
        vm.prank(user);
        receiver.payNative{value: 100}(request, forward(), signature);
    }

    function refusesToken(
        RequestSignature.Request memory request,
        IRequestReceiver.Terms memory terms,
        bytes memory error_
    ) internal {
        bytes memory signature = sign(request, KEY);
        vm.expectRevert(error_);
        vm.prank(user);
        receiver.payToken(request, terms, signature);
    }

    /// @dev Approves the receiver as the user. Ignores the return data, because a token may return nothing.
    function approve(IERC20 token, uint256 amount) internal {
        vm.prank(user);
        (bool success,) = address(token).call(abi.encodeCall(IERC20.approve, (address(receiver), amount)));
        assertTrue(success, "approved");
    }
}
