// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ILivePuller} from "../interfaces/ILivePuller.sol";
import {IPushExecutor} from "../interfaces/IPushExecutor.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";
import {PushCursor} from "../libraries/PushCursor.sol";
import {Program, PushProgram, Token} from "../libraries/PushProgram.sol";
import {ReentryGuard} from "../libraries/ReentryGuard.sol";
import {Words, newWords} from "../libraries/Words.sol";
import {LivePuller} from "./LivePuller.sol";
import {StepRunner} from "./StepRunner.sol";

/// @title Runs programs with balances that are pulled or pushed to it
/// @notice See `IPushExecutor` for the layout of a program.
/// @dev Anyone may run any program. Three things protect one caller's push from other programs: the executor holds
/// nothing between transactions, no allowance of the executor outlives a program, and only one program runs at a time.
/// None of these depends on the caller, so one executor serves routers of every version.
///
/// Warning: the author of a program trusts its targets. The minimums limit the loss from a target that misbehaves.
///
/// Warning: earlier programs can have lasting effects on other contracts. A token or protocol can let an account
/// authorize others with functions that are not denied, or take on debt in the executor's name. While a program handles
/// that token, a stranger could then take anything that the program's minimums do not cover. Set a minimum for
/// everything that a program moves.
contract PushExecutor is StepRunner, ReentryGuard {
    using SafeERC20 for IERC20;

    /// @dev Words per check: token, minimum, and the recipient's balance before the steps.
    uint256 private constant _CHECK_WORDS = 3;
    uint256 private constant _TOKEN = 0;
    uint256 private constant _MINIMUM = 1;
    uint256 private constant _HELD = 2;

    /// @dev Start of the program in the calldata: after the selector, or after the token of `pullAndExecute`.
    uint256 private constant _PROGRAM = 4;
    uint256 private constant _PROGRAM_AFTER_TOKEN = 36;

    address private constant _PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    /// @inheritdoc IPushExecutor
    address public immutable override livePuller;

    constructor() {
        livePuller = address(new LivePuller());
    }

    /// @dev Accepts native currency that targets return.
    receive() external payable {}

    /// @inheritdoc IPushExecutor
    function execute() external payable override nonReentrant {
        _execute(_PROGRAM);
    }

    /// @inheritdoc IPushExecutor
    function pullAndExecute(IERC20 token) external payable override nonReentrant {
        ILivePuller(livePuller).pull(token, msg.sender);
        _execute(_PROGRAM_AFTER_TOKEN);
    }

    /// @inheritdoc IPushExecutor
    function runSteps() external payable override {
        if (msg.sender != address(this)) revert OnlyExecutor(msg.sender);
        _run(PushProgram.open(_PROGRAM));
    }

    /// @param start Start of the program in the calldata.
    function _execute(uint256 start) private {
        Program program = PushProgram.open(start);
        _requireRecipient(program.recipient());
        if (msg.value != 0) _requireNative(program);

        if (program.fallsBack()) {
            _runOrFallBack(program);
        } else {
            _run(program);
        }
    }

    /// @dev The sender of the transaction chooses the gas limit, so running out of gas must not count as a failure of
    /// the steps. The gas that the author requires must be available, and using all of it is an error.
    function _runOrFallBack(Program program) private {
        (address fallbackRecipient, uint256 stepsGas, uint256 reserveGas) = program.fallbackOf();
        _requireRecipient(fallbackRecipient);
        if (program.declares(fallbackRecipient)) revert RecipientDenied(fallbackRecipient);
        _run(program.asDry());

        bytes memory callData = bytes.concat(IPushExecutor.runSteps.selector, msg.data[program.start():]);
        uint256 available = gasleft();
        // EIP-150 keeps a 64th of the gas in this call, and the steps must leave an eighth of their gas (see below).
        uint256 needed = (stepsGas * 64 * 8) / (63 * 7) + 1 + reserveGas;
        if (available < needed) revert InsufficientGas(available, needed);
        uint256 given = available - reserveGas;

        (bool success, bytes4 reason) = _callSelf(given, callData);
        if (success) return;
        // Each level of calls keeps a 64th, so a call that ran out of gas up to eight levels below leaves less than an
        // eighth.
        if (gasleft() < reserveGas + given / 8) revert StepsOutOfGas(given);
        _sweep(program, fallbackRecipient, address(this).balance - msg.value);
        emit FellBack(msg.sender, fallbackRecipient, reason);
    }

    function _run(Program program) private {
        uint256 nativeBefore;
        // Cannot overflow: the value is part of the balance.
        unchecked {
            nativeBefore = address(this).balance - msg.value;
        }
        (Words shares, uint256 cursor) = _readTokens(program, nativeBefore);
        Words checks;
        (checks, cursor) = _readChecks(program, cursor);
        _runSteps(program, shares, cursor);
        if (program.isDry()) return;
        _sweep(program, program.recipient(), nativeBefore);
        _requireOutputs(program, checks);
    }

    /// @dev Reads the tokens and checks their minimums, even in a dry run: missing input never triggers the fallback. A
    /// kept unit counts toward the minimum: if a stranger takes it, the program leaves one of its own units.
    /// @return shares See `_newShares`.
    /// @return cursor Start of the checks.
    function _readTokens(Program program, uint256 nativeBefore) private view returns (Words shares, uint256 cursor) {
        cursor = program.tokensEnd();
        // Cannot overflow: counts have 8 bits, and a kept unit is part of the balance.
        unchecked {
            shares = _newShares(program, nativeBefore);
            Words share = shares;
            for (uint256 i = 0; i != program.tokenCount(); ++i) {
                Token token = program.tokenAt(i);
                token.requireValid(i);
                if (token.account() == program.recipient()) revert RecipientDenied(program.recipient());
                uint256 minimumIn;
                (minimumIn, cursor) = PushCursor.readAmount(cursor);
                program.requireRead(cursor);
                uint256 live = _live(token, nativeBefore);
                if (live < minimumIn) {
                    if (live == 0 || live + token.flags() < minimumIn) {
                        revert InsufficientInput(token.account(), live, minimumIn);
                    }
                }
                _openShare(share, live);
                share = share.from(_SHARE_WORDS);
            }
        }
    }

    /// @dev Reads the checks, and the recipient's balances of their tokens.
    /// @return checks `_CHECK_WORDS` per check. Unset in a dry run.
    /// @return cursor Start of the steps.
    function _readChecks(Program program, uint256 start) private view returns (Words checks, uint256 cursor) {
        cursor = start;
        // Cannot overflow: counts have 8 bits.
        unchecked {
            checks = newWords(_CHECK_WORDS * program.checkCount());
            Words check = checks;
            for (uint256 left = program.checkCount(); left != 0; --left) {
                address token = PushCursor.readAddress(cursor);
                uint256 minimumOut;
                (minimumOut, cursor) = PushCursor.readAmount(cursor + 20);
                program.requireRead(cursor);
                if (program.isDry()) continue;
                check.setWordAt(_TOKEN, uint160(token));
                check.setWordAt(_MINIMUM, minimumOut);
                check.setWordAt(_HELD, LiveBalance.read(token, program.recipient()));
                check = check.from(_CHECK_WORDS);
            }
        }
    }

    /// @param checks `_CHECK_WORDS` per check.
    function _requireOutputs(Program program, Words checks) private view {
        // Cannot overflow: the index ends at zero.
        unchecked {
            for (uint256 left = program.checkCount(); left != 0; --left) {
                address token = address(uint160(checks.wordAt(_TOKEN)));
                uint256 minimumOut = checks.wordAt(_MINIMUM);
                // A recipient can forward tokens on arrival, so its balance can also fall.
                uint256 gained = Math.saturatingSub(LiveBalance.read(token, program.recipient()), checks.wordAt(_HELD));
                if (gained < minimumOut) revert InsufficientOutput(token, gained, minimumOut);
                checks = checks.from(_CHECK_WORDS);
            }
        }
    }

    /// @dev Sends the remaining declared tokens and native currency to the recipient. Native currency that the executor
    /// held before the call came from a stranger, and stays. So does native currency that arrived during the steps, if
    /// the program does not declare native currency and the recipient rejects it: otherwise a stranger's wei could undo
    /// the steps.
    /// @param nativeBefore The executor's native balance before the call.
    function _sweep(Program program, address recipient, uint256 nativeBefore) private {
        bool isNativeDeclared = false;
        uint256 cursor = program.tokensStart();
        // Cannot overflow: the index ends at zero, and the calldata is shorter than 2^32 bytes.
        unchecked {
            for (uint256 left = program.tokenCount(); left != 0; --left) {
                Token token = PushProgram.readToken(cursor);
                cursor += PushProgram.TOKEN_SIZE;
                if (token.account() == address(0)) {
                    isNativeDeclared = true;
                } else {
                    uint256 live = _liveOf(token);
                    if (live != 0) IERC20(token.account()).safeTransfer(recipient, live);
                }
            }
        }
        uint256 native = Math.saturatingSub(address(this).balance, nativeBefore);
        if (native == 0) return;
        bool success;
        // Solidity's `call` copies all return data. Same as: (success, ) = recipient.call{value: native}("")
        assembly ("memory-safe") {
            success := call(gas(), recipient, native, 0, 0, 0, 0)
        }
        if (!success && isNativeDeclared) revert NativeTransferFailed(recipient, native);
    }

    /// @dev Calls the executor's own `runSteps` with the call's value, which separates the program's native currency
    /// from that of strangers. Reads only the selector of the error.
    function _callSelf(uint256 given, bytes memory callData) private returns (bool success, bytes4 reason) {
        // Same as: (success, returnData) = address(this).call{gas: given, value: msg.value}(callData); reason =
        // bytes4(returnData)
        assembly ("memory-safe") {
            mstore(0, 0)
            success := call(given, address(), callvalue(), add(callData, 32), mload(callData), 0, 4)
            reason := mload(0)
        }
    }

    /// @dev Declared tokens are checked separately.
    function _requireRecipient(address recipient) private view {
        if (_isPrivileged(recipient)) revert RecipientDenied(recipient);
    }

    function _requireNative(Program program) private view {
        if (!program.declares(address(0))) revert NativeNotDeclared(msg.value);
    }

    /// @inheritdoc StepRunner
    function _isDenied(Program program, address account) internal view override returns (bool) {
        return _isPrivileged(account) || program.declares(account);
    }

    /// @dev Whether programs must not call, approve or pay an account. In a fill, the caller is the router.
    function _isPrivileged(address account) internal view virtual returns (bool isPrivileged) {
        (address puller, address permit2) = (livePuller, _PERMIT2);
        // Saves about 100 gas of jumps after comparisons. Same as: isPrivileged = account == address(this) || account
        // == msg.sender || account == puller || account == permit2 || account == address(0)
        assembly ("memory-safe") {
            // The legacy code generator does not clear the upper bits of an address.
            account := and(account, 0xffffffffffffffffffffffffffffffffffffffff)
            isPrivileged := or(or(eq(account, address()), eq(account, caller())), eq(account, puller))
            isPrivileged := or(isPrivileged, or(eq(account, permit2), iszero(account)))
        }
    }
}
