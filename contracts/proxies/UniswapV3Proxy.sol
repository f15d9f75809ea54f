// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPeripheryState} from "../interfaces/external/IPeripheryState.sol";
import {ISwapRouter} from "../interfaces/external/ISwapRouter.sol";
import {ISwapRouter02} from "../interfaces/external/ISwapRouter02.sol";
import {IUniswapV3Proxy} from "../interfaces/IUniswapV3Proxy.sol";
import {IWrappedNative} from "../interfaces/IWrappedNative.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";
import {DestinationProxy} from "./DestinationProxy.sol";
import {NativePayer} from "./NativePayer.sol";
import {NativeProxy} from "./NativeProxy.sol";

/// @title Swaps the delivered amount along one path of Uniswap v3
/// @notice The input is the first token of the path. The output is its last token, or native currency if that token is
/// the wrapped native token and the deployer chose to unwrap it.
/// @dev The proxy passes no minimum to the router: it compares the recipient's gain with `minimumOut`.
///
/// Warning: the pools set the price at the time of the fill, and block builders can move it. Only `minimumOut`
/// protects against that.
///
/// Warning: input that the first pool cannot take goes to the recipient. Input that a later pool cannot take stays on
/// Uniswap's router, where anyone can take it. `minimumOut` protects against this too.
///
/// Warning: pools reject fee-on-transfer tokens.
contract UniswapV3Proxy is IUniswapV3Proxy, NativePayer {
    /// @inheritdoc IUniswapV3Proxy
    address public immutable override swapRouter;

    /// @inheritdoc IUniswapV3Proxy
    Generation public immutable override generation;

    /// @dev Number of pools; later entries are zero.
    uint256 private immutable _hops;
    address private immutable _secondToken;
    address private immutable _thirdToken;
    address private immutable _lastToken;
    uint24 private immutable _firstFee;
    uint24 private immutable _secondFee;
    uint24 private immutable _thirdFee;

    /// @param swapRouter_ Uniswap's router.
    /// @param generation_ Generation of that router. With the wrong one, every call reverts.
    /// @param tokens Two to four, from input to output.
    /// @param fees The fee of the pool between each token and the next, in hundredths of a basis point.
    /// @param wrappedNative_ The chain's wrapped native token; the zero address for a proxy without native currency.
    /// @param givesNative Whether to unwrap the output, which must be the wrapped native token.
    constructor(
        address swapRouter_,
        Generation generation_,
        address[] memory tokens,
        uint24[] memory fees,
        IWrappedNative wrappedNative_,
        bool givesNative
    ) NativeProxy(_firstOf(tokens, fees), _lastOf(tokens, wrappedNative_, givesNative), swapRouter_, wrappedNative_) {
        _requirePools(IPeripheryState(swapRouter_), tokens, fees);
        swapRouter = swapRouter_;
        generation = generation_;
        _hops = fees.length;
        _secondToken = fees.length > 1 ? tokens[1] : address(0);
        _thirdToken = fees.length > 2 ? tokens[2] : address(0);
        _lastToken = tokens[fees.length];
        _firstFee = fees[0];
        _secondFee = fees.length > 1 ? fees[1] : 0;
        _thirdFee = fees.length > 2 ? fees[2] : 0;
    }

    /// @inheritdoc IUniswapV3Proxy
    function path() public view override returns (bytes memory) {
        if (_hops == 1) return abi.encodePacked(inputToken, _firstFee, _lastToken);
        if (_hops == 2) return abi.encodePacked(inputToken, _firstFee, _secondToken, _secondFee, _lastToken);
        return abi.encodePacked(inputToken, _firstFee, _secondToken, _secondFee, _thirdToken, _thirdFee, _lastToken);
    }

    /// @inheritdoc DestinationProxy
    function _act(uint256 amountIn, address recipient) internal override {
        if (uint160(recipient) <= 2) revert RecipientIsPlaceholder(recipient);
        if (address(outputToken) != address(0)) {
            _swap(amountIn, recipient);
            return;
        }
        uint256 rest = LiveBalance.read(address(wrappedNative), address(this));
        _swap(amountIn, address(this));
        _unwrapTo(recipient, _gain(rest, LiveBalance.read(address(wrappedNative), address(this))));
    }

    function _swap(uint256 amountIn, address to) private withApproval(amountIn) {
        if (generation == Generation.SwapRouter) _swapByFirst(ISwapRouter(swapRouter), amountIn, to);
        else _swapBySecond(ISwapRouter02(swapRouter), amountIn, to);
    }

    function _swapByFirst(ISwapRouter router, uint256 amountIn, address to) private {
        if (_hops == 1) {
            router.exactInputSingle(
                ISwapRouter.ExactInputSingleParams({
                    tokenIn: address(inputToken),
                    tokenOut: _lastToken,
                    fee: _firstFee,
                    recipient: to,
                    deadline: block.timestamp,
                    amountIn: amountIn,
                    amountOutMinimum: 0,
                    sqrtPriceLimitX96: 0
                })
            );
        } else {
            router.exactInput(
                ISwapRouter.ExactInputParams({
                    path: path(), recipient: to, deadline: block.timestamp, amountIn: amountIn, amountOutMinimum: 0
                })
            );
        }
    }

    function _swapBySecond(ISwapRouter02 router, uint256 amountIn, address to) private {
        if (_hops == 1) {
            router.exactInputSingle(
                ISwapRouter02.ExactInputSingleParams({
                    tokenIn: address(inputToken),
                    tokenOut: _lastToken,
                    fee: _firstFee,
                    recipient: to,
                    amountIn: amountIn,
                    amountOutMinimum: 0,
                    sqrtPriceLimitX96: 0
                })
            );
        } else {
            router.exactInput(
                ISwapRouter02.ExactInputParams({path: path(), recipient: to, amountIn: amountIn, amountOutMinimum: 0})
            );
        }
    }

    /// @dev Rejects pairs without a pool, for which every fill would fail.
    function _requirePools(IPeripheryState router, address[] memory tokens, uint24[] memory fees) private view {
        for (uint256 i = 0; i < fees.length; ++i) {
            if (router.factory().getPool(tokens[i], tokens[i + 1], fees[i]) == address(0)) {
                revert PoolMissing(tokens[i], tokens[i + 1], fees[i]);
            }
        }
    }

    /// @dev Checks the shape of the path first in the constructor.
    function _firstOf(address[] memory tokens, uint24[] memory fees) private pure returns (IERC20) {
        if (fees.length == 0 || fees.length > 3 || tokens.length != fees.length + 1) {
            revert PathMalformed(tokens.length, fees.length);
        }
        if (tokens[0] == tokens[fees.length]) revert PathReturns(tokens[0]);
        return IERC20(tokens[0]);
    }

    function _lastOf(address[] memory tokens, IWrappedNative wrappedNative_, bool givesNative)
        private
        pure
        returns (IERC20)
    {
        address last = tokens[tokens.length - 1];
        if (!givesNative) return IERC20(last);
        if (last != address(wrappedNative_)) revert NativeNotGiven(last, address(wrappedNative_));
        return IERC20(address(0));
    }
}
