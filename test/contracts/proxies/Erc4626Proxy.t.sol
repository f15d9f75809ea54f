// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {IWrappedNative} from "../../../contracts/interfaces/IWrappedNative.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {FeeToken} from "../../../contracts/mocks/FeeToken.sol";
import {HookedToken} from "../../../contracts/mocks/HookedToken.sol";
import {HostileVault} from "../../../contracts/mocks/HostileVault.sol";
import {StickyToken} from "../../../contracts/mocks/StickyToken.sol";
import {StrictToken} from "../../../contracts/mocks/StrictToken.sol";
import {Erc4626Proxy} from "../../../contracts/proxies/Erc4626Proxy.sol";
import {Test} from "../support/Test.sol";

contract Erc4626ProxyTest is Test {
    address internal constant CALLER = address(0xca11);
    address internal constant USER = address(0xa11ce);
    address internal constant STRANGER = address(0xb0b);
    IWrappedNative internal constant NO_NATIVE = IWrappedNative(address(0));

    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    LocalVault internal vault = LocalVault(deployCode("LocalVault", abi.encode(dollar, "Vault", "VLT")));
    Erc4626Proxy internal proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(vault, NO_NATIVE)));

    function setUp() public {
        vm.warp(1_000);
    }

    function test_Constructor_WhenVaultIsGiven_ReadsItsTokens() public view {
        assertEq(address(proxy.inputToken()), address(dollar), "input");
        assertEq(address(proxy.outputToken()), address(vault), "output");
    }

    function test_Constructor_WhenAssetHasNoCode_Reverts() public {
        vm.mockCall(address(vault), abi.encodeCall(IERC4626.asset, ()), abi.encode(STRANGER));
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.TokenWithoutCode.selector, STRANGER));
        deployCode("Erc4626Proxy", abi.encode(vault, NO_NATIVE));
    }

    function test_Execute_WhenFunded_DepositsAllForRecipient() public {
        fund(100, 100);
        vm.expectEmit(address(dollar));
        emit IERC20.Transfer(CALLER, address(proxy), 100);
        vm.expectEmit(address(vault));
        emit IERC4626.Deposit(address(proxy), USER, 100, 100);
        vm.expectEmit(address(proxy));
        emit IDestinationProxy.Executed(CALLER, USER, 100, 100);
        vm.prank(CALLER);
        (uint256 amountIn, uint256 amountOut) = proxy.execute(USER, 100, 100, 1_000);
        assertEq(amountIn, 100, "amount in");
        assertEq(amountOut, 100, "amount out");
        assertEq(vault.balanceOf(USER), 100, "shares");
        restsEmpty(dollar, vault, proxy);
    }

    function test_Execute_WhenRecipientHoldsShares_CountsTheNewOnes() public {
        dollar.mint(address(this), 50);
        dollar.approve(address(vault), 50);
        vault.deposit(50, USER);
        fund(100, 100);
        (uint256 amountIn, uint256 amountOut) = run(0, 100);
        assertEq(amountIn, 100, "amount in");
        assertEq(amountOut, 100, "amount out");
        assertEq(vault.balanceOf(USER), 150, "shares");
    }

    function test_Execute_WhenDeadlineHasPassed_Reverts() public {
        fund(100, 100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.DeadlinePassed.selector, 999, 1_000));
        vm.prank(CALLER);
        proxy.execute(USER, 0, 0, 999);
    }

    function test_Execute_WhenRecipientIsZero_Reverts() public {
        fund(100, 100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsZero.selector));
        vm.prank(CALLER);
        proxy.execute(address(0), 0, 0, 1_000);
    }

    function test_Execute_WhenRecipientIsProxy_Reverts() public {
        fund(100, 100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsProxy.selector, address(proxy)));
        vm.prank(CALLER);
        proxy.execute(address(proxy), 0, 0, 1_000);
    }

    function test_Execute_WhenUserCallsForThemselves_Deposits() public {
        fund(100, 100);
        vm.prank(CALLER);
        proxy.execute(CALLER, 100, 100, 1_000);
        assertEq(vault.balanceOf(CALLER), 100, "shares");
    }

    function test_Execute_WhenUserWithADelegationCallsForThemselves_Deposits() public {
        fund(100, 100);
        vm.etch(CALLER, abi.encodePacked(hex"ef0100", address(vault)));
        vm.prank(CALLER);
        proxy.execute(CALLER, 100, 100, 1_000);
        assertEq(vault.balanceOf(CALLER), 100, "shares");
    }

    function test_Execute_WhenRecipientIsCaller_Reverts() public {
        fund(100, 100);
        vm.etch(CALLER, hex"00");
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsCaller.selector, CALLER));
        vm.prank(CALLER);
        proxy.execute(CALLER, 0, 0, 1_000);
    }

    function test_Execute_WhenBalanceIsZero_Reverts() public {
        fund(0, 100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        run(0, 0);
    }

    function test_Execute_WhenBalanceIsBelowMinimum_Reverts() public {
        fund(99, 100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 99, 100));
        run(100, 0);
    }

    function test_Execute_WhenNotApproved_Reverts() public {
        fund(100, 99);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(proxy), 99, 100)
        );
        run(0, 0);
    }

    function test_Execute_WhenOutputIsBelowMinimum_Reverts() public {
        fund(100, 100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 100, 101));
        run(0, 101);
    }

    function test_Execute_WhenNativeIsSent_Reverts() public {
        fund(100, 100);
        vm.deal(CALLER, 1);
        bytes memory data = abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, 1_000));
        vm.prank(CALLER);
        (bool success, bytes memory returnData) = address(proxy).call{value: 1}(data);
        assertFalse(success, "success");
        assertEq(returnData, "", "return data");
    }

    function test_Receive_WhenNativeIsSent_Reverts() public {
        vm.deal(CALLER, 1);
        vm.prank(CALLER);
        (bool success,) = address(proxy).call{value: 1}("");
        assertFalse(success, "success");
    }

    function test_Execute_WhenStrangerCalls_MovesOnlyItsOwnBalance() public {
        fund(100, type(uint256).max);
        dollar.mint(STRANGER, 7);
        vm.prank(STRANGER);
        dollar.approve(address(proxy), type(uint256).max);
        vm.prank(STRANGER);
        (uint256 amountIn,) = proxy.execute(USER, 0, 0, 1_000);
        assertEq(amountIn, 7, "amount in");
        assertEq(dollar.balanceOf(STRANGER), 0, "stranger");
        assertEq(dollar.balanceOf(CALLER), 100, "caller");
    }

    function test_Execute_WhenStrangerHasNothing_RevertsAndLeavesOthersAlone() public {
        fund(100, type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        vm.prank(STRANGER);
        proxy.execute(USER, 0, 0, 1_000);
        assertEq(dollar.balanceOf(CALLER), 100, "caller");
    }

    function test_Execute_WhenProxyHoldsDonation_LeavesItAlone() public {
        fund(100, 100);
        dollar.mint(address(proxy), 5);
        (uint256 amountIn, uint256 amountOut) = run(100, 100);
        assertEq(amountIn, 100, "amount in");
        assertEq(amountOut, 100, "amount out");
        assertEq(dollar.balanceOf(USER), 0, "swept");
        assertEq(dollar.balanceOf(address(proxy)), 5, "donation");
    }

    function test_Execute_WhenDonationWouldFillMinimum_Reverts() public {
        fund(99, 99);
        dollar.mint(address(proxy), 1);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 99, 100));
        run(100, 0);
    }

    function test_Execute_WhenVaultTakesAPart_SweepsTheRest() public {
        HostileVault hostile = HostileVault(deployCode("HostileVault", abi.encode(dollar)));
        proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(hostile, NO_NATIVE)));
        hostile.take(6_000);
        fund(100, 100);
        (uint256 amountIn, uint256 amountOut) = run(100, 60);
        assertEq(amountIn, 100, "amount in");
        assertEq(amountOut, 60, "amount out");
        assertEq(dollar.balanceOf(USER), 40, "swept");
        restsEmpty(dollar, hostile, proxy);
    }

    function test_Execute_WhenAllowanceIsSufficient_SkipsApproval() public {
        fund(100, 100);
        vm.recordLogs();
        run(0, 0);
        assertEq(countLogs(address(dollar), IERC20.Approval.selector), 0, "approvals");
        assertEq(dollar.allowance(address(proxy), address(vault)), type(uint256).max, "standing allowance");
    }

    /// @dev A token can clear allowances, such as in an upgrade. Without `restoreAllowance`, no fill would work again.
    function testFuzz_Execute_WhenTokenLoweredTheAllowance_WorksOnceRestored(uint96 left, address anyone) public {
        left = uint96(bound(left, 0, 99));
        vm.prank(address(proxy));
        dollar.approve(address(vault), left);
        fund(100, 100);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(vault), left, 100)
        );
        run(100, 100);
        vm.prank(anyone);
        proxy.restoreAllowance();
        assertEq(dollar.allowance(address(proxy), address(vault)), type(uint256).max, "allowance");
        (uint256 amountIn, uint256 amountOut) = run(100, 100);
        assertEq(amountIn, 100, "amount in");
        assertEq(amountOut, 100, "amount out");
        restsEmpty(dollar, vault, proxy);
    }

    function test_RestoreAllowance_WhenTokenRejectsNonZeroChanges_Succeeds() public {
        (StrictToken token, IERC4626 strictVault) = strictToken();
        vm.prank(address(proxy));
        token.approve(address(strictVault), 0);
        vm.prank(address(proxy));
        token.approve(address(strictVault), 7);
        proxy.restoreAllowance();
        assertEq(token.allowance(address(proxy), address(strictVault)), type(uint256).max, "allowance");
    }

    function test_RestoreAllowance_WhenEachFillApproves_ChangesNothing() public {
        StickyToken sticky = stickyToken();
        vm.recordLogs();
        proxy.restoreAllowance();
        assertEq(countLogs(address(sticky), IERC20.Approval.selector), 0, "approvals");
        assertEq(sticky.allowance(address(proxy), address(proxy.outputToken())), 0, "allowance");
    }

    function test_RestoreAllowance_WhenVaultReenters_Reverts() public {
        HostileVault hostile = HostileVault(deployCode("HostileVault", abi.encode(dollar)));
        proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(hostile, NO_NATIVE)));
        hostile.arm(address(proxy), abi.encodeCall(IDestinationProxy.restoreAllowance, ()));
        fund(100, 100);
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        run(0, 0);
    }

    /// @dev Some tokens cap the maximum approval, so the proxy has to read the allowance in each fill.
    function test_Execute_WhenCappedAllowanceIsExactlyTheAmount_SkipsApproval() public {
        vm.mockCall(address(dollar), abi.encodeWithSelector(dollar.allowance.selector), abi.encode(100));
        proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(vault, NO_NATIVE)));
        fund(100, 100);
        vm.recordLogs();
        run(100, 100);
        assertEq(countLogs(address(dollar), IERC20.Approval.selector), 0, "approvals");
    }

    function test_Execute_WhenTokenRejectsAllowanceChange_ApprovesExactAmountOnce() public {
        StickyToken sticky = stickyToken();
        HostileVault(address(proxy.outputToken())).take(10_000);
        assertEq(sticky.allowance(address(proxy), address(proxy.outputToken())), 0, "standing allowance");
        vm.recordLogs();
        run(0, 0);
        assertEq(countLogs(address(sticky), IERC20.Approval.selector), 1, "approvals");
        restsEmpty(sticky, IERC4626(address(proxy.outputToken())), proxy);
    }

    function test_Execute_WhenExactAllowanceIsNotSpent_EndsIt() public {
        StickyToken sticky = stickyToken();
        run(0, 0);
        restsEmpty(sticky, IERC4626(address(proxy.outputToken())), proxy);
        assertEq(sticky.allowance(address(proxy), address(proxy.outputToken())), 0, "allowance");
    }

    function test_Execute_WhenVaultSeizesShares_CountsNoOutput() public {
        HostileVault hostile = HostileVault(deployCode("HostileVault", abi.encode(dollar)));
        proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(hostile, NO_NATIVE)));
        dollar.mint(address(this), 50);
        dollar.approve(address(hostile), 50);
        hostile.deposit(50, USER);
        hostile.seize();
        fund(100, 100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 0, 1));
        run(0, 1);
    }

    function test_Execute_WhenVaultReenters_Reverts() public {
        HostileVault hostile = HostileVault(deployCode("HostileVault", abi.encode(dollar)));
        proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(hostile, NO_NATIVE)));
        hostile.arm(address(proxy), abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, 1_000)));
        fund(100, 100);
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        run(0, 0);
    }

    function test_Execute_WhenTokenReenters_Reverts() public {
        HookedToken hooked = HookedToken(deployCode("HookedToken"));
        proxy = Erc4626Proxy(
            deployCode(
                "Erc4626Proxy",
                abi.encode(LocalVault(deployCode("LocalVault", abi.encode(hooked, "Vault", "VLT"))), NO_NATIVE)
            )
        );
        hooked.mint(CALLER, 100);
        vm.prank(CALLER);
        hooked.approve(address(proxy), 100);
        hooked.arm(address(proxy), abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, 1_000)));
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        run(0, 0);
    }

    function test_Execute_WhenTokenTakesFee_ActsOnReceivedAmount() public {
        FeeToken fee = feeToken(100);
        (uint256 amountIn, uint256 amountOut) = run(990, 0);
        assertEq(amountIn, 990, "amount in");
        assertEq(amountOut, 990, "amount out");
        restsEmpty(fee, IERC4626(address(proxy.outputToken())), proxy);
    }

    function test_Execute_WhenFeeLeavesLessThanMinimum_Reverts() public {
        feeToken(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 990, 991));
        run(991, 0);
    }

    function test_Execute_WhenFeeTakesAll_Reverts() public {
        feeToken(10_000);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        run(0, 0);
    }

    function test_Execute_WhenTokenReturnsNothing_Deposits() public {
        (StrictToken strict, IERC4626 strictVault) = strictToken();
        strict.mint(CALLER, 100);
        (, uint256 amountOut) = run(100, 100);
        assertEq(amountOut, 100, "amount out");
        restsEmpty(IERC20(address(strict)), strictVault, proxy);
    }

    function test_Execute_WhenTokenRejectsZeroTransfers_StillReportsReason() public {
        strictToken();
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        run(0, 0);
    }

    function test_Execute_WhenTokenKeepsInput_Reverts() public {
        StickyToken sticky = stickyToken();
        sticky.stick(3, false);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InputLeft.selector, 3));
        run(0, 0);
    }

    function test_Execute_WhenTokenKeepsInputOfAProxyWithADonation_ReportsOnlyTheInput() public {
        StickyToken sticky = stickyToken();
        sticky.mint(address(proxy), 7);
        sticky.stick(3, false);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InputLeft.selector, 3));
        run(0, 0);
    }

    function test_Execute_WhenTokenRoundsTransfers_LeavesOnlyTheRounding() public {
        StickyToken sticky = stickyToken();
        sticky.stick(2, false);
        run(0, 0);
        assertEq(sticky.balanceOf(USER), 38, "swept");
        assertEq(sticky.balanceOf(address(proxy)), 2, "rounding");
    }

    function test_Execute_WhenTokenKeepsApproval_Reverts() public {
        StickyToken sticky = stickyToken();
        sticky.stick(0, true);
        vm.expectRevert(
            abi.encodeWithSelector(IDestinationProxy.AllowanceLeft.selector, address(proxy.outputToken()), 40)
        );
        run(0, 0);
    }

    function testFuzz_Execute_AnyFee_ActsOnReceivedAmount(uint128 balance, uint256 feeBps) public {
        vm.assume(balance != 0);
        feeBps = bound(feeBps, 0, 9_999);
        FeeToken fee = FeeToken(deployCode("FeeToken", abi.encode(feeBps)));
        LocalVault feeVault = LocalVault(deployCode("LocalVault", abi.encode(fee, "Vault", "VLT")));
        proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(feeVault, NO_NATIVE)));
        fee.mint(CALLER, balance);
        vm.prank(CALLER);
        fee.approve(address(proxy), balance);
        uint256 arrives = balance - (uint256(balance) * feeBps) / 10_000;
        (uint256 amountIn,) = run(arrives, 0);
        assertEq(amountIn, arrives, "amount in");
        restsEmpty(fee, feeVault, proxy);
    }

    function fund(uint256 balance, uint256 allowance) internal {
        dollar.mint(CALLER, balance);
        vm.prank(CALLER);
        dollar.approve(address(proxy), allowance);
    }

    function run(uint256 minimumIn, uint256 minimumOut) internal returns (uint256, uint256) {
        vm.prank(CALLER);
        return proxy.execute(USER, minimumIn, minimumOut, 1_000);
    }

    function feeToken(uint256 feeBps) internal returns (FeeToken token) {
        token = FeeToken(deployCode("FeeToken", abi.encode(feeBps)));
        proxy = Erc4626Proxy(
            deployCode(
                "Erc4626Proxy",
                abi.encode(LocalVault(deployCode("LocalVault", abi.encode(token, "Vault", "VLT"))), NO_NATIVE)
            )
        );
        token.mint(CALLER, 1_000);
        vm.prank(CALLER);
        token.approve(address(proxy), type(uint256).max);
    }

    function strictToken() internal returns (StrictToken token, IERC4626 strictVault) {
        token = StrictToken(deployCode("StrictToken"));
        strictVault = LocalVault(deployCode("LocalVault", abi.encode(IERC20(address(token)), "Vault", "VLT")));
        proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(strictVault, NO_NATIVE)));
        vm.prank(CALLER);
        token.approve(address(proxy), type(uint256).max);
    }

    /// @dev The vault takes 60 of the caller's 100 units.
    function stickyToken() internal returns (StickyToken token) {
        token = StickyToken(deployCode("StickyToken"));
        HostileVault hostile = HostileVault(deployCode("HostileVault", abi.encode(token)));
        hostile.take(6_000);
        proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(hostile, NO_NATIVE)));
        token.mint(CALLER, 100);
        vm.prank(CALLER);
        token.approve(address(proxy), 100);
    }

    function restsEmpty(IERC20 token, IERC4626 vault_, Erc4626Proxy proxy_) internal view {
        assertEq(token.balanceOf(CALLER), 0, "caller's input");
        assertEq(token.balanceOf(address(proxy_)), 0, "proxy's input");
        assertEq(vault_.balanceOf(address(proxy_)), 0, "proxy's output");
        uint256 allowance = token.allowance(address(proxy_), address(vault_));
        assertTrue(allowance == 0 || allowance > type(uint256).max / 2, "the proxy's allowance is unlimited or zero");
    }
}
