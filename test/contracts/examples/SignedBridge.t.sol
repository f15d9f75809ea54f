// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {SignedBridge} from "../../../examples/SignedBridge.sol";
import {Requests} from "../support/Requests.sol";

contract SignedBridgeTest is Requests {
    address internal solver = vm.addr(KEY);
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    SignedBridge internal bridge = SignedBridge(deployCode("SignedBridge", abi.encode(solver)));
    RequestSignature.Fill internal fill =
        RequestSignature.Fill(keccak256("request"), 792703809, keccak256("user"), keccak256("currency"));

    function setUp() public {
        dollar.mint(address(this), 200);
        dollar.approve(address(bridge), 200);
    }

    function test_Bridge_WhenSolverSigned_PaysItWithTheId() public {
        bytes memory transferCall = abi.encodeCall(IERC20.transfer, (solver, 100));
        vm.expectCall(address(dollar), bytes.concat(transferCall, fill.requestId));
        bridge.bridge(dollar, 100, fill, signed(address(bridge)));
        assertEq(dollar.balanceOf(solver), 100, "solver");
        assertEq(dollar.balanceOf(address(bridge)), 0, "bridge");
        assertTrue(bridge.paid(fill.requestId), "paid");
    }

    function test_Bridge_WhenRequestIsPaid_Reverts() public {
        bytes memory signature = signed(address(bridge));
        bridge.bridge(dollar, 100, fill, signature);
        vm.expectRevert(abi.encodeWithSelector(SignedBridge.RequestAlreadyPaid.selector, fill.requestId));
        bridge.bridge(dollar, 100, fill, signature);
    }

    function test_Bridge_WhenQuoteNamesAnotherUser_Reverts() public {
        bytes memory signature = signed(address(this));
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        address signer = ecrecover(hashOf(requestOf(address(bridge))), uint8(signature[64]), r, s);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, signer, solver));
        bridge.bridge(dollar, 100, fill, signature);
    }

    function signed(address user) private view returns (bytes memory) {
        return sign(requestOf(user), KEY);
    }

    function requestOf(address user) private view returns (RequestSignature.RequestV2 memory) {
        return RequestSignature.RequestV2({
            requestId: fill.requestId,
            originChainId: block.chainid,
            originUser: word(user),
            originCurrency: word(address(dollar)),
            destinationChainId: fill.destinationChainId,
            destinationUser: fill.destinationUser,
            destinationCurrency: fill.destinationCurrency
        });
    }
}
