// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IDestinationProxy} from "../../contracts/interfaces/IDestinationProxy.sol";
import {IErc3009} from "../../contracts/interfaces/IErc3009.sol";
import {IRouter} from "../../contracts/interfaces/IRouter.sol";
import {IWrappedNative} from "../../contracts/interfaces/IWrappedNative.sol";
import {LocalDollar} from "../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalVault} from "../../contracts/localnet/LocalVault.sol";
import {StrictToken} from "../../contracts/mocks/StrictToken.sol";
import {Erc4626Proxy} from "../../contracts/proxies/Erc4626Proxy.sol";
import {Authorizations} from "./support/Authorizations.sol";
import {RouterCalls} from "./support/RouterCalls.sol";

/// @title A complete fill, from the solver's signed transfer to the recipient's shares
contract FillTest is Authorizations, RouterCalls {
    uint256 internal constant SOLVER_KEY = 0x501e;
    uint256 internal constant MAX = type(uint256).max;
    bytes32 internal constant ORDER_ID = keccak256("order");
    address internal constant USER = address(0xa11ce);
    address internal constant STRANGER = address(0xbad);
    IWrappedNative internal constant NO_NATIVE = IWrappedNative(address(0));

    address internal solver = vm.addr(SOLVER_KEY);
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    LocalVault internal vault = LocalVault(deployCode("LocalVault", abi.encode(dollar, "Vault", "VLT")));
    Erc4626Proxy internal proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(vault, NO_NATIVE)));

    function setUp() public {
        vm.warp(1_000);
        vm.deal(solver, 1 ether);
    }

    function test_Fill_WhenTokensComeByAuthorization_GivesSharesAndLeavesNothing() public {
        dollar.mint(solver, 1_000e6);
        vm.expectEmit(address(dollar));
        emit IErc3009.AuthorizationUsed(solver, ORDER_ID);
        vm.expectEmit(address(proxy));
        emit IDestinationProxy.Executed(address(router), USER, 1_000e6, 1_000e6);
        vm.expectEmit(address(router));
        emit IRouter.FundsMovement(address(router), USER, address(0), 3, "order");
        fill(1_000e6, 1_000e6, 1_000e6);
        assertEq(vault.balanceOf(USER), 1_000e6, "shares");
        assertEq(USER.balance, 3, "native");
        restsEmpty();
    }

    function test_Fill_WhenLessIsDeliveredThanQuoted_DepositsDeliveredAmount() public {
        dollar.mint(solver, 1_000e6);
        fill(990e6, 980e6, 0);
        assertEq(vault.balanceOf(USER), 990e6, "shares");
        restsEmpty();
    }

    function test_Fill_WhenLessIsDeliveredThanTheMinimum_RevertsWithTheProxysError() public {
        dollar.mint(solver, 1_000e6);
        IRouter.Call3Value[] memory calls = fillCalls(979e6, 980e6, 0);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 979e6, 980e6));
        vm.prank(solver);
        router.multicall{value: 3}(calls, USER, address(0), "order");
        assertEq(dollar.balanceOf(solver), 1_000e6, "solver");
    }

    function test_Execute_WhenRouterBalanceIsZero_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        router.multicall(
            steps(step(address(dollar), approveData(address(proxy), MAX)), step(address(proxy), executeData(0, 0))),
            USER,
            address(0),
            ""
        );
    }

    function test_Execute_WhenRecipientIsRouter_Reverts() public {
        dollar.mint(address(router), 10);
        bytes memory data = abi.encodeCall(IDestinationProxy.execute, (address(router), 0, 0, 1_000));
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.RecipientIsCaller.selector, address(router)));
        router.multicall(
            steps(step(address(dollar), approveData(address(proxy), MAX)), step(address(proxy), data)),
            USER,
            address(0),
            ""
        );
    }

    function test_Execute_WhenApprovalIsLeftOnRouter_StrangerCannotTakeItsBalance() public {
        router.multicall(steps(step(address(dollar), approveData(address(proxy), MAX))), USER, address(0), "");
        dollar.mint(address(router), 100);

        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        vm.prank(STRANGER);
        proxy.execute(USER, 0, 0, 1_000);

        dollar.mint(STRANGER, 7);
        vm.prank(STRANGER);
        dollar.approve(address(proxy), MAX);
        vm.prank(STRANGER);
        proxy.execute(USER, 0, 0, 1_000);
        assertEq(dollar.balanceOf(address(router)), 100, "router");
        assertEq(dollar.balanceOf(STRANGER), 0, "stranger");
        assertEq(vault.balanceOf(USER), 7, "shares");
    }

    function test_Fill_WhenTokenReturnsNothing_WorksFromResetToReset() public {
        StrictToken strict = StrictToken(deployCode("StrictToken"));
        LocalVault strictVault =
            LocalVault(deployCode("LocalVault", abi.encode(IERC20(address(strict)), "Vault", "VLT")));
        proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(strictVault, NO_NATIVE)));
        strict.mint(address(router), 100);
        IRouter.Call3Value[] memory calls = new IRouter.Call3Value[](5);
        calls[0] = step(address(strict), approveData(address(proxy), 0));
        calls[1] = step(address(strict), approveData(address(proxy), MAX));
        calls[2] = step(address(proxy), executeData(100, 100));
        calls[3] = step(address(router), cleanupErc20sData(address(strict), USER, 0));
        calls[4] = step(address(strict), approveData(address(proxy), 0));
        router.multicall(calls, USER, address(0), "");
        assertEq(strictVault.balanceOf(USER), 100, "shares");
        assertEq(strict.allowance(address(router), address(proxy)), 0, "allowance");
    }

    function testFuzz_Fill_AnyLiveBalance_GivesPreviewedSharesAndLeavesNothing(
        uint128 live,
        uint128 deposited,
        uint128 yield
    ) public {
        vm.assume(live != 0);
        dollar.mint(address(this), deposited);
        dollar.approve(address(vault), deposited);
        vault.deposit(deposited, address(this));
        dollar.mint(address(vault), yield);
        dollar.mint(solver, live);

        uint256 shares = vault.previewDeposit(live);
        fill(live, live, shares);
        assertEq(vault.balanceOf(USER), shares, "shares");
        assertEq(dollar.balanceOf(USER), 0, "input swept");
        restsEmpty();
    }

    function test_Fill_WhenLiveBalanceIsMaximum_EndsTheRoutersAllowance() public {
        dollar.mint(solver, MAX);
        fill(MAX, MAX, 0);
        assertEq(vault.balanceOf(USER), MAX, "shares");
        restsEmpty();
    }

    function fill(uint256 delivered, uint256 minimumIn, uint256 minimumOut) internal {
        IRouter.Call3Value[] memory calls = fillCalls(delivered, minimumIn, minimumOut);
        vm.prank(solver);
        router.multicall{value: 3}(calls, address(0), address(0), "order");
    }

    function fillCalls(uint256 delivered, uint256 minimumIn, uint256 minimumOut)
        internal
        view
        returns (IRouter.Call3Value[] memory calls)
    {
        Authorization memory a = Authorization(solver, address(router), delivered, 0, MAX, ORDER_ID);
        Signature memory signature = signTransfer(dollar, RECEIVE_TYPEHASH, a, SOLVER_KEY);
        calls = new IRouter.Call3Value[](6);
        calls[0] = step(address(dollar), receiveData(a, signature));
        calls[1] = step(address(dollar), approveData(address(proxy), MAX));
        calls[2] = step(address(proxy), executeData(minimumIn, minimumOut));
        calls[3] = step(address(router), cleanupErc20sData(address(dollar), USER, 0));
        calls[4] = step(address(router), abi.encodeCall(IRouter.cleanupNative, (0, USER, "order")));
        calls[5] = step(address(dollar), approveData(address(proxy), 0));
    }

    function executeData(uint256 minimumIn, uint256 minimumOut) internal pure returns (bytes memory) {
        return abi.encodeCall(IDestinationProxy.execute, (USER, minimumIn, minimumOut, 1_000));
    }

    function restsEmpty() internal view {
        assertEq(dollar.balanceOf(address(router)), 0, "router's input");
        assertEq(vault.balanceOf(address(router)), 0, "router's output");
        assertEq(address(router).balance, 0, "router's native");
        assertEq(dollar.allowance(address(router), address(proxy)), 0, "router's allowance");
        assertEq(dollar.balanceOf(address(proxy)), 0, "proxy's input");
        assertEq(vault.balanceOf(address(proxy)), 0, "proxy's output");
        assertEq(dollar.allowance(address(proxy), address(vault)), MAX, "proxy's standing allowance");
    }
}
