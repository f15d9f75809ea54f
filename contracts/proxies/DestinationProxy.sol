// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IDestinationProxy} from "../interfaces/IDestinationProxy.sol";

/// @title Base of the typed proxies
/// @notice Inherit, name the two tokens in the constructor and write `_act`.
/// @dev The caller of a fill is a public router, so being called by it proves nothing. Three properties carry the
/// safety of what the router has approved to a proxy: the proxy takes from its caller only, it makes no call that the
/// caller chooses, and it holds nothing between transactions.
///
/// Warning: whoever calls through the router names the recipient. Funds or approvals left on the router when a
/// transaction ends are not protected by a proxy.
///
/// Warning: both tokens and all that `_act` calls are trusted to do their work. The minimums bound what a
/// misbehaving one can cost; with a `minimumOut` of zero nothing does.
abstract contract DestinationProxy is IDestinationProxy, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @inheritdoc IDestinationProxy
    IERC20 public immutable override inputToken;

    /// @inheritdoc IDestinationProxy
    IERC20 public immutable override outputToken;

    /// @dev Approves `spender` for exactly `amount` of the input token while the function body runs.
    modifier withApproval(address spender, uint256 amount) {
        inputToken.forceApprove(spender, amount);
        _;
        _revokeApproval(spender);
    }

    constructor(IERC20 inputToken_, IERC20 outputToken_) {
        if (address(inputToken_).code.length == 0) revert TokenWithoutCode(address(inputToken_));
        if (address(outputToken_).code.length == 0) revert TokenWithoutCode(address(outputToken_));
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
        if (block.timestamp > deadline) revert DeadlinePassed(deadline, block.timestamp);
        if (recipient == address(0)) revert RecipientIsZero();
        if (recipient == address(this)) revert RecipientIsProxy(recipient);
        if (recipient == msg.sender) revert RecipientIsCaller(recipient);

        amountIn = _pull(minimumIn);

        uint256 held = outputToken.balanceOf(recipient);
        _act(amountIn, recipient);
        uint256 holds = outputToken.balanceOf(recipient);
        // A recipient may pass tokens on as they arrive, so the balance can also fall.
        amountOut = holds > held ? holds - held : 0;
        if (amountOut < minimumOut) revert InsufficientOutput(amountOut, minimumOut);

        _sweep(recipient);
        emit Executed(msg.sender, recipient, amountIn, amountOut);
    }

    /// @dev Turns input into output for the recipient.
    ///
    /// The output must go to the recipient directly: the proxy sweeps its input token, nothing else. Call only targets
    /// that are fixed at deployment. Give allowances by `withApproval` only, which takes them back.
    /// @param amountIn The input to act on, held by the proxy. The proxy may hold more, sent to it by strangers.
    /// @param recipient Must receive the output.
    function _act(uint256 amountIn, address recipient) internal virtual;

    /// @dev Takes the caller's whole balance and returns what arrived, which is less where the token takes a fee.
    function _pull(uint256 minimumIn) private returns (uint256 amountIn) {
        uint256 held = inputToken.balanceOf(address(this));
        uint256 live = inputToken.balanceOf(msg.sender);
        // Some tokens refuse to transfer zero, which would hide the reason.
        if (live != 0) inputToken.safeTransferFrom(msg.sender, address(this), live);
        amountIn = inputToken.balanceOf(address(this)) - held;

        uint256 required = minimumIn == 0 ? 1 : minimumIn;
        if (amountIn < required) revert InsufficientInput(amountIn, required);
    }

    /// @dev Sends all input at the proxy to the recipient, also what strangers have sent to it.
    function _sweep(address recipient) private {
        uint256 left = inputToken.balanceOf(address(this));
        if (left == 0) return;
        inputToken.safeTransfer(recipient, left);
        left = inputToken.balanceOf(address(this));
        if (left != 0) revert InputLeft(left);
    }

    /// @dev Ends an allowance of which not all was spent.
    function _revokeApproval(address spender) private {
        if (inputToken.allowance(address(this), spender) == 0) return;
        inputToken.forceApprove(spender, 0);
        uint256 left = inputToken.allowance(address(this), spender);
        if (left != 0) revert AllowanceLeft(spender, left);
    }
}
