// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Runs a packed program with balances that are pulled or pushed to it
/// @notice For calls that no typed proxy makes. Never approve a contract that can call anything, so the caller approves
/// the executor's `livePuller`, and `pullAndExecute` transfers the caller's live balance of one token with it.
///
/// Several tokens, and tokens that the caller cannot approve, are pushed: the router sends them to the executor
/// (`cleanupErc20s([token], [executor], [0], …)`), and `execute` must be the next call. Prefer the pull: no other
/// program can run during it. During a push, code that a token's hook calls can execute its own program with the pushed
/// tokens; only tight minimums protect against that.
///
/// Native currency comes with the call (`cleanupNativeViaCall(0, executor, …)`). The router skips that call if it holds
/// no native currency, so no minimum of the program is then enforced. To prevent that, first make a call that then
/// fails.
///
/// The program follows the arguments of a call, without a length and an offset (`abi.encodePacked`). It is packed,
/// big-endian, without padding:
///
/// | part | bytes |
/// |---|---|
/// | header | version 1 (0x01), policy 1 (0 revert, 1 fall back), deadline 5 (Unix seconds), number of tokens 1, number of checks 1, number of steps 1, recipient, a reference |
/// | fallback, where the policy is 1 | fallbackRecipient 20, stepsGas 4, reserveGas 4 |
/// | each token | flags 1 (bit 0: keepUnit), token 20 (zero is native) |
/// | each token again | minimumIn, an amount |
/// | each check | token 20 (zero is native), minimumOut, an amount |
/// | each step | number of draws 1, number of patches 1, length of the call data 2, target, a reference, draws, patches, call data |
/// | each draw | kind 1, index 1, share 2 (bps), then for kind 2 a spender 20, for kind 5 a value 16 |
/// | each patch | draw 1, offset 2, width 1 (16, 20 or 32) |
///
/// An amount is the number of its bytes in 1 byte, then the bytes.
///
/// A reference is 2 bytes. If they are zero, the address follows in 20 bytes. Otherwise they are the position in the
/// program of the 20 bytes of the address, so that a program need not repeat an address that its call data or a check
/// contains.
///
/// A draw is a live amount. Its kinds:
///
/// | kind | amount |
/// |---|---|
/// | 0 | the share of the executor's balance of the token with that index |
/// | 1 | the same, approved for the target |
/// | 2 | the same, approved for the spender |
/// | 3 | the share of the executor's native currency, sent as the call's value; the token with that index is native |
/// | 4 | the share of the word with that index in the previous step's return data |
/// | 5 | a fixed value (16 bytes), sent as the value of the call; index and share are zero |
///
/// Shares of a token refer to the executor's balance when the token was first drawn. When they reach 10,000 bps, the
/// draw takes the remainder, and counting restarts. Their sum can end below 10,000 bps, but never exceed it. Declare a
/// token once: shares of a second declaration are counted separately.
///
/// Steps fall back for any reason except a lack of gas. A lack of gas can look like another failure (a target can read
/// the remaining gas, and revert), so set `stepsGas` to the most that the steps can need. A call with less than this
/// and the overhead of nested calls reverts before the first step. Minimum inputs are not part of the steps: they
/// revert under any policy.
///
/// A patch writes its draw's amount into the call data at its offset, replacing the sentinel, which must be there.
interface IPushExecutor {
    /// The steps of the `caller`'s program were reverted; everything went to the fallback recipient.
    /// @param reason Selector of the error that reverted the steps; zero for an error without a selector.
    event FellBack(address indexed caller, address indexed recipient, bytes4 reason);

    /// @notice The program's version is not supported.
    error UnknownVersion(uint256 version);

    /// @notice The program's policy does not exist.
    error UnknownPolicy(uint256 policy);

    /// @notice The program is shorter than its header or one of its references requires.
    error ProgramTruncated(uint256 length, uint256 needed);

    /// @notice There are bytes after the program's last step.
    error TrailingBytes(uint256 length, uint256 used);

    /// @notice An amount has more than 32 bytes.
    error InvalidAmount(uint256 size);

    /// @notice The deadline has passed.
    error DeadlinePassed(uint256 deadline, uint256 timestamp);

    /// @notice The recipient is zero, the executor, its puller, the caller, Permit2 or a declared token.
    error RecipientDenied(address recipient);

