// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {INativeProxy} from "../../../contracts/interfaces/INativeProxy.sol";
import {IUniswapV3Proxy} from "../../../contracts/interfaces/IUniswapV3Proxy.sol";
import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {HostileSwapRouter} from "../../../contracts/mocks/HostileSwapRouter.sol";
import {HostileWrappedNative} from "../../../contracts/mocks/HostileWrappedNative.sol";
import {NativeHook} from "../../../contracts/mocks/NativeHook.sol";
import {NativeRefuser} from "../../../contracts/mocks/NativeRefuser.sol";
import {UniswapV3Proxy} from "../../../contracts/proxies/UniswapV3Proxy.sol";
import {NativeGuards} from "../../../contracts/testing/NativeGuards.sol";
import {ProxyGuards} from "../../../contracts/testing/ProxyGuards.sol";
import {Test} from "../support/Test.sol";

contract UniswapV3ProxyTest is Test, ProxyGuards, NativeGuards {
    IUniswapV3Proxy.Generation internal constant FIRST = IUniswapV3Proxy.Generation.SwapRouter;
    IUniswapV3Proxy.Generation internal constant SECOND = IUniswapV3Proxy.Generation.SwapRouter02;

    HostileWrappedNative internal wrapped = HostileWrappedNative(deployCode("HostileWrappedNative"));
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    LocalDollar internal euro = LocalDollar(deployCode("LocalDollar"));
    LocalDollar internal pound = LocalDollar(deployCode("LocalDollar"));
    HostileSwapRouter internal swapRouter = HostileSwapRouter(deployCode("HostileSwapRouter"));

    function setUp() public {
        vm.warp(1_000);
        proxy = make(SECOND, list(address(dollar), address(euro)));
        nativeProxy = make(FIRST, list(address(wrapped), address(euro)));
        euro.mint(address(swapRouter), type(uint128).max);
        pound.mint(address(swapRouter), type(uint128).max);
        vm.deal(address(this), 1_000_000);
        wrapped.deposit{value: 1_000_000}();
        wrapped.transfer(address(swapRouter), 1_000_000);
    }

    function test_Constructor_WhenPathIsEmpty_Reverts() public {
        refuses(new address[](0), 0, abi.encodeWithSelector(IUniswapV3Proxy.PathMalformed.selector, 0, 0));
    }

    function test_Constructor_WhenPathHasOnlyOneToken_Reverts() public {
        refuses(addresses(address(dollar)), 0, abi.encodeWithSelector(IUniswapV3Proxy.PathMalformed.selector, 1, 0));
    }

    function test_Constructor_WhenPathHasFourPools_Reverts() public {
        refuses(new address[](5), 4, abi.encodeWithSelector(IUniswapV3Proxy.PathMalformed.selector, 5, 4));
    }

    function test_Constructor_WhenPathLacksAFee_Reverts() public {
        address[] memory tokens = list(address(dollar), address(wrapped), address(euro));
        refuses(tokens, 1, abi.encodeWithSelector(IUniswapV3Proxy.PathMalformed.selector, 3, 1));
    }

    function test_Constructor_WhenPathLacksAToken_Reverts() public {
        address[] memory tokens = list(address(dollar), address(euro));
        refuses(tokens, 2, abi.encodeWithSelector(IUniswapV3Proxy.PathMalformed.selector, 2, 2));
    }

    function test_Constructor_WhenPathReturns_Reverts() public {
        address[] memory tokens = list(address(dollar), address(euro), address(dollar));
        refuses(tokens, 2, abi.encodeWithSelector(IUniswapV3Proxy.PathReturns.selector, dollar));
    }

    function test_Constructor_WhenPoolIsMissing_Reverts() public {
        uint24[] memory fees = feesOf(2);
        fees[1] = 0;
        vm.expectRevert(abi.encodeWithSelector(IUniswapV3Proxy.PoolMissing.selector, wrapped, euro, 0));
        deployCode(
            "UniswapV3Proxy",
            abi.encode(
                address(swapRouter), FIRST, list(address(dollar), address(wrapped), address(euro)), fees, wrapped, false
            )
        );
    }

    function test_Constructor_WhenNativeOutputIsOfAnotherToken_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(INativeProxy.NativeNotGiven.selector, euro, wrapped));
        deployCode(
            "UniswapV3Proxy",
            abi.encode(address(swapRouter), FIRST, list(address(dollar), address(euro)), feesOf(1), wrapped, true)
        );
    }

    function test_Constructor_WhenOutputHasNoCode_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.TokenWithoutCode.selector, STRANGER));
        make(FIRST, list(address(dollar), STRANGER));
    }

    function test_Constructor_WhenPathIsGiven_StoresIt() public {
        UniswapV3Proxy made = make(FIRST, list(address(dollar), address(wrapped), address(euro), address(pound)));
        bytes memory second = abi.encodePacked(wrapped, uint24(200), euro);
        assertEq(made.path(), abi.encodePacked(dollar, uint24(100), second, uint24(300), pound), "path");
        assertEq(address(made.inputToken()), address(dollar), "input");
        assertEq(address(made.outputToken()), address(pound), "output");
        assertEq(made.swapRouter(), address(swapRouter), "router");
        assertTrue(made.generation() == FIRST, "generation");
        assertEq(dollar.allowance(address(made), address(swapRouter)), type(uint256).max, "standing allowance");
    }

    function test_Execute_WhenPathHasOnePool_CallsSingleSwapOnEitherRouter() public {
        expectsSwap(list(address(dollar), address(euro)));
    }

    function test_Execute_WhenPathHasTwoPools_CallsPathSwapOnEitherRouter() public {
        expectsSwap(list(address(dollar), address(wrapped), address(euro)));
    }

    function test_Execute_WhenPathHasThreePools_CallsPathSwapOnEitherRouter() public {
        expectsSwap(list(address(dollar), address(wrapped), address(euro), address(pound)));
    }

    function testFuzz_Execute_AnyPlaceholder_Reverts(uint8 alias_) public {
        address recipient = address(uint160(bound(alias_, 1, 2)));
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IUniswapV3Proxy.RecipientIsPlaceholder.selector, recipient));
        run(recipient, 0, 0);
    }

    function test_Execute_WhenRecipientIsFirstAfterPlaceholders_Swaps() public {
        fund(100);
        run(address(3), 100, 100);
        assertEq(euro.balanceOf(address(3)), 100, "output");
    }

    function test_Execute_WhenRouterTakesAPart_SweepsTheRest() public {
        swapRouter.take(6_000, 6_000);
        fund(100);
        (, uint256 amountOut) = run(USER, 100, 60);
        assertEq(amountOut, 60, "amount out");
        assertEq(dollar.balanceOf(USER), 40, "swept");
        restsEmpty(0);
    }

    function test_Execute_WhenRouterPaysLess_Reverts() public {
        swapRouter.take(10_000, 9_000);
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 90, 91));
        run(USER, 100, 91);
    }

    function test_Execute_WhenRouterReenters_Reverts() public {
        swapRouter.arm(address(proxy), abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, 1_000)));
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(ReentryGuard.Reentered.selector));
        run(USER, 0, 0);
    }

    function test_ExecuteNative_WhenInputIsNotWrappedNative_Reverts() public {
        nativeProxy = INativeProxy(address(proxy));
        vm.expectRevert(abi.encodeWithSelector(INativeProxy.NativeNotTaken.selector, dollar, wrapped));
        pay(1, PAYEE, 0, 0);
    }

    function test_Receive_WhenSenderIsNotTheWrappedNative_Reverts() public {
        vm.deal(STRANGER, 1);
        vm.prank(STRANGER);
        (bool success, bytes memory returnData) = address(proxy).call{value: 1}("");
        assertFalse(success, "success");
        assertEq(returnData, abi.encodeWithSelector(INativeProxy.NativeRefused.selector, STRANGER), "return data");
    }

    function testFuzz_Execute_WhenOutputIsNative_PaysOnlyUnwrappedNative(uint256 amount, uint96 forced, uint16 donation)
        public
    {
        amount = bound(amount, 1, 100_000);
        givesNative();
        vm.prank(address(swapRouter));
        wrapped.transfer(address(proxy), donation);
        vm.deal(address(proxy), forced);
        fund(amount);
        (, uint256 amountOut) = run(USER, amount, amount);
        assertEq(amountOut, amount, "amount out");
        assertEq(USER.balance, amount, "user");
        assertEq(address(proxy).balance, forced, "forced native");
        assertEq(wrapped.balanceOf(address(proxy)), donation, "donated wrapped native");
        assertEq(dollar.balanceOf(address(proxy)), 0, "input");
    }

    function test_Execute_WhenOutputIsNativeAndRouterPaysNothing_Reverts() public {
        givesNative();
        swapRouter.take(10_000, 0);
        fund(100);
        vm.deal(address(proxy), 100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 0, 1));
        run(USER, 0, 1);
    }

    function test_Execute_WhenOutputIsNativeAndRecipientIsWrappedNative_Reverts() public {
        givesNative();
        fund(100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsToken.selector, wrapped));
        run(address(wrapped), 0, 0);
    }

    function test_Execute_WhenRecipientRefusesNative_Reverts() public {
        givesNative();
        NativeRefuser refuser = NativeRefuser(deployCode("NativeRefuser"));
        fund(100);
        bytes memory refused = abi.encodeWithSelector(NativeRefuser.Refused.selector, 100);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.NativeTransferFailed.selector, refuser, 100, refused));
        run(address(refuser), 0, 0);
    }

    function test_Execute_WhenRecipientOfNativeReenters_Reverts() public {
        givesNative();
        NativeHook hook = NativeHook(deployCode("NativeHook"));
        hook.arm(address(proxy), abi.encodeCall(IDestinationProxy.execute, (USER, 0, 0, 1_000)));
        fund(100);
        bytes memory reentered = abi.encodeWithSelector(ReentryGuard.Reentered.selector);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.NativeTransferFailed.selector, hook, 100, reentered));
        run(address(hook), 0, 0);
    }

    function deliver(address to, uint256 amount) internal override {
        dollar.mint(to, amount);
    }

    function outputOf(address account) internal view override returns (uint256) {
        return proxy.outputToken().balanceOf(account);
    }

    function nativeOutputOf(address account) internal view override returns (uint256) {
        return euro.balanceOf(account);
    }

    function expectsSwap(address[] memory tokens) private {
        asksOne(make(FIRST, tokens), 1_000);
        asksOne(make(SECOND, tokens), 0);
    }

    function asksOne(UniswapV3Proxy made, uint256 deadline) private {
        proxy = made;
        fund(100);
        bytes memory path = made.path();
        vm.expectEmit(address(swapRouter));
        emit HostileSwapRouter.SwapRequested(path, USER, deadline, 100, 0);
        run(USER, 100, 100);
        restsEmpty(0);
    }

    function givesNative() private {
        address[] memory tokens = list(address(dollar), address(euro), address(wrapped));
        proxy = UniswapV3Proxy(
            deployCode("UniswapV3Proxy", abi.encode(address(swapRouter), SECOND, tokens, feesOf(2), wrapped, true))
        );
    }

    function refuses(address[] memory tokens, uint256 fees, bytes memory revertData) private {
        vm.expectRevert(revertData);
        deployCode("UniswapV3Proxy", abi.encode(address(swapRouter), FIRST, tokens, feesOf(fees), wrapped, false));
    }

    function make(IUniswapV3Proxy.Generation generation, address[] memory tokens) private returns (UniswapV3Proxy) {
        return UniswapV3Proxy(
            deployCode(
                "UniswapV3Proxy",
                abi.encode(address(swapRouter), generation, tokens, feesOf(tokens.length - 1), wrapped, false)
            )
        );
    }

    /// @dev Returns 100, 200, 300, and so on.
    function feesOf(uint256 count) private pure returns (uint24[] memory fees) {
        fees = new uint24[](count);
        for (uint24 i = 0; i < count; ++i) {
            fees[i] = 100 * (i + 1);
        }
    }

    function list(address a, address b) private pure returns (address[] memory) {
        return addresses(a, b);
    }

    function list(address a, address b, address c) private pure returns (address[] memory tokens) {
        tokens = new address[](3);
        (tokens[0], tokens[1], tokens[2]) = (a, b, c);
    }

    function list(address a, address b, address c, address d) private pure returns (address[] memory tokens) {
        tokens = new address[](4);
        (tokens[0], tokens[1], tokens[2], tokens[3]) = (a, b, c, d);
    }
}
