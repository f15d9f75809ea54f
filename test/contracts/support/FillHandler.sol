// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {PushExecutor} from "../../../contracts/executor/PushExecutor.sol";
import {ILivePuller} from "../../../contracts/interfaces/ILivePuller.sol";
import {IPushExecutor} from "../../../contracts/interfaces/IPushExecutor.sol";
import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {IWrappedNative} from "../../../contracts/interfaces/IWrappedNative.sol";
import {LocalRouter} from "../../../contracts/localnet/LocalRouter.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {HookedToken} from "../../../contracts/mocks/HookedToken.sol";
import {Target} from "../../../contracts/mocks/Target.sol";
import {Erc4626Proxy} from "../../../contracts/proxies/Erc4626Proxy.sol";
import {Programs} from "./Programs.sol";
import {RouterCalls} from "./RouterCalls.sol";

/// @title Actions by victims and strangers that use two versions of the router, executor, puller and proxy
/// @dev The handler itself is the stranger and sends the funds that it takes to `THIEF`. A stranger's actions may
/// fail. A victim's fill must not fail, and must deliver the same as without strangers.
contract FillHandler is RouterCalls {
    using Programs for Programs.Draft;

    address public constant THIEF = address(0x7e1f);
    address public constant USER = address(0xa11ce);
    address public constant HOLDER = address(0x401d);
    address internal constant SOLVER = address(0x501e);
    uint256 public constant SAVINGS = 1e30;

    LocalRouter[2] private _routers = [router, LocalRouter(deployCode("LocalRouter32"))];
    LocalDollar public dollar = LocalDollar(deployCode("LocalDollar"));
    LocalVault public vault = LocalVault(deployCode("LocalVault", abi.encode(dollar, "Vault", "VLT")));
    PushExecutor public executor = PushExecutor(deployCode("PushExecutor"));
    ILivePuller public puller = ILivePuller(executor.livePuller());
    Erc4626Proxy public proxy = Erc4626Proxy(deployCode("Erc4626Proxy", abi.encode(vault, IWrappedNative(address(0)))));
    HookedToken public hooked = HookedToken(deployCode("HookedToken"));
    Target public target = Target(deployCode("Target"));

    uint256 public fills;
    uint256 public failedFills;
    uint256 public shortFills;
    uint256 public thefts;
    /// Amounts that strangers donated to contracts of the kit.
    mapping(address account => uint256 amount) public donated;

    constructor() {
        dollar.mint(HOLDER, SAVINGS);
        address[2] memory spenders = [address(puller), address(proxy)];
        for (uint256 i = 0; i < spenders.length; ++i) {
            vm.prank(HOLDER);
            dollar.approve(spenders[i], type(uint256).max);
        }
        dollar.mint(address(this), 1_000);
        dollar.approve(address(vault), 1_000);
        vault.deposit(1_000, address(this));
    }

    /// @dev Runs an action with one of the routers.
    modifier through(uint256 choice) {
        router = _routers[choice % 2];
        _;
    }

    function routers() external view returns (LocalRouter[2] memory) {
        return _routers;
    }

    /// @notice Fills for a victim by one of four methods.
    function fill(uint256 amount, uint256 way) external through(way / 4) {
        amount = bound(amount, 1, 1e24);
        way %= 4;
        // A stranger can take the kept unit. The next fill that keeps a unit then pays for a new one.
        uint256 sure = way == 1 ? amount - 1 : amount;
        uint256 expected = vault.previewDeposit(sure);
        uint256 held = vault.balanceOf(USER);
        dollar.mint(address(router), amount);
        IRouter.Call3Value[] memory calls = way == 3 ? proxyCalls(amount, expected) : programCalls(way, sure, expected);
        vm.prank(SOLVER);
        try router.multicall(calls, USER, address(0), "") {
            ++fills;
            if (vault.balanceOf(USER) - held < expected) ++shortFills;
            if (way != 1) donated[address(executor)] = way == 3 ? donated[address(executor)] : 0;
        } catch {
            ++failedFills;
            router.cleanupErc20s(addresses(address(dollar)), addresses(SOLVER), amounts(0), "");
        }
    }

    /// @notice Runs a stranger's program with one or two arbitrary calls.
    function runProgram(uint256 first, uint256 second, uint256 seed, bool declares, bool keepsUnit)
        external
        through(seed / 30)
    {
        Programs.Draft memory draft;
        if (declares) draft.declare(address(dollar), keepsUnit, 0);
        aim(draft, first, seed);
        if (second % 2 == 0) aim(draft, second, seed >> 8);
        bytes memory program =
            seed % 5 == 0 ? draft.packedWithFallback(THIEF, address(0xfa11), 0, 0) : draft.packed(THIEF);
        attempt(address(executor), Programs.executeData(program), seed);
    }

    /// @notice Makes the same calls as a stranger, directly or through the router.
    function makeCall(uint256 kind, uint256 seed) external through(seed / 30) {
        (address to, bytes memory data) = call(kind, seed);
        attempt(to, data, seed);
    }

    /// @notice Pushes, as a stranger, a token that makes a call on transfer, and runs a program with it.
    function pushHostileToken(uint256 kind, uint256 seed, uint256 amount) external through(seed / 30) {
        (address to, bytes memory data) = call(kind, seed);
        // Disarms the hook first, because minting would otherwise run a previously armed call.
        hooked.arm(address(0), "");
        hooked.mint(address(this), bound(amount, 1, 1e24));
        hooked.approve(address(puller), type(uint256).max);
        hooked.arm(to, data);
        Programs.Draft memory draft;
        draft.declare(address(hooked), seed % 2 == 0, 0).declare(address(dollar), false, 0);
        draft.step(address(target), Programs.draw(1, 0, 5_000), 1, "", abi.encodeCall(target.record, (1)));
        attempt(address(executor), Programs.pullData(hooked, draft.packed(THIEF)), 0);
    }

    /// @notice Sends a stranger's dollars or native currency to one of the kit's contracts.
    function donate(uint256 amount, uint256 to, bool isNative) external {
        amount = bound(amount, 1, 1e20);
        address payable[3] memory kit = [payable(address(executor)), payable(address(puller)), payable(address(proxy))];
        address account = kit[to % 3];
        if (isNative) {
            vm.deal(account, account.balance + amount);
        } else {
            dollar.mint(account, amount);
            donated[account] += amount;
        }
    }

    /// @notice Raises the price of the vault's shares as a stranger.
    function inflate(uint256 amount) external {
        dollar.mint(address(vault), bound(amount, 1, 1e18));
    }

    /// @dev Adds a step with an arbitrary call by the executor itself or by the target.
    function aim(Programs.Draft memory draft, uint256 kind, uint256 seed) private view {
        (address to, bytes memory data) = call(kind, seed);
        if (seed % 3 == 0) draft.plain(address(target), abi.encodeCall(target.relay, (to, data)));
        else if (seed % 3 == 1 || draft.tokenCount == 0) draft.plain(to, data);
        else draft.step(to, Programs.drawFor(THIEF, 0, 10_000), 1, "", data);
    }

    /// @dev Returns a stranger's call, chosen by a random number.
    function call(uint256 kind, uint256 seed) private view returns (address to, bytes memory data) {
        address[6] memory kit =
            [address(router), address(executor), address(puller), address(proxy), HOLDER, address(target)];
        address one = kit[(seed >> 16) % 6];
        kind %= 10;
        if (kind == 0) return (address(dollar), abi.encodeCall(dollar.approve, (one, type(uint256).max)));
        if (kind == 1) return (address(dollar), abi.encodeCall(dollar.approve, (THIEF, type(uint256).max)));
        if (kind == 2) return (address(dollar), abi.encodeCall(dollar.transferFrom, (one, THIEF, 1 + (seed >> 32))));
        if (kind == 3) return (address(dollar), abi.encodeCall(dollar.transfer, (THIEF, 1 + (seed >> 200))));
        if (kind == 4) return (address(proxy), abi.encodeCall(proxy.execute, (THIEF, 0, 0, type(uint256).max)));
        if (kind == 5) return (address(executor), Programs.pullData(dollar, theft()));
        if (kind == 6) return (address(executor), Programs.executeData(theft()));
        if (kind == 7) return (address(executor), bytes.concat(IPushExecutor.runSteps.selector, theft()));
        if (kind == 8) return (address(router), cleanupErc20sData(address(dollar), THIEF, 0));
        return (address(vault), abi.encodeCall(IERC4626.redeem, (1 + (seed >> 200), THIEF, one)));
    }

    /// @dev Makes a call directly or through the router. If it succeeds, records the stranger's gain.
    function attempt(address to, bytes memory data, uint256 seed) private {
        uint256 before = dollar.balanceOf(THIEF);
        uint256 given = dollar.balanceOf(address(executor));
        if (seed % 2 == 0) {
            (bool success,) = to.call(data);
            success;
        } else {
            IRouter.Call3Value memory one = IRouter.Call3Value(to, true, 0, data);
            router.multicall(steps(one), address(0), address(0), "");
        }
        // Anyone can take the executor's balance: donations and the kept unit.
        if (dollar.balanceOf(THIEF) - before > given) ++thefts;
        if (dollar.balanceOf(address(executor)) < given) donated[address(executor)] = 0;
    }

    function theft() private view returns (bytes memory) {
        Programs.Draft memory draft;
        return draft.declare(address(dollar), false, 0).packed(THIEF);
    }

    function programCalls(uint256 way, uint256 sure, uint256 expected)
        private
        view
        returns (IRouter.Call3Value[] memory)
    {
        Programs.Draft memory draft;
        draft.declare(address(dollar), way == 1, sure).check(address(vault), expected);
        draft.give(address(vault), 0, 10_000, abi.encodeCall(IERC4626.deposit, (Programs.sentinel(), USER)));
        bytes memory program = draft.packed(USER);
        if (way == 2) {
            return steps(
                step(address(dollar), approveData(address(puller), type(uint256).max)),
                step(address(executor), Programs.pullData(dollar, program))
            );
        }
        return steps(
            step(address(router), cleanupErc20sData(address(dollar), address(executor), 0)),
            step(address(executor), Programs.executeData(program))
        );
    }

    function proxyCalls(uint256 amount, uint256 expected) private view returns (IRouter.Call3Value[] memory) {
        bytes memory data = abi.encodeCall(proxy.execute, (USER, amount, expected, type(uint256).max));
        return steps(step(address(dollar), approveData(address(proxy), type(uint256).max)), step(address(proxy), data));
    }
}