    /// @notice A step's target is zero, a declared token, the executor, its puller, Permit2 or the caller.
    error TargetDenied(uint256 step, address target);

    /// @notice A step calls a function that could move or approve others' pushed funds.
    error SelectorDenied(uint256 step, bytes4 selector);

    /// @notice A step's spender is denied, as a target would be.
    error SpenderDenied(uint256 step, address spender);

    /// @notice A token has unknown flags, or flags that native currency cannot have.
    error InvalidToken(uint256 index, uint256 flags);

    /// @notice The call has a value, but the program does not declare native currency.
    error NativeNotDeclared(uint256 value);

    /// @notice A draw's kind does not exist, or does not fit its token.
    error InvalidDraw(uint256 step, uint256 draw);

    /// @notice A share is zero, or the shares of its token exceed 10,000 bps.
    error InvalidShare(uint256 step, uint256 draw, uint256 sumBps);

    /// @notice A step draws the same token twice.
    error DrawnTwice(uint256 step, uint256 index);

    /// @notice A patch has a width other than 16, 20 or 32, or refers to a draw that does not exist.
    error InvalidPatch(uint256 step, uint256 patch);

    /// @notice A patch overlaps the selector, or ends after the call data.
    error PatchOutOfBounds(uint256 step, uint256 offset, uint256 width, uint256 length);

    /// @notice The sentinel is missing at a patch. `found` is right-aligned.
    error SentinelMissing(uint256 step, uint256 offset, uint256 found);

    /// @notice The executor received less of a token than required.
    error InsufficientInput(address token, uint256 amount, uint256 minimumIn);

    /// @notice The recipient gained less of a token than required.
    error InsufficientOutput(address token, uint256 amount, uint256 minimumOut);

    /// @notice The target has no code, so the call would succeed without effect.
    error TargetWithoutCode(uint256 step, address target);

    /// @notice The previous step returned too little data for the drawn word.
    error ReturnWordMissing(uint256 step, uint256 word, uint256 length);

    /// @notice An amount does not fit its field.
    error AmountTooWide(uint256 step, uint256 amount, uint256 width);

    /// @notice A call failed. `revertData` is truncated to 512 bytes.
    error StepFailed(uint256 step, address target, bytes revertData);

    /// @notice The executor would have kept an allowance.
    error AllowanceLeft(address token, address spender, uint256 amount);

    /// @notice The recipient rejected native currency.
    error NativeTransferFailed(address recipient, uint256 amount);

    /// @notice The call has less gas than the program requires for its steps and its fallback.
    error InsufficientGas(uint256 available, uint256 needed);

    /// @notice The steps used more than seven eighths of their gas. This never triggers the fallback, since the sender
    /// of the transaction chooses the gas.
    error StepsOutOfGas(uint256 given);

    /// @notice Only the executor itself may run steps.
    error OnlyExecutor(address caller);

    /// @notice Runs the program that follows the selector with the pushed funds, and sends the remaining declared
    /// tokens and native currency to its recipient.
    /// @dev Anyone can take funds left in the executor, so push and execute in one transaction, without untrusted calls
    /// in between. A malformed program reverts under any policy. Declare all tokens that you push and that the steps
    /// return, including native currency.
    ///
    /// With `keepUnit`, the executor keeps one unit of a token for cheaper storage. Anyone can take it with a program,
    /// after which the next program with `keepUnit` leaves one of its own units. The kept unit counts toward
    /// `minimumIn`. A program's native currency is the value of its call plus what its steps return. Other native
    /// currency in the executor came from strangers, and stays. If a program does not declare native currency, returned
    /// native currency goes to the recipient, or stays in the executor if the recipient rejects it.
    function execute() external payable;

    /// @notice Like `execute`, but first transfers the caller's whole balance of a token. The program follows the
    /// token.
    /// @dev No other program can run between the transfer and the program.
    /// @param token Token that the caller has approved for `livePuller`, and that the program declares.
    function pullAndExecute(IERC20 token) external payable;

    /// @notice Runs the steps of the program that follows the selector, in a separate call, so that a failure reverts
    /// all steps.
    /// @dev Rejects every other caller.
    function runSteps() external payable;

    /// @notice The account to approve for `pullAndExecute`.
    function livePuller() external view returns (address);
}
