// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {IDestinationProxy} from "../interfaces/IDestinationProxy.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";
import {ReentryGuard} from "../libraries/ReentryGuard.sol";

/// @title Base of the typed proxies
/// @notice Inherit, name the two tokens in the constructor and write `_act`.
/// @dev The caller of a fill is a public router, so being called by it proves nothing. Three properties carry the
/// safety of what the router has approved to a proxy: the proxy takes from its caller only, it makes no call that the
/// caller chooses, and it holds nothing of a user between transactions.
///
/// What strangers send to a proxy stays there: it belongs to nobody, and paying it out would let a stranger make a
/// fill pay somebody. A unit that lies there keeps the proxy's balance slot in use, which makes each fill cheaper.
///
/// Warning: whoever calls through the router names the recipient. Funds or approvals left on the router when a
/// transaction ends are not protected by a proxy.
///
/// Warning: both tokens and all that `_act` calls are trusted to do their work. The minimums bound what a
/// misbehaving one can cost; with a `minimumOut` of zero nothing does.
abstract contract DestinationProxy is IDestinationProxy, ReentryGuard {
    using SafeERC20 for IERC20;

    /// @dev Tokens that rebase round what a transfer moves, so a proxy cannot always give away the last units.
    uint256 private constant _ROUNDING = 2;

    /// @inheritdoc IDestinationProxy
    IERC20 public immutable override inputToken;

    /// @inheritdoc IDestinationProxy
    IERC20 public immutable override outputToken;

    /// @dev Lets `spender` take `amount` of the input token while the function body runs: by the standing allowance
    /// where it has one, by an exact one that ends with the body where it has not.
    modifier withApproval(address spender, uint256 amount) {
        bool lent = LiveBalance.allowance(address(inputToken), address(this), spender) < amount;
        if (lent) inputToken.forceApprove(spender, amount);
        _;
        if (lent) _revokeApproval(spender);
    }

    /// @param outputToken_ The zero address where the recipient gets native.
    constructor(IERC20 inputToken_, IERC20 outputToken_) {
        _requireCode(address(inputToken_));
        if (address(outputToken_) != address(0)) _requireCode(address(outputToken_));
        inputToken = inputToken_;
        outputToken = outputToken_;
    }

    /// @inheritdoc IDestinationProxy
    function execute(
        address recipient,
        uint256 minimumIn,
        uint256 minimumOut,
        uint256 deadline
    ) external override nonReentrant returns (uint256 amountIn, uint256 amountOut) {
        _requireUsable(recipient, deadline);
        uint256 rest = LiveBalance.read(address(inputToken), address(this));
        amountIn = _pull(rest, minimumIn);
        amountOut = _actOn(amountIn, recipient, minimumOut);
        _sweep(recipient, rest);
    }

    /// @dev Turns input into output for the recipient.
    ///
    /// The output must go to the recipient directly: the proxy sweeps its input token, nothing else. Call only targets
    /// that are fixed at deployment. Give allowances by `withApproval` only, which takes them back.
    /// @param amountIn The input to act on, held by the proxy. The proxy may hold more, sent to it by strangers.
    /// @param recipient Must receive the output.
    function _act(uint256 amountIn, address recipient) internal virtual;

    /// @dev What the recipient holds of the output. Override where the output is no balance of a token.
    function _outputOf(address recipient) internal view virtual returns (uint256) {
        return LiveBalance.read(address(outputToken), recipient);
    }

    /// @dev For the constructor of a proxy: gives `spender` a standing allowance of the input token, which saves gas in
    /// each fill. The proxy holds nothing of a user between transactions, so nothing is at risk then. A token that
    /// refuses the largest amount gets no standing allowance, and works all the same.
    function _approveStanding(address spender) internal {
        // A refusal is not looked at: `withApproval` reads what was really granted.
        LowLevelCall.callNoReturn(address(inputToken), abi.encodeCall(IERC20.approve, (spender, type(uint256).max)));
    }

    /// @dev All that is checked before money moves.
    function _requireUsable(address recipient, uint256 deadline) internal view {
        if (block.timestamp > deadline) revert DeadlinePassed(deadline, block.timestamp);
        if (recipient == address(0)) revert RecipientIsZero();
        if (recipient == address(this)) revert RecipientIsProxy(recipient);
        if (recipient == msg.sender) revert RecipientIsCaller(recipient);
        if (recipient == address(inputToken) || recipient == address(outputToken)) revert RecipientIsToken(recipient);
    }

    /// @dev Runs the action and measures what the recipient gained.
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

    /// @dev A balance can also fall: a recipient may pass tokens on as they arrive, and some tokens rebase.
    function _gain(uint256 held, uint256 holds) internal pure returns (uint256) {
        return holds > held ? holds - held : 0;
    }

    /// @dev Takes the caller's whole balance and returns what arrived, which is less where the token takes a fee.
    /// @param rest What the proxy held before, which is nobody's.
    function _pull(uint256 rest, uint256 minimumIn) internal returns (uint256 amountIn) {
        uint256 live = LiveBalance.read(address(inputToken), msg.sender);
        // Some tokens refuse to transfer zero, which would hide the reason.
        if (live != 0) inputToken.safeTransferFrom(msg.sender, address(this), live);
        amountIn = _gain(rest, LiveBalance.read(address(inputToken), address(this)));
        _requireArrived(amountIn, minimumIn);
    }

    /// @dev At least one unit must arrive in any case.
    function _requireArrived(uint256 amountIn, uint256 minimumIn) internal pure {
        uint256 required = minimumIn == 0 ? 1 : minimumIn;
        if (amountIn < required) revert InsufficientInput(amountIn, required);
    }

    /// @dev Sends the input that the action left to the recipient.
    /// @param rest What the proxy held before, which stays.
    function _sweep(address recipient, uint256 rest) internal {
        uint256 holds = LiveBalance.read(address(inputToken), address(this));
        if (holds <= rest) return;
        inputToken.safeTransfer(recipient, holds - rest);
        holds = LiveBalance.read(address(inputToken), address(this));
        if (holds > rest + _ROUNDING) revert InputLeft(holds - rest);
    }

    function _requireCode(address token) private view {
        if (token.code.length == 0) revert TokenWithoutCode(token);
    }

    /// @dev Ends an allowance of which not all was spent.
    function _revokeApproval(address spender) private {
        if (LiveBalance.allowance(address(inputToken), address(this), spender) == 0) return;
        inputToken.forceApprove(spender, 0);
        uint256 left = LiveBalance.allowance(address(inputToken), address(this), spender);
        if (left != 0) revert AllowanceLeft(spender, left);
    }
}
