// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {PushExecutor} from "../../../contracts/executor/PushExecutor.sol";
import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {IWrappedNative} from "../../../contracts/interfaces/IWrappedNative.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {BlocklistToken} from "../../../contracts/mocks/BlocklistToken.sol";
import {FalseToken} from "../../../contracts/mocks/FalseToken.sol";
import {FeeToken} from "../../../contracts/mocks/FeeToken.sol";
import {GasBurningToken} from "../../../contracts/mocks/GasBurningToken.sol";
import {HalfForwarder} from "../../../contracts/mocks/harness/HalfForwarder.sol";
import {HookedToken} from "../../../contracts/mocks/HookedToken.sol";
import {HostileVault} from "../../../contracts/mocks/HostileVault.sol";
import {LyingToken} from "../../../contracts/mocks/LyingToken.sol";
import {MuteToken} from "../../../contracts/mocks/MuteToken.sol";
import {PausableToken} from "../../../contracts/mocks/PausableToken.sol";
import {RebasingToken} from "../../../contracts/mocks/RebasingToken.sol";
import {StrictToken} from "../../../contracts/mocks/StrictToken.sol";
import {TwoDoorToken} from "../../../contracts/mocks/TwoDoorToken.sol";
import {Erc4626Proxy} from "../../../contracts/proxies/Erc4626Proxy.sol";
import {Programs} from "../support/Programs.sol";
import {RouterCalls} from "../support/RouterCalls.sol";

