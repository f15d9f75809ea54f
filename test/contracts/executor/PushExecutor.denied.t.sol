// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {CallMaker} from "../../../contracts/mocks/CallMaker.sol";
import {HookRegistry} from "../../../contracts/mocks/HookRegistry.sol";
import {RegistryToken} from "../../../contracts/mocks/RegistryToken.sol";
import {TwoDoorToken} from "../../../contracts/mocks/TwoDoorToken.sol";
import {deniedFunctions} from "../support/deniedFunctions.sol";
import {ExecutorTest} from "../support/ExecutorTest.sol";
import {Programs} from "../support/Programs.sol";

/// @title Accounts and functions that a program must not pay or call
contract PushExecutorDeniedTest is ExecutorTest {
    using Programs for Programs.Draft;

    function test_Execute_WhenRecipientIsDenied_Reverts() public {
        address[5] memory list = denied();
        for (uint256 i = 0; i < list.length; ++i) {
            refuses(dollars().packed(list[i]), recipientDenied(list[i]));
        }
        refuses(dollars().packed(address(0)), recipientDenied(address(0)));
    }

    function test_Execute_WhenRecipientIsTheSecondToken_Reverts() public {
        Programs.Draft memory draft = dollars();
        draft.declare(address(vault), false, 0).plain(address(target), recordData());
        refuses(draft.packed(address(vault)), recipientDenied(address(vault)));
        refuses(draft.packedWithFallback(address(vault), USER, 0, 0), recipientDenied(address(vault)));
        refuses(draft.packedWithFallback(USER, address(vault), 0, 0), recipientDenied(address(vault)));
    }

    function test_Execute_WhenFallbackRecipientIsDenied_Reverts() public {
        address[5] memory list = denied();
        for (uint256 i = 0; i < list.length; ++i) {
            refuses(dollars().packedWithFallback(USER, list[i], 0, 0), recipientDenied(list[i]));
        }
        refuses(dollars().packedWithFallback(USER, address(0), 0, 0), recipientDenied(address(0)));
    }

    function test_Execute_WhenTargetIsDenied_Reverts() public {
        address[5] memory list = denied();
        for (uint256 i = 0; i < list.length; ++i) {
            Programs.Draft memory draft = dollars();
            draft.plain(address(target), recordData()).plain(list[i], recordData());
            refuses(draft.packed(USER), targetDenied(1, list[i]));
        }
    }

    function test_Execute_WhenTargetIsZero_Reverts() public {
        Programs.Draft memory draft = dollars();
        refuses(draft.plain(address(0), recordData()).packed(USER), targetDenied(0, address(0)));
    }

    function test_Execute_WhenTargetIsTheSecondToken_Reverts() public {
        Programs.Draft memory draft = dollars();
        draft.declare(address(vault), false, 0).give(address(vault), 0, 10_000, depositData());
        refuses(draft.packed(USER), targetDenied(0, address(vault)));
    }

    function test_Execute_WhenFallingBack_DeniesCallerAsTarget() public {
        Programs.Draft memory draft = dollars();
        draft.plain(address(this), recordData());
        refuses(draft.packedWithFallback(USER, STRANGER, 0, 0), targetDenied(0, address(this)));
    }

    function test_Execute_WhenTargetHasNoCode_Reverts() public {
        Programs.Draft memory draft;
        draft.plain(NO_CODE, recordData());
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.TargetWithoutCode.selector, 0, NO_CODE));
    }

    function test_Execute_WhenTokenHasNoCode_Reverts() public {
        Programs.Draft memory draft;
        draft.declare(NO_CODE, false, 0);
        refuses(draft.packed(USER), abi.encodeWithSignature("BalanceUnreadable(address)", NO_CODE));
    }

    function test_Execute_WhenSelectorIsDenied_Reverts() public {
        string[] memory functions = deniedFunctions();
        for (uint256 i = 0; i < functions.length; ++i) {
            bytes4 selector = bytes4(keccak256(bytes(functions[i])));
            refusesSelector(abi.encodeWithSelector(selector, STRANGER, MAX), selector);
            refusesSelector(abi.encodePacked(selector), selector);
        }
    }

    function testFuzz_Execute_AnyOtherSelector_IsCalled(bytes4 selector) public {
        Programs.Draft memory draft;
        CallMaker willing = CallMaker(deployCode("CallMaker"));
        vm.assume(selector != CallMaker.arm.selector);
        bytes memory program = draft.plain(address(willing), abi.encodePacked(selector)).packed(USER);
        (bool success, bytes memory returnData) = address(executor).call(executeData(program));
        bytes memory reason = abi.encodeWithSelector(IPushExecutor.SelectorDenied.selector, 0, selector);
        assertTrue(success || keccak256(returnData) == keccak256(reason), "called, or denied by name");
    }

    /// @dev A registry stores the hook to call when the executor receives a token. If a stranger could set one, the
    /// push would hand the tokens to the hook before their program runs.
    function test_Execute_WhenStrangerNamesAReceiverHook_CannotTakeALaterPush() public {
        HookRegistry registry = HookRegistry(deployCode("HookRegistry"));
        RegistryToken token = RegistryToken(deployCode("RegistryToken", abi.encode(registry)));
        CallMaker hook = CallMaker(deployCode("CallMaker"));
        Programs.Draft memory theft;
        theft.declare(address(token), false, 0);
        hook.arm(address(executor), executeData(theft.packed(STRANGER)));

        Programs.Draft memory naming;
        bytes memory data =
            abi.encodeCall(registry.setInterfaceImplementer, (address(executor), token.HOOK(), address(hook)));
        bytes memory program = naming.plain(address(registry), data).packed(STRANGER);
        (bool success, bytes memory returnData) = address(executor).call(executeData(program));

        token.mint(address(this), 100);
        token.transfer(address(executor), 100);
        execute(theft.packed(USER));
        assertEq(token.balanceOf(USER), 100, "user");
        assertEq(token.balanceOf(STRANGER), 0, "stranger");
        assertFalse(success, "naming");
        bytes4 selector = registry.setInterfaceImplementer.selector;
        assertEq(returnData, abi.encodeWithSelector(IPushExecutor.SelectorDenied.selector, 0, selector), "reason");
    }

    function test_Execute_WhenTokenIsFakeAndTargetReal_MovesNothingOfTarget() public {
        dollar.mint(address(router), 100);
        dollar.mint(USER, 50);
        TwoDoorToken fake = TwoDoorToken(deployCode("TwoDoorToken"));
        fake.mint(address(executor), 100);
        bytes4[3] memory selectors = [dollar.transfer.selector, dollar.approve.selector, dollar.transferFrom.selector];
        for (uint256 i = 0; i < selectors.length; ++i) {
            Programs.Draft memory draft;
            draft.declare(address(fake), false, 0);
            bytes memory data = abi.encodeWithSelector(selectors[i], STRANGER, Programs.sentinel(), 0);
            draft.step(address(dollar), Programs.draw(1, 0, 10_000), 1, Programs.patch(0, 36, 32), data);
            refuses(
                draft.packed(STRANGER), abi.encodeWithSelector(IPushExecutor.SelectorDenied.selector, 0, selectors[i])
            );
        }
        assertEq(dollar.balanceOf(address(router)), 100, "router");
        assertEq(dollar.balanceOf(USER), 50, "user");
        assertEq(dollar.allowance(address(executor), STRANGER), 0, "allowance");
    }

    function test_Execute_WhenTokenHasTwoAddresses_OtherAddressMovesNothing() public {
        TwoDoorToken token = TwoDoorToken(deployCode("TwoDoorToken"));
        token.mint(address(executor), 100);
        Programs.Draft memory draft;
        draft.declare(address(token), false, 100);
        bytes memory data = abi.encodeCall(token.approve, (STRANGER, 100));
        draft.plain(address(token.second()), data);
        refuses(
            draft.packed(USER), abi.encodeWithSelector(IPushExecutor.SelectorDenied.selector, 0, token.approve.selector)
        );
    }

    function test_Execute_WhenBothAddressesOfATokenAreDeclared_SweepsOnceAndEndsAllowances() public {
        TwoDoorToken token = TwoDoorToken(deployCode("TwoDoorToken"));
        token.mint(address(executor), 100);
        Programs.Draft memory draft;
        draft.declare(address(token), false, 100).declare(address(token.second()), false, 100);
        bytes memory draws = bytes.concat(Programs.draw(1, 0, 10_000), Programs.draw(1, 1, 10_000));
        draft.step(address(target), draws, 2, "", takeData(token, 30));
        execute(draft.packed(USER));
        assertEq(token.balanceOf(USER), 70, "swept");
        restsEmpty(token, address(target));
    }

    /// @dev Returns the declared token, then the accounts that are denied to every program.
    function denied() internal view returns (address[5] memory) {
        return [address(dollar), address(executor), address(puller), PERMIT2, address(this)];
    }

    function refusesSelector(bytes memory data, bytes4 selector) internal {
        Programs.Draft memory draft;
        draft.plain(address(target), data);
        refuses(draft.packed(USER), abi.encodeWithSelector(IPushExecutor.SelectorDenied.selector, 0, selector));
    }

    function recipientDenied(address recipient) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.RecipientDenied.selector, recipient);
    }

    function targetDenied(uint256 step, address account) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IPushExecutor.TargetDenied.selector, step, account);
    }
}
