// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IDestinationProxy} from "../interfaces/IDestinationProxy.sol";
import {INativeProxy} from "../interfaces/INativeProxy.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {LocalRouter} from "../localnet/LocalRouter.sol";
import {LocalRouter32} from "../localnet/LocalRouter32.sol";
import {BalanceSlot} from "./BalanceSlot.sol";
import {CHEATS} from "./Cheats.sol";
import {FillRecord} from "./FillRecord.sol";
import {Routers} from "./Routers.sol";

/// @title Fills calls as the solver does, in a Foundry or Hardhat test
/// @notice Inherit it, alone or together with forge-std's `Test`. Call `fill`, then the assertions.
/// @dev `expectRevert`, `expectEmit` and `expectCall` directly before `fill` apply to the whole fill. A failing fill
/// reverts with the data of the failing call of `txs`.
abstract contract FillTest {
    using FillRecord for FillRecord.Record;

    /// @notice A call in the `txs` of a quote request.
    /// @param to The call's target.
    /// @param value Native amount sent with the call.
    /// @param data Selector and arguments.
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    /// @dev The service's solver wallet on every EVM chain.
    address private constant _SOLVER = 0xf70da97812CB96acDF810712Aa562db8dfA3dbEF;

    /// @dev Placeholder orderId with the same gas cost as a real one.
    bytes32 private constant _ORDER_ID = bytes32(type(uint256).max);

    /// @dev Balance that may remain on a proxy: rounding of rebasing tokens, or a kept unit.
    uint256 private constant _DUST = 2;

    FillRecord.Record private _record;
    address private _currency;
    uint256 private _amount;

    /// @notice The fork has no router at this address. Override `routerAddress` with the chain's router.
    error RouterNotFound(address router, uint256 chainId);

    /// @notice There is no fill to assert on: `fill` was not called, or it reverted.
    error NothingFilled();

    /// @notice The fill changed the account's balance by another amount.
    error NotDelivered(address currency, address account, uint256 expected, int256 actual);

    /// @notice The fill left a balance where anyone can take it. The zero address is native currency.
    error LeftTokens(address currency, address account, uint256 amount);

    /// @notice The fill left an allowance that others can use.
    error LeftAllowance(address token, address owner, address spender, uint256 amount);

    /// @notice Fills the calls. Called only by `fill`, in a separate call, so that expectations apply to the whole
    /// fill.
    function runFill(Call[] calldata txs, address currency, uint256 amount, address recipient) external {
        address router = placeRouter();
        uint256 value = amount;
        if (currency != address(0)) {
            deliver(currency, router, amount);
            value = _sumValues(txs);
        }
        bytes memory data = abi.encodeCall(IRouter.multicall, (_toCalls(txs), recipient, recipient, ""));
        CHEATS.deal(_SOLVER, _SOLVER.balance + value);
        CHEATS.startStateDiffRecording();
        // Unlike `prank`, this works during a prank of the test.
        CHEATS.startPrank(_SOLVER, _SOLVER);
        // solhint-disable-next-line avoid-low-level-calls
        (bool success, bytes memory returnData) = router.call{value: value}(abi.encodePacked(data, _ORDER_ID));
        CHEATS.stopPrank();
        _record.save(CHEATS.stopAndReturnStateDiff(), currency);
        if (!success) _revertWith(returnData);
        (_currency, _amount) = (currency, amount);
    }

    /// @notice Delivers an amount to the router, and sends the solver's multicall with the calls.
    /// @param txs The calls, as in a quote request.
    /// @param currency Delivered currency; the zero address is native currency.
    /// @param amount Delivered amount, in the smallest unit.
    /// @param recipient Account that receives the remaining native currency, and the NFTs that arrive at the router.
    function fill(Call[] memory txs, address currency, uint256 amount, address recipient) internal {
        _record.clear();
        this.runFill(txs, currency, amount, recipient);
    }

    /// @notice Asserts that the last fill increased an account's balance by exactly this amount. NFTs are counted.
    function assertDelivered(address currency, address account, uint256 amount) internal {
        int256 actual = deliveredTo(currency, account);
        if (uint256(actual) != amount) revert NotDelivered(currency, account, amount, actual);
    }

    /// @notice Asserts that the last fill left no tokens, native currency or new allowance on the router and a proxy.
    /// One or two units of a token may remain on the proxy, and the router's allowance for the proxy may remain,
    /// because a proxy takes tokens from its caller only.
    function assertNothingLeftBehind(address proxy) internal {
        address[] memory proxies = new address[](1);
        proxies[0] = proxy;
        assertNothingLeftBehind(proxies);
    }

    /// @notice Like `assertNothingLeftBehind` for one proxy, for any number of contracts.
    function assertNothingLeftBehind(address[] memory proxies) internal {
        if (!_record.isFilled) revert NothingFilled();
        address router = routerAddress();
        _requireNoBalance(router, 0);
        for (uint256 i = 0; i < proxies.length; ++i) {
            _requireNoBalance(proxies[i], _DUST);
        }
        for (uint256 i = 0; i < _record.approvals.length; ++i) {
            FillRecord.Approval memory approval = _record.approvals[i];
            bool isOfRouter = approval.owner == router && !_contains(proxies, approval.spender);
            if (isOfRouter || _contains(proxies, approval.owner)) _requireNoAllowance(approval);
        }
    }

    /// @notice Change of an account's balance in the last fill, negative for a decrease.
    /// @param currency A token or NFT contract; the zero address is native currency.
    function deliveredTo(address currency, address account) internal returns (int256) {
        if (!_record.isFilled) revert NothingFilled();
        if (currency == address(0)) return _record.nativeChangeOf(account);
        // Reverts if the address is not a token.
        uint256 balance = IERC20(currency).balanceOf(account);
        address[] memory tokens = new address[](1);
        tokens[0] = currency;
        // The difference between two balances fits.
        unchecked {
            return int256(balance - _record.readBefore(_balanceGetters(tokens, account))[0]);
        }
    }

    /// @notice Places a mock of the router on a new chain, at the live router's address. `fill` also does this.
    /// Contracts that store the router's address can need it earlier.
    /// @return router The router's address.
    function placeRouter() internal returns (address router) {
        router = routerAddress();
        CHEATS.label(router, "Router");
        CHEATS.label(_SOLVER, "Solver");
        if (router.code.length != 0) return router;
        // On a fork, places no mock: calls that work with it can fail on the chain.
        bool is32 = router == Routers.V3_2;
        if ((!is32 && router != Routers.V3_0) || _isFork()) revert RouterNotFound(router, block.chainid);
        CHEATS.etch(router, is32 ? type(LocalRouter32).runtimeCode : type(LocalRouter).runtimeCode);
    }

    /// @notice Increases a token balance. Override it for tokens whose balance is not in a single storage slot.
    function deliver(address token, address account, uint256 amount) internal virtual {
        BalanceSlot.increase(token, account, amount);
    }

    /// @notice The router that fills: by default, the router that the service uses on most chains. Override it for
    /// chains with a different address, or for another version: `Routers` has the versions with a mock.
    function routerAddress() internal view virtual returns (address) {
        return Routers.CURRENT;
    }

    /// @notice The calls of `planCalls` for a proxy with token input: an approval that every token accepts, and `execute`,
    /// which takes the router's whole balance.
    function planExecute(
        address token,
        address proxy,
        address recipient,
        uint256 minimumIn,
        uint256 minimumOut,
        uint256 deadline
    ) internal pure returns (Call[] memory txs) {
        txs = new Call[](3);
        txs[0] = _approve(token, proxy, 0);
        txs[1] = _approve(token, proxy, type(uint256).max);
        txs[2].to = proxy;
        txs[2].data = abi.encodeCall(IDestinationProxy.execute, (recipient, minimumIn, minimumOut, deadline));
    }

    /// @notice The calls of `planCalls` for a proxy with native input: a check that there is native currency, and
    /// `executeNative` with the router's whole balance.
    function planExecuteNative(
        address proxy,
        address recipient,
        uint256 minimumIn,
        uint256 minimumOut,
        uint256 deadline
    ) internal view returns (Call[] memory txs) {
        address router = routerAddress();
        txs = new Call[](2);
        txs[0] = Call(router, 0, abi.encodeCall(IRouter.cleanupNativeViaCall, (1, router, "")));
        bytes memory data = abi.encodeCall(INativeProxy.executeNative, (recipient, minimumIn, minimumOut, deadline));
        txs[1] = Call(router, 0, abi.encodeCall(IRouter.cleanupNativeViaCall, (0, proxy, data)));
    }

    /// @notice The `txs` of a JSON object, such as a plan file of `crosscall plan --out`.
    function parseTxs(string memory json) internal view returns (Call[] memory txs) {
        uint256 count = 0;
        while (CHEATS.keyExistsJson(json, _txPath(count, ""))) ++count;
        txs = new Call[](count);
        for (uint256 i = 0; i < count; ++i) {
            txs[i].to = CHEATS.parseJsonAddress(json, _txPath(i, ".to"));
            txs[i].value = CHEATS.parseJsonUint(json, _txPath(i, ".value"));
            txs[i].data = CHEATS.parseJsonBytes(json, _txPath(i, ".data"));
        }
    }

    function _requireNoBalance(address holder, uint256 dust) private {
        address router = routerAddress();
        int256 native = _record.nativeChangeOf(holder);
        if (native > int256(dust)) revert LeftTokens(address(0), holder, uint256(native));
        address[] memory tokens = _record.called;
        FillRecord.Getter[] memory getters = _balanceGetters(tokens, holder);
        uint256[] memory balances = FillRecord.read(getters);
        uint256[] memory before = _record.readBefore(getters);
        for (uint256 i = 0; i < tokens.length; ++i) {
            // A share of the delivered amount.
            if (holder == router && tokens[i] == _currency) before[i] -= before[i] < _amount ? before[i] : _amount;
            if (balances[i] > before[i] && balances[i] - before[i] > dust) {
                revert LeftTokens(tokens[i], holder, balances[i] - before[i]);
            }
        }
    }

    function _requireNoAllowance(FillRecord.Approval memory approval) private {
        (address token, address owner, address spender) = (approval.token, approval.owner, approval.spender);
        FillRecord.Getter[] memory getters = new FillRecord.Getter[](1);
        getters[0] = FillRecord.Getter(token, abi.encodeCall(IERC20.allowance, (owner, spender)));
        uint256 allowance = FillRecord.read(getters)[0];
        if (allowance > _record.readBefore(getters)[0]) revert LeftAllowance(token, owner, spender, allowance);
    }

    function _isFork() private view returns (bool) {
        try CHEATS.activeFork() returns (uint256) {
            return true;
        } catch {
            return false;
        }
    }

    function _approve(address token, address spender, uint256 amount) private pure returns (Call memory) {
        return Call(token, 0, abi.encodeCall(IERC20.approve, (spender, amount)));
    }

    function _balanceGetters(address[] memory tokens, address account)
        private
        pure
        returns (FillRecord.Getter[] memory getters)
    {
        getters = new FillRecord.Getter[](tokens.length);
        bytes memory data = abi.encodeCall(IERC20.balanceOf, (account));
        for (uint256 i = 0; i < tokens.length; ++i) {
            getters[i] = FillRecord.Getter(tokens[i], data);
        }
    }

    function _toCalls(Call[] calldata txs) private pure returns (IRouter.Call3Value[] memory calls) {
        calls = new IRouter.Call3Value[](txs.length);
        for (uint256 i = 0; i < txs.length; ++i) {
            calls[i] = IRouter.Call3Value(txs[i].to, false, txs[i].value, txs[i].data);
        }
    }

    function _sumValues(Call[] calldata txs) private pure returns (uint256 sum) {
        for (uint256 i = 0; i < txs.length; ++i) {
            sum += txs[i].value;
        }
    }

    function _txPath(uint256 index, string memory field) private pure returns (string memory) {
        return string.concat(".txs[", CHEATS.toString(index), "]", field);
    }

    function _contains(address[] memory accounts, address account) private pure returns (bool) {
        for (uint256 i = 0; i < accounts.length; ++i) {
            if (accounts[i] == account) return true;
        }
        return false;
    }

    function _revertWith(bytes memory data) private pure {
        assembly ("memory-safe") {
            revert(add(data, 32), mload(data))
        }
    }
}
