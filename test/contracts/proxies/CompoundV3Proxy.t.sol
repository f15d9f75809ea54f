// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {INativeProxy} from "../../../contracts/interfaces/INativeProxy.sol";
import {IComet} from "../../../contracts/interfaces/external/IComet.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {CometStandIn} from "../../../contracts/mocks/CometStandIn.sol";
import {HookedToken} from "../../../contracts/mocks/HookedToken.sol";
import {HostileWrappedNative} from "../../../contracts/mocks/HostileWrappedNative.sol";
import {CompoundV3Proxy} from "../../../contracts/proxies/CompoundV3Proxy.sol";
import {NativeGuards} from "../../../contracts/testing/NativeGuards.sol";
import {ProxyGuards} from "../../../contracts/testing/ProxyGuards.sol";
import {Test} from "../support/Test.sol";

/// @dev The tests of all proxies use the base asset, except that tests with native currency use a collateral.
contract CompoundV3ProxyTest is Test, ProxyGuards, NativeGuards {
    uint256 internal constant INDEX_SCALE = 1e15;

    HostileWrappedNative internal wrapped = HostileWrappedNative(deployCode("HostileWrappedNative"));
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    CometStandIn internal comet =
        CometStandIn(deployCode("CometStandIn", abi.encode(address(dollar), address(wrapped), type(uint128).max)));
    CompoundV3Proxy internal baseProxy =
        CompoundV3Proxy(deployCode("CompoundV3Proxy", abi.encode(comet, dollar, wrapped)));
    CompoundV3Proxy internal collateralProxy =
        CompoundV3Proxy(deployCode("CompoundV3Proxy", abi.encode(comet, wrapped, wrapped)));

    function setUp() public {
        vm.warp(1_000);
        proxy = baseProxy;
        nativeProxy = collateralProxy;
        dollar.mint(address(comet), type(uint128).max);
    }

    function test_Constructor_WhenAssetIsBase_SetsFlag() public view {
        assertTrue(baseProxy.isBase(), "base");
        assertFalse(collateralProxy.isBase(), "collateral");
        assertEq(address(baseProxy.inputToken()), address(dollar), "input");
        assertEq(address(baseProxy.outputToken()), address(comet), "output");
    }

    function test_Constructor_WhenAssetIsUnknown_RevertsWithTheMarketsError() public {
        LocalDollar other = LocalDollar(deployCode("LocalDollar"));
        vm.expectRevert(abi.encodeWithSelector(CometStandIn.BadAsset.selector));
        deployCode("CompoundV3Proxy", abi.encode(comet, other, wrapped));
    }

    function test_Constructor_WhenMarketHasNoCode_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.TokenWithoutCode.selector, STRANGER));
        deployCode("CompoundV3Proxy", abi.encode(IComet(STRANGER), dollar, wrapped));
    }

    function test_ExecuteNative_WhenInputIsNotWrappedNative_Reverts() public {
        nativeProxy = baseProxy;
        vm.expectRevert(abi.encodeWithSelector(INativeProxy.NativeNotTaken.selector, dollar, wrapped));
        pay(1, PAYEE, 0, 0);
    }

    function testFuzz_Execute_AnyDebt_CountsRepaymentAndSupply(uint96 amount, uint96 debt) public {
        vm.assume(amount != 0);
        comet.lend(USER, debt);
        fund(amount);
        (, uint256 amountOut) = run(USER, amount, amount);
        assertEq(amountOut, amount, "amount out");
        assertEq(comet.borrowBalanceOf(USER), debt > amount ? debt - amount : 0, "debt");
        assertEq(comet.balanceOf(USER), amount > debt ? amount - debt : 0, "balance");
        restsEmpty(0);
    }

    function testFuzz_Execute_AnyIndex_CountsCreditedAmount(
        uint96 amount,
        uint96 debt,
        uint256 supplyIndex,
        uint256 borrowIndex
    ) public {
        vm.assume(amount != 0);
        comet.setIndexes(
            bound(supplyIndex, INDEX_SCALE, 10 * INDEX_SCALE), bound(borrowIndex, INDEX_SCALE, 10 * INDEX_SCALE)
        );
        comet.lend(USER, debt);
        uint256 owed = comet.borrowBalanceOf(USER);
        fund(amount);
        (, uint256 amountOut) = run(USER, amount, 0);
        uint256 booked = owed + comet.balanceOf(USER) - comet.borrowBalanceOf(USER);
        assertEq(amountOut, booked, "amount out");
        assertTrue(amountOut <= amount && amountOut + 10 >= amount, "what was supplied, except for rounding");
        restsEmpty(0);
    }

    function test_Execute_WhenMarketTakesNothing_SweepsAllAndCountsNoOutput() public {
        marketDoesNothing();
        (, uint256 amountOut) = run(USER, 100, 0);
        assertEq(amountOut, 0, "amount out");
        assertEq(dollar.balanceOf(USER), 100, "swept");
        assertEq(dollar.balanceOf(address(baseProxy)), 0, "proxy");
    }

    function test_Execute_WhenMarketCreditsNothing_Reverts() public {
        marketDoesNothing();
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 0, 1));
        run(USER, 100, 1);
    }

    /// @dev The market treats the maximum amount as the recipient's entire debt.
    function test_Execute_WhenAmountIsTheGreatest_RepaysAndSweepsTheRest() public {
        HookedToken token = HookedToken(deployCode("HookedToken"));
        CometStandIn market = CometStandIn(deployCode("CometStandIn", abi.encode(address(token), address(wrapped), 0)));
        proxy = CompoundV3Proxy(deployCode("CompoundV3Proxy", abi.encode(market, token, wrapped)));
        token.mint(CALLER, type(uint256).max);
        vm.prank(CALLER);
        token.transfer(address(market), 100);
        market.lend(CALLER, 100);
        vm.prank(CALLER);
        token.approve(address(proxy), type(uint256).max);
        (uint256 amountIn, uint256 amountOut) = run(USER, 0, 0);
        assertEq(amountIn, type(uint256).max, "amount in");
        assertEq(amountOut, 0, "amount out");
        assertEq(token.balanceOf(USER), type(uint256).max, "swept");
    }

    function test_Execute_WhenAssetReenters_Reverts() public {
        HookedToken hooked = HookedToken(deployCode("HookedToken"));
        proxy = CompoundV3Proxy(
            deployCode(
                "CompoundV3Proxy",
                abi.encode(
                    CometStandIn(deployCode("CometStandIn", abi.encode(address(hooked), address(wrapped), 0))),
                    hooked,
                    wrapped
                )
            )
        );
        hooked.mint(CALLER, 100);
        vm.prank(CALLER);
        hooked.approve(address(proxy), 100);
        hooked.arm(address(proxy), abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, 1_000)));
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        run(USER, 0, 0);
    }

    function test_ExecuteNative_WhenCollateralIsHeld_CountsTheGain() public {
        pay(40, PAYEE, 40, 40);
        (, uint256 amountOut) = pay(60, PAYEE, 60, 60);
        assertEq(amountOut, 60, "amount out");
        nativeRestsEmpty(100, 0, 0);
    }

    function deliver(address to, uint256 amount) internal override {
        dollar.mint(to, amount);
    }

    function outputOf(address account) internal view override returns (uint256) {
        return comet.balanceOf(account);
    }

    function nativeOutputOf(address account) internal view override returns (uint256) {
        return comet.collateralBalanceOf(account, address(wrapped));
    }

    function marketDoesNothing() private {
        fund(100);
        vm.mockCall(address(comet), abi.encodeCall(IComet.supplyTo, (USER, address(dollar), 100)), "");
    }
}
