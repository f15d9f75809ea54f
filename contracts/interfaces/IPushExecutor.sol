// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Runs a packed program over the balances that were pushed to it in the same transaction
/// @notice For calls that no typed proxy makes. A contract that may call anything must never be approved, so the
/// delivered tokens are sent to the executor first (`cleanupErc20s([token], [executor], [0], …)` of the router), and
/// `execute` follows at once. Native comes with the call (`cleanupNativeViaCall(0, executor, …)`).
///
/// A program is packed, big-endian, without padding:
///
/// | part | bytes |
/// |---|---|
/// | header | version 1 (0x01), policy 1 (0 revert, 1 fall back), deadline 5 (Unix seconds), recipient 20, number of tokens 1, number of checks 1, number of steps 1 |
/// | fallback, where the policy is 1 | fallbackRecipient 20, stepsGas 4, reserveGas 4 |
/// | each token | flags 1 (bit 0: keepUnit), token 20 (zero is native) |
/// | each token again | minimumIn, an amount |
/// | each check | token 20 (zero is native), minimumOut, an amount |
/// | each step | number of draws 1, number of patches 1, length of the call data 2, target 20, draws, patches, call data |
/// | each draw | kind 1, index 1, share 2 (bps), then for kind 2 a spender 20, for kind 5 a value 16 |
/// | each patch | draw 1, offset 2, width 1 (16, 20 or 32) |
///
/// An amount is the number of its bytes in 1 byte, then the bytes.
///
/// A draw is a live amount. Its kinds:
///
/// | kind | amount |
/// |---|---|
/// | 0 | the share of what the executor holds of the token with that index |
/// | 1 | the same, and the target may take it |
/// | 2 | the same, and the spender may take it |
/// | 3 | the share of the executor's native, sent as the value of the call; the token with that index is native |
/// | 4 | the share of the word with that index of what the step before returned |
/// | 5 | the value that follows, sent as the value of the call; index and share are zero |
///
/// Shares of a token are of what the executor held when the token was first drawn. When they reach 10,000 bps the draw
/// takes all that is left, and counting starts anew. They may end below, never above. Declare a token once: a second
/// declaration counts on its own.
///
/// Steps fall back for any reason but a lack of gas. What lacks gas can look otherwise (a target may ask how much there
/// is, and refuse), so `stepsGas` must be what the steps need at most: less gas is refused before the first call.
///
/// A patch writes its draw's amount into the call data at its offset, over the sentinel, which must stand there.
interface IPushExecutor {
    /// @notice The steps of a program of `caller` were undone; everything went to the fallback recipient.
    /// @param reason The selector of the error that ended the steps; zero for an error without one.
    event FellBack(address indexed caller, address indexed recipient, bytes4 reason);

    /// @notice The router has no code on this chain.
    error RouterWithoutCode(address router);

    /// @notice The executor does not know this version of programs.
    error UnknownVersion(uint256 version);

    /// @notice The program names a policy that there is not.
    error UnknownPolicy(uint256 policy);

    /// @notice The program ends before what it announces.
    error ProgramTruncated(uint256 length, uint256 needed);

    /// @notice The program goes on after its last step.
    error TrailingBytes(uint256 length, uint256 used);

    /// @notice An amount says that it has more than 32 bytes.
    error InvalidAmount(uint256 size);

    /// @notice The call came too late.
    error DeadlinePassed(uint256 deadline, uint256 timestamp);

    /// @notice Nobody may be paid there: zero, the executor, its puller, the router, the caller or a token.
    error RecipientDenied(address recipient);

    /// @notice A step must not call this: a declared token, the executor, its puller, Permit2, the router, the caller.
    error TargetDenied(uint256 step, address target);

    /// @notice A step must not call this function, which could move or approve what others push here.
    error SelectorDenied(uint256 step, bytes4 selector);

    /// @notice A step must not give an allowance to this address, for the reasons of `TargetDenied`, or to zero.
    error SpenderDenied(uint256 step, address spender);

    /// @notice A token has flags that there are not, or that do not fit native.
    error InvalidToken(uint256 index, uint256 flags);

    /// @notice The call carries native, and the program does not declare it.
    error NativeNotDeclared(uint256 value);

    /// @notice A draw is of a kind that there is not, or that does not fit its token.
    error InvalidDraw(uint256 step, uint256 draw);

    /// @notice A share is zero or brings the shares of its token above 10,000 bps.
    error InvalidShare(uint256 step, uint256 draw, uint256 sumBps);

    /// @notice One step draws the same token twice.
    error DrawnTwice(uint256 step, uint256 index);

    /// @notice A patch has a width other than 16, 20 and 32, or writes a draw that there is not.
    error InvalidPatch(uint256 step, uint256 patch);

    /// @notice A patch would write over the selector or past the end of the call data.
    error PatchOutOfBounds(uint256 step, uint256 offset, uint256 width, uint256 length);

    /// @notice The sentinel does not stand where a patch would write. `found` is right-aligned.
    error SentinelMissing(uint256 step, uint256 offset, uint256 found);

    /// @notice Less of a token was pushed than asked for.
    error InsufficientInput(address token, uint256 amount, uint256 minimumIn);

    /// @notice The recipient gained less of a token than asked for.
    error InsufficientOutput(address token, uint256 amount, uint256 minimumOut);

    /// @notice A call to an address without code would succeed and do nothing.
    error TargetWithoutCode(uint256 step, address target);

    /// @notice The step before returned less than the word that is drawn.
    error ReturnWordMissing(uint256 step, uint256 word, uint256 length);

    /// @notice An amount does not fit where it is to be written.
    error AmountTooWide(uint256 step, uint256 amount, uint256 width);

    /// @notice A call failed. `revertData` is cut at 512 bytes.
    error StepFailed(uint256 step, address target, bytes revertData);

    /// @notice The executor would have kept an allowance open.
    error AllowanceLeft(address token, address spender, uint256 amount);

    /// @notice The recipient did not take native.
    error NativeTransferFailed(address recipient, uint256 amount);

    /// @notice The call brings less gas than the program says its steps and its fallback need.
    error InsufficientGas(uint256 available, uint256 needed);

    /// @notice The steps used up more than seven eighths of their gas. That is never a reason to fall back, since
    /// whoever sends the transaction chooses the gas.
    error StepsOutOfGas(uint256 given);

    /// @notice Only the executor itself may run steps on their own.
    error OnlyExecutor(address caller);

    /// @notice Runs a program and sends all that is left of its tokens, and native, to its recipient.
    /// @dev Whoever calls first takes what lies here, so push and execute in one transaction, with nothing untrusted in
    /// between. Declare what you push, and what comes back, native too.
    ///
    /// What the executor keeps of a token with `keepUnit` is one unit, for cheaper storage. Anyone can take it with a
    /// program of their own, and the next program with `keepUnit` leaves one of its units then.
    ///
    /// Anyone can leave native here. A program that declares native pays it out, so where the recipient refuses native,
    /// spend it by a draw of all, never by a fixed value.
    /// @param program See above. A program that is not well-formed reverts, whatever its policy.
    function execute(bytes calldata program) external payable;

    /// @notice Runs the steps of a program for the executor itself, so that a failure undoes them all.
    /// @dev Refuses every other caller.
    function runSteps(bytes calldata program) external;

    /// @notice The contract that pulls a live balance and hands it to the executor.
    function livePuller() external view returns (address);

    /// @notice The router of the chain, which no step may call.
    function router() external view returns (address);
}
