// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IAaveV3Proxy} from "../../../contracts/interfaces/IAaveV3Proxy.sol";
import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {INativeProxy} from "../../../contracts/interfaces/INativeProxy.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {FeeToken} from "../../../contracts/mocks/FeeToken.sol";
import {HostilePool} from "../../../contracts/mocks/HostilePool.sol";
import {HostileWrappedNative} from "../../../contracts/mocks/HostileWrappedNative.sol";
import {ReserveToken} from "../../../contracts/mocks/ReserveToken.sol";
import {StickyToken} from "../../../contracts/mocks/StickyToken.sol";
import {StrictToken} from "../../../contracts/mocks/StrictToken.sol";
import {AaveV3Proxy} from "../../../contracts/proxies/AaveV3Proxy.sol";
import {NativeGuards} from "../../../contracts/testing/NativeGuards.sol";
import {ProxyGuards} from "../../../contracts/testing/ProxyGuards.sol";
import {Test} from "../support/Test.sol";

contract AaveV3ProxyTest is Test, ProxyGuards, NativeGuards {
    HostileWrappedNative internal wrapped = HostileWrappedNative(deployCode("HostileWrappedNative"));
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    HostilePool internal pool = HostilePool(deployCode("HostilePool", abi.encode(address(dollar))));
    HostilePool internal nativePool = HostilePool(deployCode("HostilePool", abi.encode(address(wrapped))));
    AaveV3Proxy internal aave =
        AaveV3Proxy(deployCode("AaveV3Proxy", abi.encode(pool.aToken(), pool.debtToken(), wrapped)));
    AaveV3Proxy internal nativeAave =
        AaveV3Proxy(deployCode("AaveV3Proxy", abi.encode(nativePool.aToken(), nativePool.debtToken(), wrapped)));

    function setUp() public {
        vm.warp(1_000);
        proxy = aave;
        nativeProxy = nativeAave;
    }

    function test_Constructor_WhenTokensAreOfOneReserve_ReadsPoolAndUnderlying() public view {
        assertEq(address(aave.pool()), address(pool), "pool");
        assertEq(address(aave.inputToken()), address(dollar), "input");
        assertEq(address(aave.outputToken()), address(pool.aToken()), "output");
        assertEq(address(aave.debtToken()), address(pool.debtToken()), "debt token");
        assertEq(dollar.allowance(address(aave), address(pool)), type(uint256).max, "standing allowance");
    }

    function test_Constructor_WhenTokenIsNotOfPool_Reverts() public {
        ReserveToken fake = ReserveToken(deployCode("ReserveToken", abi.encode(pool, address(dollar))));
        ReserveToken debtToken = pool.debtToken();
        vm.expectRevert(abi.encodeWithSelector(IAaveV3Proxy.ReserveTokenMismatch.selector, fake, pool.aToken()));
        deployCode("AaveV3Proxy", abi.encode(fake, debtToken, wrapped));
    }

    function test_Constructor_WhenDebtTokenIsNotOfPool_Reverts() public {
        ReserveToken fake = ReserveToken(deployCode("ReserveToken", abi.encode(pool, address(dollar))));
        ReserveToken aToken = pool.aToken();
        vm.expectRevert(abi.encodeWithSelector(IAaveV3Proxy.ReserveTokenMismatch.selector, fake, pool.debtToken()));
        deployCode("AaveV3Proxy", abi.encode(aToken, fake, wrapped));
    }

    function test_ExecuteNative_WhenInputIsNotWrappedNative_Reverts() public {
        nativeProxy = aave;
        vm.expectRevert(abi.encodeWithSelector(INativeProxy.NativeNotTaken.selector, dollar, wrapped));
        pay(1, PAYEE, 0, 0);
    }

    function test_RepayNative_WhenInputIsNotWrappedNative_Reverts() public {
        vm.deal(address(this), 1);
        vm.expectRevert(abi.encodeWithSelector(INativeProxy.NativeNotTaken.selector, dollar, wrapped));
        aave.repayNative{value: 1}(USER, 0, 0, 1_000);
    }

    function test_Execute_WhenPoolTakesAPart_SweepsTheRest() public {
        pool.take(6_000, 6_000);
        fund(100);
        (, uint256 amountOut) = run(USER, 100, 60);
        assertEq(amountOut, 60, "amount out");
        assertEq(dollar.balanceOf(USER), 40, "swept");
        restsEmpty(0);
    }

    function test_Execute_WhenPoolCreditsLess_Reverts() public {
        pool.take(10_000, 9_000);
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 90, 91));
        run(USER, 100, 91);
    }

    function test_Execute_WhenPoolReenters_Reverts() public {
        poolReenters(abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, 1_000)));
        run(USER, 0, 0);
    }

    function test_Execute_WhenPoolReentersByRepay_Reverts() public {
        poolReenters(abi.encodeCall(IAaveV3Proxy.repay, (USER, 0, 0, 1_000)));
        run(USER, 0, 0);
    }

    function test_Repay_WhenPoolReenters_Reverts() public {
        poolReenters(abi.encodeCall(IAaveV3Proxy.repay, (USER, 0, 0, 1_000)));
        repay(USER, 0, 0);
    }

    function test_Repay_WhenPoolReentersByRepayNative_Reverts() public {
        poolReenters(abi.encodeCall(IAaveV3Proxy.repayNative, (USER, 0, 0, 1_000)));
        repay(USER, 0, 0);
    }

    function testFuzz_Repay_AnyDebt_RepaysMaximumAndSweepsTheRest(uint96 amount, uint96 debt, uint96 rest) public {
        vm.assume(amount != 0);
        pool.debtToken().mint(USER, debt);
        deliver(address(aave), rest);
        fund(amount);
        uint256 payable_ = amount < debt ? amount : debt;
        vm.expectEmit(address(aave));
        emit IAaveV3Proxy.Repaid(CALLER, USER, amount, payable_);
        (uint256 amountIn, uint256 amountRepaid) = repay(USER, amount, payable_);
        assertEq(amountIn, amount, "amount in");
        assertEq(amountRepaid, payable_, "repaid");
        assertEq(pool.debtToken().balanceOf(USER), debt - payable_, "debt left");
        assertEq(dollar.balanceOf(USER), amount - payable_, "swept");
        restsEmpty(rest);
    }

    function testFuzz_RepayNative_AnyDebt_RepaysMaximumAndSweepsTheRest(uint96 amount, uint96 debt) public {
        vm.assume(amount != 0);
        nativePool.debtToken().mint(USER, debt);
        uint256 payable_ = amount < debt ? amount : debt;
        (uint256 amountIn, uint256 amountRepaid) = repayNative(amount, USER, amount, payable_);
        assertEq(amountIn, amount, "amount in");
        assertEq(amountRepaid, payable_, "repaid");
        assertEq(nativePool.debtToken().balanceOf(USER), debt - payable_, "debt left");
        assertEq(wrapped.balanceOf(USER), amount - payable_, "swept");
        assertEq(wrapped.balanceOf(address(nativeAave)), 0, "proxy's wrapped native");
        assertEq(address(nativeAave).balance, 0, "proxy's native");
    }

    function test_Repay_WhenPoolCreditsLess_Reverts() public {
        pool.debtToken().mint(USER, 100);
        pool.take(10_000, 9_000);
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 90, 91));
        repay(USER, 100, 91);
    }

    function test_Repay_WhenDebtGrows_CountsNothingRepaid() public {
        vm.mockCall(address(pool), abi.encodeCall(pool.repay, (address(dollar), 100, 2, USER)), abi.encode(100));
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 0, 1));
        repay(USER, 100, 1);
    }

    function test_Repay_WhenDeadlineHasPassed_Reverts() public {
        fund(100);
        vm.warp(1_001);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.DeadlinePassed.selector, 1_000, 1_001));
        repay(USER, 0, 0);
    }

    function test_Repay_WhenBorrowerIsZero_Reverts() public {
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsZero.selector));
        repay(address(0), 0, 0);
    }

    function test_Repay_WhenBorrowerIsProxy_Reverts() public {
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsProxy.selector, address(aave)));
        repay(address(aave), 0, 0);
    }

    function test_Repay_WhenBorrowerIsCaller_Reverts() public {
        fund(100);
        vm.etch(CALLER, hex"00");
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsCaller.selector, CALLER));
        repay(CALLER, 0, 0);
    }

    function test_Repay_WhenBorrowerIsToken_Reverts() public {
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsToken.selector, address(dollar)));
        repay(address(dollar), 0, 0);
    }

    function test_Repay_WhenLessArrivesThanMinimum_Reverts() public {
        fund(99);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 99, 100));
        repay(USER, 100, 0);
    }

    function test_RepayNative_WhenDeadlineHasPassed_Reverts() public {
        vm.warp(1_001);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.DeadlinePassed.selector, 1_000, 1_001));
        repayNative(1, USER, 0, 0);
    }

    function test_RepayNative_WhenBorrowerIsCaller_Reverts() public {
        vm.etch(CALLER, hex"00");
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsCaller.selector, CALLER));
        repayNative(1, CALLER, 0, 0);
    }

    function test_RepayNative_WhenLessIsCarriedThanMinimum_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 99, 100));
        repayNative(99, USER, 100, 0);
    }

    function test_RepayNative_WhenDebtIsLessThanMinimum_Reverts() public {
        nativePool.debtToken().mint(USER, 98);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 98, 99));
        repayNative(100, USER, 0, 99);
    }

    function test_Execute_WhenTokenTakesFee_ActsOnReceivedAmount() public {
        FeeToken fee = FeeToken(deployCode("FeeToken", abi.encode(100)));
        proxyFor(fee);
        fee.mint(CALLER, 1_000);
        (uint256 amountIn, uint256 amountOut) = runApproved();
        assertEq(amountIn, 990, "amount in");
        assertEq(amountOut, 990, "amount out");
    }

    function test_Execute_WhenTokenReturnsNothing_Supplies() public {
        StrictToken strict = StrictToken(deployCode("StrictToken"));
        proxyFor(IERC20(address(strict)));
        strict.mint(CALLER, 100);
        (, uint256 amountOut) = runApproved();
        assertEq(amountOut, 100, "amount out");
    }

    function test_Execute_WhenTokenRejectsAllowanceChange_LeavesNoAllowance() public {
        StickyToken sticky = StickyToken(deployCode("StickyToken"));
        HostilePool made = proxyFor(sticky);
        made.take(6_000, 6_000);
        sticky.mint(CALLER, 100);
        vm.prank(CALLER);
        sticky.approve(address(proxy), 100);
        run(USER, 100, 60);
        assertEq(sticky.balanceOf(USER), 40, "swept");
        assertEq(sticky.allowance(address(proxy), address(made)), 0, "allowance");
    }

    function deliver(address to, uint256 amount) internal override {
        dollar.mint(to, amount);
    }

    function outputOf(address account) internal view override returns (uint256) {
        return pool.aToken().balanceOf(account);
    }

    function nativeOutputOf(address account) internal view override returns (uint256) {
        return nativePool.aToken().balanceOf(account);
    }

    function repay(address borrower, uint256 minimumIn, uint256 minimumRepaid) private returns (uint256, uint256) {
        vm.prank(CALLER);
        return aave.repay(borrower, minimumIn, minimumRepaid, 1_000);
    }

    function repayNative(uint256 amount, address borrower, uint256 minimumIn, uint256 minimumRepaid)
        private
        returns (uint256, uint256)
    {
        vm.deal(CALLER, amount);
        vm.prank(CALLER);
        return nativeAave.repayNative{value: amount}(borrower, minimumIn, minimumRepaid, 1_000);
    }

    function poolReenters(bytes memory data) private {
        fund(100);
        pool.debtToken().mint(USER, 100);
        pool.arm(address(aave), data);
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
    }

    function proxyFor(IERC20 token) private returns (HostilePool made) {
        made = HostilePool(deployCode("HostilePool", abi.encode(address(token))));
        proxy = AaveV3Proxy(deployCode("AaveV3Proxy", abi.encode(made.aToken(), made.debtToken(), wrapped)));
    }

    /// @dev Some tokens return nothing, so the return data is ignored.
    function runApproved() private returns (uint256, uint256) {
        address token = address(proxy.inputToken());
        vm.prank(CALLER);
        (bool success,) = token.call(abi.encodeCall(IERC20.approve, (address(proxy), type(uint256).max)));
        assertTrue(success, "approved");
        return run(USER, 0, 0);
    }
}
