// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {IDestinationProxy} from "../interfaces/IDestinationProxy.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";
import {ReentryGuard} from "../libraries/ReentryGuard.sol";

/// @title Base of the typed proxies
/// @notice Inherit it, pass the two tokens and the account that takes the input to the constructor, and implement
/// `_act`.
/// @dev The caller in a fill is a public router, so its address authorizes nothing. Three properties protect the
/// router's approvals: a proxy takes tokens from its caller only, makes no calls that the caller chooses, and holds no
/// user funds between transactions.
///
/// Tokens that others send to a proxy stay there, so that they cannot change a fill. One such token unit keeps the
/// proxy's balance slot in use, which makes each fill cheaper.
///
/// Warning: anyone can call through the router and choose the recipient. A proxy does not protect funds or approvals
/// that remain on the router when a transaction ends.
///
/// Warning: a proxy trusts both tokens and the targets of `_act`. A minimum limits the loss if one of them misbehaves;
/// a `minimumOut` of zero does not.
abstract contract DestinationProxy is IDestinationProxy, ReentryGuard {
    using SafeERC20 for IERC20;

    /// @dev Rebasing tokens round transfers, so a proxy cannot always transfer the last units.
    uint256 private constant _ROUNDING = 2;

    /// @inheritdoc IDestinationProxy
    IERC20 public immutable override inputToken;

    /// @inheritdoc IDestinationProxy
    IERC20 public immutable override outputToken;

    address private immutable _spender;

    /// @dev Whether the spender has the maximum allowance, which fills need not read. If a token ends the allowance later,
    /// `restoreAllowance` renews it.
    bool private immutable _isApproved;

    /// @dev Lets the spender take `amount` of the input token while the function body runs. Uses the constructor's
    /// allowance if it suffices, else sets an exact allowance and revokes it afterwards.
    modifier withApproval(uint256 amount) {
        bool isLent = !_isApproved && LiveBalance.allowance(address(inputToken), address(this), _spender) < amount;
        if (isLent) inputToken.forceApprove(_spender, amount);
        _;
        if (isLent) _revokeApproval();
    }

    /// @dev Approves the maximum for the spender, which saves gas in each fill. This is safe because the proxy holds no
    /// user funds between transactions. A token that rejects or caps the maximum works too.
    /// @param outputToken_ The zero address if the output is native currency.
    /// @param spender Account that takes the input in `_act`; the zero address for none.
    constructor(IERC20 inputToken_, IERC20 outputToken_, address spender) {
        _requireCode(address(inputToken_));
        if (address(outputToken_) != address(0)) _requireCode(address(outputToken_));
        inputToken = inputToken_;
        outputToken = outputToken_;
        _spender = spender;
        bool isApproved = false;
        if (spender != address(0)) {
            bytes memory approval = abi.encodeCall(IERC20.approve, (spender, type(uint256).max));
            // Ignores a failure and reads the allowance instead.
            LowLevelCall.callNoReturn(address(inputToken_), approval);
            isApproved = LiveBalance.allowance(address(inputToken_), address(this), spender) == type(uint256).max;
        }
        _isApproved = isApproved;
    }

    /// @inheritdoc IDestinationProxy
    function execute(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)
        external
        override
        nonReentrant
        returns (uint256 amountIn, uint256 amountOut)
    {
        _requireUsable(recipient, deadline);
        uint256 rest = LiveBalance.read(address(inputToken), address(this));
        amountIn = _pull(rest, minimumIn);
        amountOut = _actOn(amountIn, recipient, minimumOut);
        _sweep(recipient, rest);
    }

    /// @inheritdoc IDestinationProxy
    function restoreAllowance() external override nonReentrant {
        // Without the constructor's allowance, each fill approves for itself.
        if (_isApproved) inputToken.forceApprove(_spender, type(uint256).max);
    }

    /// @dev Turns the input into output for the recipient.
    ///
    /// Let the target send the output to the recipient, or pass it on with `_forward`: the proxy sweeps its input token
    /// only. Call only targets that are fixed at deployment. Approve with `withApproval` only, which revokes the
    /// allowance.
    /// @param amountIn The input amount, held by the proxy. The proxy can hold more that others sent.
    /// @param recipient Account that must receive the output.
    function _act(uint256 amountIn, address recipient) internal virtual;

    /// @dev For protocols that pay their caller: sends the proxy's gain over `rest` to the recipient. Funds that others
    /// sent to the proxy before the call stay.
    ///
    ///     uint256 rest = _outputOf(address(this));
    ///     target.redeem(amountIn);
    ///     _forward(outputToken, rest, recipient);
    ///
    /// Do not use it for the input token, whose gain includes the input. To receive native currency, add a `receive`
    /// function that accepts it from the target only.
    /// @param token The token; the zero address for native currency, whose transfer calls the recipient.
    /// @param rest The proxy's balance before the call.
    function _forward(IERC20 token, uint256 rest, address recipient) internal {
        if (address(token) == address(0)) {
            _forwardNative(rest, recipient);
            return;
        }
        uint256 amount = _gain(rest, LiveBalance.read(address(token), address(this)));
        // Some tokens revert on transfers of zero.
        if (amount != 0) token.safeTransfer(recipient, amount);
    }

    /// @dev `_forward` for native currency. The action must not spend the proxy's own native currency.
    function _forwardNative(uint256 rest, address recipient) internal {
        uint256 amount = address(this).balance - rest;
        if (!LowLevelCall.callNoReturn(recipient, amount, "")) {
            revert NativeTransferFailed(recipient, amount, LowLevelCall.returnData());
        }
    }

    /// @dev The recipient's output balance. Override it if the output is not a token balance.
    function _outputOf(address recipient) internal view virtual returns (uint256) {
        return LiveBalance.read(address(outputToken), recipient);
    }

    /// @dev Checks before any token moves.
    function _requireUsable(address recipient, uint256 deadline) internal view {
        if (block.timestamp > deadline) revert DeadlinePassed(deadline, block.timestamp);
        if (recipient == address(0)) revert RecipientIsZero();
        if (recipient == address(this)) revert RecipientIsProxy(recipient);
        if (recipient == msg.sender) _requireUser(recipient);
        if (recipient == address(inputToken) || recipient == address(outputToken)) revert RecipientIsToken(recipient);
    }

    /// @dev Runs the action and measures the recipient's gain.
    function _actOn(uint256 amountIn, address recipient, uint256 minimumOut) internal returns (uint256 amountOut) {
        uint256 held = _outputOf(recipient);
        _act(amountIn, recipient);
        amountOut = _requireGained(held, _outputOf(recipient), minimumOut);
        emit Executed(msg.sender, recipient, amountIn, amountOut);
    }

    function _requireGained(uint256 held, uint256 holds, uint256 minimumOut) internal pure returns (uint256 gained) {
        gained = _gain(held, holds);
        if (gained < minimumOut) revert InsufficientOutput(gained, minimumOut);
    }

    /// @dev The increase of a balance; zero if it fell. A recipient can forward tokens on arrival, and some tokens
    /// rebase.
    function _gain(uint256 held, uint256 holds) internal pure returns (uint256) {
        return holds > held ? holds - held : 0;
    }

    /// @dev Transfers the caller's whole balance and returns the received amount, which is lower for fee-on-transfer
    /// tokens.
    /// @param rest The proxy's previous balance, which stays.
    function _pull(uint256 rest, uint256 minimumIn) internal returns (uint256 amountIn) {
        uint256 live = LiveBalance.read(address(inputToken), msg.sender);
        // Some tokens revert on transfers of zero, which would hide the actual error.
        if (live != 0) inputToken.safeTransferFrom(msg.sender, address(this), live);
        amountIn = _gain(rest, LiveBalance.read(address(inputToken), address(this)));
        _requireArrived(amountIn, minimumIn);
    }

    /// @dev Requires the minimum input, and at least one unit.
    function _requireArrived(uint256 amountIn, uint256 minimumIn) internal pure {
        uint256 required = minimumIn == 0 ? 1 : minimumIn;
        if (amountIn < required) revert InsufficientInput(amountIn, required);
    }

    /// @dev Sends unused input to the recipient.
    /// @param rest The proxy's previous balance, which stays.
    function _sweep(address recipient, uint256 rest) internal {
        uint256 holds = LiveBalance.read(address(inputToken), address(this));
        if (holds <= rest) return;
        inputToken.safeTransfer(recipient, holds - rest);
        holds = LiveBalance.read(address(inputToken), address(this));
        if (holds > rest + _ROUNDING) revert InputLeft(holds - rest);
    }

    /// @dev Users may call for themselves, but a contract could be the public router.
    function _requireUser(address caller) private view {
        // No contract's code begins with these bytes (EIP-3541). They mark a user's delegated account (EIP-7702).
        if (caller.code.length != 0 && bytes3(caller.code) != 0xef0100) revert RecipientIsCaller(caller);
    }

    function _requireCode(address token) private view {
        if (token.code.length == 0) revert TokenWithoutCode(token);
    }

    /// @dev Revokes an unspent allowance.
    function _revokeApproval() private {
        if (LiveBalance.allowance(address(inputToken), address(this), _spender) == 0) return;
        inputToken.forceApprove(_spender, 0);
        uint256 left = LiveBalance.allowance(address(inputToken), address(this), _spender);
        if (left != 0) revert AllowanceLeft(_spender, left);
    }
}
