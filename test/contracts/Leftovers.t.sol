// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IDestinationProxy} from "../../contracts/interfaces/IDestinationProxy.sol";
import {IRouter} from "../../contracts/interfaces/IRouter.sol";
import {LocalVault} from "../../contracts/localnet/LocalVault.sol";
import {HostileWrappedNative} from "../../contracts/mocks/HostileWrappedNative.sol";
import {StrictToken} from "../../contracts/mocks/StrictToken.sol";
import {Erc4626Proxy} from "../../contracts/proxies/Erc4626Proxy.sol";
import {FillTest} from "../../contracts/testing/FillTest.sol";
import {ExecutorTest} from "./support/ExecutorTest.sol";
import {Programs} from "./support/Programs.sol";

/// @title Fills after strangers left allowances, tokens and native currency on every contract of a fill
/// @dev The calls are those of the planner without facts. They reset each allowance before they raise it, so that they
/// work for every token.
contract LeftoversTest is ExecutorTest, FillTest {
    using Programs for Programs.Draft;

    address internal constant PAYEE = address(0xbabe);

    StrictToken internal strict = StrictToken(deployCode("StrictToken"));
    HostileWrappedNative internal wrapped = HostileWrappedNative(deployCode("HostileWrappedNative"));
    IERC20 internal token;
    IERC4626 internal tokenVault;
    Erc4626Proxy internal proxy;

    /// @dev Deposits by the proxy, and by the executor, which pulls or gets a push.
    function testFuzz_Fill_WhenStrangersLeftAllowancesAndDust_DeliversEverything(
        uint256 seed,
        uint96 amount,
        uint96 dust,
        bool isStrict
    ) public {
        useToken(isStrict);
        uint256 delivered = uint256(amount) + 1;
        uint256 way = seed % 3;
        leaveAll(seed >> 8, dust);
        uint256 ofExecutor = token.balanceOf(address(executor));
        uint256 ofProxy = token.balanceOf(address(proxy));
        uint256 expected = delivered + token.balanceOf(address(router)) + (way == 0 ? 0 : ofExecutor);
        uint256[3] memory native = [address(executor).balance, address(proxy).balance, address(puller).balance];
        give(address(router), delivered);

        router.multicall(callsOf(way, delivered, expected), PAYEE, address(0), "");

        assertEq(tokenVault.balanceOf(USER), expected, "shares");
        assertEq(token.balanceOf(address(router)), 0, "router");
        assertEq(token.balanceOf(address(executor)), way == 0 ? ofExecutor : 0, "executor");
        assertEq(token.balanceOf(address(proxy)), ofProxy, "proxy");
        assertEq(address(router).balance, 0, "router's native");
        assertEq(address(executor).balance, native[0], "executor's native");
        assertEq(address(proxy).balance, native[1], "proxy's native");
        assertEq(address(puller).balance, native[2], "puller's native");
        if (way != 0) assertEq(token.allowance(address(executor), address(tokenVault)), 0, "executor's allowance");
        if (way == 0) requireUselessAllowance();
    }

    /// @dev Wraps and deposits native currency by the proxy, or sends it to a target by the executor.
    function testFuzz_FillNative_WhenStrangersLeftAllowancesAndDust_DeliversEverything(
        uint256 seed,
        uint64 amount,
        uint64 dust
    ) public {
        token = IERC20(address(wrapped));
        tokenVault = LocalVault(deployCode("LocalVault", abi.encode(token, "Vault", "VLT")));
        proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(tokenVault, wrapped)));
        uint256 delivered = uint256(amount) + 1;
        bool isProxy = seed % 2 == 0;
        leaveAll(seed >> 8, dust);
        uint256 ofProxy = token.balanceOf(address(proxy));
        uint256 ofRouter = token.balanceOf(address(router));
        uint256 nativeOfExecutor = address(executor).balance;
        uint256 live = delivered + address(router).balance;
        vm.deal(address(this), delivered);

        Call[] memory txs = planExecuteNative(address(proxy), USER, live, live, 1_000);
        if (!isProxy) txs[1].data = nativeProgramData(live);
        router.multicall{value: delivered}(toSteps(txs), PAYEE, address(0), "");

        assertEq(isProxy ? tokenVault.balanceOf(USER) : address(target).balance, live, "output");
        assertEq(token.balanceOf(address(router)), ofRouter, "router");
        assertEq(address(router).balance, 0, "router's native");
        assertEq(token.balanceOf(address(proxy)), ofProxy, "proxy");
        assertEq(address(executor).balance, nativeOfExecutor, "executor's native");
    }

    /// @dev A leftover unit blocks calls that only approve. They revert as a whole, and calls with a reset still work.
    function testFuzz_Fill_WhenCallsOnlyApprove_FailsSafelyAndIsNotStuck(uint96 left, bool isPull) public {
        useToken(true);
        uint256 way = isPull ? 1 : 0;
        router.multicall(
            steps(step(address(token), approveData(spenderOf(way), uint256(left) + 1))), USER, address(0), ""
        );
        give(address(this), 100);
        IRouter.Call3Value[] memory calls = callsOf(way, 100, 100);
        calls[0] = step(address(target), recordData());
        bytes memory reason = abi.encodeWithSelector(StrictToken.ApprovalNotZero.selector, uint256(left) + 1, MAX);
        vm.expectRevert(reason);
        this.deliverAndFill(100, calls);
        assertEq(token.balanceOf(address(this)), 100, "solver");
        assertEq(token.balanceOf(address(router)), 0, "router");

        this.deliverAndFill(100, callsOf(way, 100, 100));
        assertEq(tokenVault.balanceOf(USER), 100, "shares");
    }

    /// @dev A fill in one transaction: the solver's transfer and the calls.
    function deliverAndFill(uint256 amount, IRouter.Call3Value[] calldata calls) external {
        // Not IERC20, because strict tokens return nothing.
        strict.transfer(address(router), amount);
        router.multicall(calls, PAYEE, address(0), "");
    }

    function routerAddress() internal view override returns (address) {
        return address(router);
    }

    function useToken(bool isStrict) private {
        token = isStrict ? IERC20(address(strict)) : IERC20(address(dollar));
        tokenVault = LocalVault(deployCode("LocalVault", abi.encode(token, "Vault", "VLT")));
        proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(tokenVault, address(0))));
    }

    function give(address to, uint256 amount) private {
        if (address(token) == address(strict)) {
            strict.mint(to, amount);
        } else if (address(token) == address(wrapped)) {
            vm.deal(STRANGER, amount);
            vm.prank(STRANGER);
            wrapped.deposit{value: amount}();
            vm.prank(STRANGER);
            wrapped.transfer(to, amount);
        } else {
            dollar.mint(to, amount);
        }
    }

    function spenderOf(uint256 way) private view returns (address) {
        return way == 0 ? address(proxy) : address(puller);
    }

    /// @dev The router's allowance for the proxy remains. A stranger who calls the proxy cannot spend it.
    function requireUselessAllowance() private {
        give(address(router), 1);
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientInput.selector, 0, 1));
        vm.prank(STRANGER);
        proxy.execute(STRANGER, 1, 1, 1_000);
        assertEq(token.balanceOf(address(router)), 1, "router, afterwards");
    }

    /// @dev Leaves a random part of all possible allowances and balances.
    function leaveAll(uint256 seed, uint256 dust) private {
        address[5] memory accounts = [address(router), address(proxy), address(executor), address(puller), PERMIT2];
        uint256[3] memory left = [uint256(1), uint256(dust) + 1, MAX];
        for (uint256 i = 0; i < 5; ++i) {
            if ((seed >> i) & 1 != 0 && dust != 0) give(accounts[i], dust);
            if ((seed >> (8 + i)) & 1 != 0) vm.deal(accounts[i], accounts[i].balance + dust);
            address spender = i == 0 ? address(tokenVault) : accounts[i];
            uint256 size = (seed >> (16 + 2 * i)) % 4;
            if (size == 3) continue;
            // Anyone can make the router approve.
            vm.prank(STRANGER);
            router.multicall(steps(step(address(token), approveData(spender, left[size]))), STRANGER, address(0), "");
        }
        // A function that is not denied could leave an allowance of the executor.
        uint256 ofExecutor = (seed >> 32) % 4;
        if (ofExecutor == 3) return;
        vm.prank(address(executor));
        (bool success,) = address(token).call(approveData(address(tokenVault), left[ofExecutor]));
        assertTrue(success, "approved");
    }

    function callsOf(uint256 way, uint256 minimumIn, uint256 minimumOut)
        private
        view
        returns (IRouter.Call3Value[] memory)
    {
        if (way == 0) {
            return toSteps(planExecute(address(token), address(proxy), USER, minimumIn, minimumOut, 1_000));
        }
        Programs.Draft memory draft;
        draft.declare(address(token), false, minimumIn).check(address(tokenVault), minimumOut);
        bytes memory program = draft.give(address(tokenVault), 0, 10_000, depositData()).packed(USER);
        if (way == 2) {
            return steps(
                step(address(router), cleanupErc20sData(address(token), address(executor), 0)),
                step(address(executor), executeData(program))
            );
        }
        return steps(
            step(address(token), approveData(address(puller), 0)),
            step(address(token), approveData(address(puller), MAX)),
            step(address(executor), pullData(token, program))
        );
    }

    function toSteps(Call[] memory txs) private pure returns (IRouter.Call3Value[] memory calls) {
        calls = new IRouter.Call3Value[](txs.length);
        for (uint256 i = 0; i < txs.length; ++i) {
            calls[i] = step(txs[i].to, txs[i].data);
        }
    }

    /// @dev Sends all native currency to the target.
    function nativeProgramData(uint256 live) private view returns (bytes memory) {
        Programs.Draft memory draft;
        draft.declare(Programs.NATIVE, false, live);
        bytes memory program = show(draft, Programs.draw(3, 0, 10_000)).packed(USER);
        return abi.encodeCall(IRouter.cleanupNativeViaCall, (0, address(executor), executeData(program)));
    }
}
