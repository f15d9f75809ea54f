// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {NativeHook} from "../../../contracts/mocks/NativeHook.sol";
import {NativeRefuser} from "../../../contracts/mocks/NativeRefuser.sol";
import {ForwardTest} from "../support/ForwardTest.sol";

contract DestinationProxyForwardNativeTest is ForwardTest {
    function setUp() public {
        setUpTarget(IERC20(address(0)));
    }

    function test_Execute_WhenRecipientRefusesNative_Reverts() public {
        address refuser = deployCode("NativeRefuser");
        failsToPay(refuser, abi.encodeWithSelector(NativeRefuser.Refused.selector, 100));
    }

    function test_Execute_WhenRecipientReenters_Reverts() public {
        NativeHook hook = NativeHook(deployCode("NativeHook"));
        hook.arm(address(proxy), abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, block.timestamp)));
        failsToPay(address(hook), abi.encodeWithSelector(ReentryGuard.Reentered.selector));
    }

    function outputOf(address account) internal view override returns (uint256) {
        return account.balance;
    }

    function giveOutput(address to, uint256 amount) internal override {
        vm.deal(to, amount);
    }

    function failsToPay(address recipient, bytes memory reason) private {
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.NativeTransferFailed.selector, recipient, 100, reason));
        run(recipient, 0, 0);
    }
}