/// @title The typed proxy with hostile tokens, vaults and strangers
contract Erc4626ProxyHostileTest is RouterCalls {
    using Programs for Programs.Draft;

    address internal constant USER = address(0xa11ce);
    address internal constant STRANGER = address(0xb0b);
    uint256 internal constant MAX = type(uint256).max;

    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    HostileVault internal vault = HostileVault(deployCode("HostileVault", abi.encode(dollar)));
    Erc4626Proxy internal proxy = proxyFor(vault);

    function test_Execute_WhenTransferFromReturnsFalse_Reverts() public {
        FalseToken token = FalseToken(deployCode("FalseToken"));
        useToken(token);
        token.mint(address(router), 100);
        token.refuse(token.transferFrom.selector);
        refuses(abi.encodeWithSignature("SafeERC20FailedOperation(address)", token));
    }

    function test_Execute_WhenTransferFromReturnsTwoBytes_Reverts() public {
        refusesAnswer(hex"0001");
    }

    function test_Execute_WhenTransferFromReturns31Bytes_Reverts() public {
        refusesAnswer(new bytes(31));
    }

    function test_Execute_WhenTransferFromReturnsTrailingDataAndMovesNothing_Reverts() public {
        fund(100);
        bytes memory data = abi.encodeCall(dollar.transferFrom, (address(router), address(proxy), 100));
        vm.mockCall(address(dollar), data, bytes.concat(bytes32(uint256(1)), new bytes(100_000)));
        refuses(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
    }

    function test_Execute_WhenTokenIsRebasedMidCall_LeavesNothing() public {
        RebasingToken token = RebasingToken(deployCode("RebasingToken"));
        useToken(IERC20(address(token)));
        token.mint(address(router), 100);
        vault.take(5_000);
        vault.arm(address(token), abi.encodeCall(token.rebase, (2e18)));
        fill(100, 1);
        assertEq(token.balanceOf(address(proxy)), 0, "proxy");
        assertEq(token.balanceOf(USER), 150, "swept");
    }

    function test_Execute_WhenHookEntersTheExecutor_FindsNothing() public {
        PushExecutor executor = PushExecutor(deployCode("PushExecutor"));
        Programs.Draft memory draft;
        bytes memory theft = draft.declare(address(dollar), false, 0).packed(STRANGER);
        hookedFill(address(executor), Programs.executeData(theft));
        hookedFill(address(executor), Programs.pullData(dollar, theft));
    }

    /// @dev Plans leave the router's allowances for proxies and the puller: both take tokens from their caller only.
    function testFuzz_Execute_WhenRoutersAllowancesStand_StrangerTakesNothing(address stranger, uint96 amount) public {
        vm.assume(stranger != address(router) && stranger != address(0) && stranger != address(proxy));
        vm.assume(stranger != address(dollar) && stranger != address(vault));
        PushExecutor executor = PushExecutor(deployCode("PushExecutor"));
        vm.assume(stranger != address(executor) && stranger != executor.livePuller());
        bytes memory all = abi.encodeCall(dollar.approve, (address(proxy), MAX));
        bytes memory toPuller = abi.encodeCall(dollar.approve, (executor.livePuller(), MAX));
        router.multicall(steps(step(address(dollar), all), step(address(dollar), toPuller)), address(0), address(0), "");
        // As in the middle of a fill.
        fund(amount);
        vm.startPrank(stranger, stranger);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        proxy.execute(USER, 0, 0, MAX);
        Programs.Draft memory draft;
        bytes memory theft = Programs.pullData(dollar, draft.declare(address(dollar), false, 0).packed(USER));
        (bool success,) = address(executor).call(theft);
        vm.stopPrank();
        assertTrue(success, "a program without a minimum");
        assertEq(dollar.balanceOf(address(router)), amount, "router");
    }

    function test_Execute_WhenHookEntersABusyRouter_Reverts() public {
        HookedToken token = HookedToken(deployCode("HookedToken"));
        useToken(token);
        token.mint(address(router), 100);
        token.arm(address(router), cleanupErc20sData(address(token), STRANGER, 0));
        refuses(busyError(address(token), address(this)));
    }

    function test_Execute_WhenVaultEntersThroughTheRouter_Reverts() public {
        fund(100);
        bytes memory data = abi.encodeCall(IDestinationProxy.execute, (STRANGER, 0, 0, MAX));
        vault.arm(
            address(router),
            abi.encodeCall(IRouter.multicall, (steps(step(address(proxy), data)), address(0), address(0), ""))
        );
        refuses(busyError(address(vault), address(this)));
    }

    /// @dev A call from the router to itself clears the router's guard in all versions before 3.2. The proxy's own
    /// guard stays set.
    function test_Execute_WhenVaultEntersThroughTheRouterAfterItsSelfCall_Reverts() public {
        fund(100);
        bytes memory data = abi.encodeCall(IDestinationProxy.execute, (STRANGER, 0, 0, MAX));
        vault.arm(
            address(router),
            abi.encodeCall(IRouter.multicall, (steps(step(address(proxy), data)), address(0), address(0), ""))
        );
        IRouter.Call3Value[] memory calls = steps(
            step(address(dollar), approveData(address(proxy), MAX)),
            step(address(router), abi.encodeCall(IRouter.cleanupNative, (0, USER, ""))),
            step(address(proxy), executeData(0, 0))
        );
        vm.expectRevert(
            isRouter32()
                ? busyError(address(vault), address(this))
                : abi.encodeWithSelector(ReentryGuard.Reentered.selector)
        );
        router.multicall(calls, address(0), address(0), "");
    }

    function test_Execute_WhenVaultEntersTheRouterAfterItsSelfCall_FindsNothingOfTheFill() public virtual {
        fund(100);
        vault.arm(address(router), cleanupErc20sData(address(dollar), STRANGER, 0));
        router.multicall(
            steps(
                step(address(dollar), approveData(address(proxy), MAX)),
                step(address(router), abi.encodeCall(IRouter.cleanupNative, (0, USER, ""))),
                step(address(proxy), executeData(100, 100))
            ),
            address(0),
            address(0),
            ""
        );
        assertEq(vault.balanceOf(USER), 100, "shares");
        assertEq(dollar.balanceOf(STRANGER), 0, "stranger");
    }

    function test_Execute_WhenSweptUserIsBlocked_Reverts() public {
        BlocklistToken token = BlocklistToken(deployCode("BlocklistToken"));
        useToken(token);
        token.mint(address(router), 100);
        token.blockAccount(USER);
        vault.take(5_000);
        refuses(abi.encodeWithSelector(BlocklistToken.Blocked.selector, USER));
    }

    function test_Execute_WhenTokenIsPausedBeforeTheFill_Reverts() public {
        PausableToken token = PausableToken(deployCode("PausableToken"));
        useToken(token);
        token.mint(address(router), 100);
        token.pause();
        refuses(abi.encodeWithSignature("EnforcedPause()"));
        assertEq(token.balanceOf(address(router)), 100, "router");
    }

    function test_Execute_WhenTokenReportsTooMuch_Reverts() public {
        LyingToken token = LyingToken(deployCode("LyingToken"));
        useToken(token);
        token.mint(address(router), 100);
        token.setBalance(address(router), 101);
        refuses(abi.encodeWithSignature("ERC20InsufficientBalance(address,uint256,uint256)", router, 100, 101));
    }

    function test_Execute_WhenTokenMisreportsProxyBalance_ActsOnNothing() public {
        LyingToken token = LyingToken(deployCode("LyingToken"));
        useToken(token);
        token.mint(address(router), 100);
        token.setBalance(address(proxy), 1_000);
        refuses(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
    }

    function test_Execute_WhenBalanceOfReverts_Reverts() public {
        MuteToken token = MuteToken(deployCode("MuteToken"));
        useToken(token);
        refuses(abi.encodeWithSignature("BalanceUnreadable(address)", token));
    }

    function test_Execute_WhenBalanceHasTwoBytes_Reverts() public {
        refusesBalance(hex"0001");
    }

    function test_Execute_WhenBalanceHas31Bytes_Reverts() public {
        refusesBalance(new bytes(31));
    }

    function test_Execute_WhenNativeIsForced_ChangesNothing() public {
        vm.deal(address(proxy), 1);
        fund(100);
        fill(100, 100);
        assertEq(vault.balanceOf(USER), 100, "shares");
        assertEq(address(proxy).balance, 1, "forced");
        assertEq(USER.balance, 0, "user");
    }

    function test_Execute_WhenBalanceOfBurnsGas_Reverts() public {
        GasBurningToken token = GasBurningToken(deployCode("GasBurningToken"));
        useToken(token);
        (bool success, bytes memory data) = address(proxy).call{gas: 1_000_000}(executeData(0, 0));
        assertFalse(success, "success");
        assertEq(data, abi.encodeWithSignature("BalanceUnreadable(address)", token), "reason");
    }

    function test_Execute_WhenVaultTakesNothing_SweepsAll() public {
        fund(100);
        vault.take(0);
        fill(100, 0);
        assertEq(dollar.balanceOf(USER), 100, "swept");
        assertEq(dollar.balanceOf(address(proxy)), 0, "proxy");
    }

    function test_Execute_WhenVaultReturnsInputByACallback_SweepsIt() public {
        fund(100);
        dollar.mint(address(vault), 40);
        vault.arm(address(dollar), abi.encodeCall(dollar.transfer, (address(proxy), 40)));
        fill(100, 100);
        assertEq(dollar.balanceOf(USER), 40, "swept");
        assertEq(dollar.balanceOf(address(proxy)), 0, "proxy");
    }

    function test_Execute_WhenOutputTakesFee_CountsReceivedAmount() public {
        FeeToken token = FeeToken(deployCode("FeeToken", abi.encode(100)));
        HalfForwarder forwarder = HalfForwarder(deployCode("HalfForwarder", abi.encode(token, token)));
        token.mint(address(this), 1_000);
        token.approve(address(forwarder), 1_000);
        // The proxy receives 990 units and forwards 495, of which 4 are the token's fee.
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 491, 492));
        forwarder.execute(USER, 990, 492, MAX);
    }

    function test_Execute_WhenVaultIsInflatedByDonation_RevertsForMinimum() public {
        (LocalVault plain,) = inflated(1_000);
        fund(100);
        refusesFill(100, 90, abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 0, 90));
        assertEq(plain.balanceOf(USER), 0, "shares");
    }

    function test_Execute_WhenVaultIsInflatedWithoutMinimum_DonorCannotGain() public {
        (LocalVault plain, uint256 spent) = inflated(1_000);
        fund(100);
        fill(100, 0);
        vm.prank(STRANGER);
        uint256 taken = plain.redeem(1, STRANGER, STRANGER);
        assertLt(taken, spent, "donor's loss");
    }

    function test_Fill_WhenStrangerPresetsTheRoutersAllowance_ResetStillFills() public {
        StrictToken token = StrictToken(deployCode("StrictToken"));
        useToken(IERC20(address(token)));
        vm.prank(STRANGER);
        router.multicall(steps(step(address(token), approveData(address(proxy), 1))), address(0), address(0), "");
        token.mint(address(router), 100);
        refuses(abi.encodeWithSelector(StrictToken.ApprovalNotZero.selector, 1, MAX));
        router.multicall(
            steps(
                step(address(token), approveData(address(proxy), 0)),
                step(address(token), approveData(address(proxy), MAX)),
                step(address(proxy), executeData(100, 100))
            ),
            address(0),
            address(0),
            ""
        );
        assertEq(vault.balanceOf(USER), 100, "shares");
    }

    function test_Execute_WhenTokenHasTwoAddresses_OtherAddressMovesNothing() public {
        TwoDoorToken token = TwoDoorToken(deployCode("TwoDoorToken"));
        useToken(token);
        token.mint(address(router), 100);
        token.mint(address(proxy), 5);
        IERC20 second = token.second();
        vm.expectRevert(abi.encodeWithSignature("ERC20InsufficientAllowance(address,uint256,uint256)", STRANGER, 0, 5));
        vm.prank(STRANGER);
        second.transferFrom(address(proxy), STRANGER, 5);
        fill(100, 100);
        assertEq(second.balanceOf(address(proxy)), 5, "donation");
    }

    function test_Execute_WhenBalanceIsOne_Deposits() public {
        fund(1);
        fill(1, 1);
        assertEq(vault.balanceOf(USER), 1, "shares");
    }

    function test_Execute_WhenRecipientIsAToken_Reverts() public {
        address[2] memory tokens = [address(dollar), address(vault)];
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsToken.selector, tokens[i]));
            proxy.execute(tokens[i], 0, 0, MAX);
        }
    }

    function proxyFor(IERC4626 vault_) internal returns (Erc4626Proxy) {
        return Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(vault_, IWrappedNative(address(0)))));
    }

    function useToken(IERC20 token) internal {
        vault = HostileVault(deployCode("HostileVault", abi.encode(token)));
        proxy = proxyFor(vault);
    }

    function fund(uint256 amount) internal {
        dollar.mint(address(router), amount);
    }

    /// @dev Sets up a vault in which the stranger holds a share. A donation makes the next deposit round down to
    /// zero shares.
    function inflated(uint256 donation) internal returns (LocalVault plain, uint256 spent) {
        plain = LocalVault(deployCode("LocalVault", abi.encode(dollar, "Vault", "VLT")));
        proxy = proxyFor(plain);
        dollar.mint(address(this), 1);
        dollar.approve(address(plain), 1);
        plain.deposit(1, STRANGER);
        dollar.mint(address(plain), donation);
        spent = donation + 1;
    }

    /// @dev Starts a fill with a token that makes a call during its transfer, and stores state that the call must
    /// not see.
    function hookedFill(address to, bytes memory data) internal {
        HookedToken token = HookedToken(deployCode("HookedToken"));
        useToken(token);
        token.mint(address(router), 100);
        token.arm(to, data);
        fill(100, 100);
        assertEq(vault.balanceOf(USER), 100, "shares");
        assertEq(dollar.balanceOf(STRANGER) + token.balanceOf(STRANGER), 0, "stranger");
    }

    function fill(uint256 minimumIn, uint256 minimumOut) internal {
        router.multicall(fillCalls(minimumIn, minimumOut), address(0), address(0), "");
    }

    function fillCalls(uint256 minimumIn, uint256 minimumOut) internal view returns (IRouter.Call3Value[] memory) {
        return steps(
            step(address(proxy.inputToken()), approveData(address(proxy), MAX)),
            step(address(proxy), executeData(minimumIn, minimumOut))
        );
    }

    function refuses(bytes memory revertData) internal {
        refusesFill(0, 0, revertData);
    }

    function refusesFill(uint256 minimumIn, uint256 minimumOut, bytes memory revertData) internal {
        IRouter.Call3Value[] memory calls = fillCalls(minimumIn, minimumOut);
        vm.expectRevert(revertData);
        router.multicall(calls, address(0), address(0), "");
    }

    function refusesBalance(bytes memory answer) internal {
        fund(100);
        vm.mockCall(address(dollar), abi.encodeCall(dollar.balanceOf, (address(router))), answer);
        refuses(abi.encodeWithSignature("BalanceUnreadable(address)", dollar));
    }

    function refusesAnswer(bytes memory answer) internal {
        fund(100);
        bytes memory data = abi.encodeCall(dollar.transferFrom, (address(router), address(proxy), 100));
        vm.mockCall(address(dollar), data, answer);
        refuses(abi.encodeWithSignature("SafeERC20FailedOperation(address)", dollar));
    }

    function executeData(uint256 minimumIn, uint256 minimumOut) internal pure returns (bytes memory) {
        return abi.encodeCall(IDestinationProxy.execute, (USER, minimumIn, minimumOut, MAX));
    }
}
