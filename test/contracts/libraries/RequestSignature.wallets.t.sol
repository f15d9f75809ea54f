// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {SignatureCaller} from "../../../contracts/mocks/harness/SignatureCaller.sol";
import {Wallet1271} from "../../../contracts/mocks/harness/Wallet1271.sol";
import {LiveRequest} from "../support/LiveRequest.sol";
import {Requests} from "../support/Requests.sol";

/// @dev Tests with solver wallets that are contracts.
contract RequestSignatureWalletsTest is Requests {
    bytes4 internal constant MAGIC = IERC1271.isValidSignature.selector;

    SignatureCaller internal caller = SignatureCaller(deployCode("SignatureCaller"));
    RequestSignature.Request internal request = LiveRequest.request();

    function test_RequireSigned_WhenWalletAccepts_Passes() public {
        Wallet1271 wallet = Wallet1271(deployCode("Wallet1271", abi.encode(vm.addr(KEY))));
        caller.requireSigned(request, address(wallet), sign(request, KEY));
    }

    function test_RequireSigned_WhenSolverIsWallet_PassesHashAndSignature() public {
        address wallet = deployCode("FixedAnswer", abi.encode(abi.encode(MAGIC)));
        bytes memory signature = "a wallet's own format of any length, as long as this one or longer yet";
        vm.expectCall(wallet, abi.encodeCall(IERC1271.isValidSignature, (hashOf(request), signature)));
        caller.requireSigned(request, wallet, signature);
    }

    function test_RequireSigned_WhenWalletRefuses_Reverts() public {
        refuses(deployCode("Wallet1271", abi.encode(vm.addr(KEY))), sign(request, KEY + 1));
    }

    function test_RequireSigned_WhenWalletHasTheSolversKeyButRefuses_Reverts() public {
        refuses(deployCode("FixedAnswer", abi.encode(abi.encode(bytes4(0xffffffff)))), sign(request, KEY));
    }

    function test_RequireSigned_WhenWalletReturnsAnotherWord_Reverts() public {
        refuses(deployCode("FixedAnswer", abi.encode(abi.encode(bytes4(0)))), "");
        refuses(deployCode("FixedAnswer", abi.encode(abi.encode(true))), "");
        refuses(deployCode("FixedAnswer", abi.encode(abi.encode(uint32(MAGIC)))), "");
        refuses(deployCode("FixedAnswer", abi.encode(bytes.concat(MAGIC, bytes28(type(uint224).max)))), "");
    }

    function test_RequireSigned_WhenWalletReturnsTooFewBytes_Reverts() public {
        refuses(deployCode("FixedAnswer", abi.encode("")), "");
        refuses(deployCode("FixedAnswer", abi.encode(abi.encodePacked(MAGIC))), "");
        refuses(deployCode("FixedAnswer", abi.encode(bytes.concat(MAGIC, new bytes(27)))), "");
    }

    function test_RequireSigned_WhenWalletReturnsAMillionBytes_ReadsTheFirstWord() public {
        caller.requireSigned(request, deployCode("HugeAnswer", abi.encode(MAGIC)), "");
        refuses(deployCode("HugeAnswer", abi.encode(0)), "");
    }

    function test_RequireSigned_WhenWalletReverts_Reverts() public {
        refuses(deployCode("Target"), sign(request, KEY));
    }

    function test_RequireSigned_WhenWalletRevertsWithTheMagicValue_Reverts() public {
        address wallet = deployCode("FixedAnswer", abi.encode(""));
        bytes memory question = abi.encodeCall(IERC1271.isValidSignature, (hashOf(request), ""));
        vm.mockCallRevert(wallet, question, abi.encode(MAGIC));
        refuses(wallet, "");
    }

    function test_RequireSigned_WhenWalletBurnsGas_Reverts() public {
        address wallet = deployCode("GasBurner");
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WalletRefused.selector, wallet, hashOf(request)));
        caller.requireSigned{gas: 1_000_000}(request, wallet, "");
    }

    function test_RequireSigned_WhenAccountIsDelegated_StillTakesItsKey() public {
        address solver = vm.addr(KEY);
        vm.etch(solver, abi.encodePacked(hex"ef0100", address(caller)));
        caller.requireSigned(request, solver, sign(request, KEY));
        caller.requireSigned(request, solver, signCompact(request, KEY));
    }

    function refuses(address wallet, bytes memory signature) private {
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WalletRefused.selector, wallet, hashOf(request)));
        caller.requireSigned(request, wallet, signature);
    }
}
