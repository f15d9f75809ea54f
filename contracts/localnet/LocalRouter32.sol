// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {IRouter32} from "../interfaces/IRouter32.sol";
import {LocalRouter} from "./LocalRouter.sol";

/// @title Stand-in for version 3.2 of the live router, for local chains
/// @notice Has the ABI, the events and the errors of the live router. Its runtime code works at any address.
contract LocalRouter32 is LocalRouter, IRouter32 {
    /// @inheritdoc IRouter32
    string public constant override VERSION = "3.2";

    modifier guardedOnce() {
        address entrant = _readEntrant();
        bool isOutermost = entrant == address(0);
        if (!isOutermost && msg.sender != entrant && msg.sender != address(this)) {
            revert InvalidMsgSender(entrant, msg.sender);
        }
        if (isOutermost) _writeEntrant(msg.sender);
        _;
        if (isOutermost) _writeEntrant(address(0));
    }

    /// @inheritdoc IRouter
    function multicall(Call3Value[] calldata calls, address refundTo, address nftRecipient, bytes calldata metadata)
        external
        payable
        override(IRouter, LocalRouter)
        guardedOnce
        returns (Result[] memory results)
    {
        if (msg.value != 0) emit FundsMovement(msg.sender, address(this), address(0), msg.value, metadata);
        bool isSetHere = nftRecipient != address(0) && _setNftRecipient(nftRecipient);
        results = _runHashed(calls);
        if (isSetHere) _nftRecipient = address(0);

        uint256 left = address(this).balance;
        if (left != 0) _sendNative(refundTo == address(0) ? msg.sender : refundTo, left, metadata);
    }

    /// @inheritdoc IRouter
    function cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes calldata metadata
    ) external override(IRouter, LocalRouter) guardedOnce {
        _requireSame(tokens.length, amounts.length, recipients.length);
        _cleanupErc20s(tokens, recipients, amounts, metadata);
    }

    /// @inheritdoc IRouter
    function cleanupNative(uint256 amount, address recipient, bytes calldata metadata)
        external
        override(IRouter, LocalRouter)
        guardedOnce
    {
        _cleanupNative(amount, recipient, metadata);
    }

    /// @inheritdoc IRouter
    function cleanupErc20sViaCall(
        address[] calldata tokens,
        address[] calldata tos,
        bytes[] calldata datas,
        uint256[] calldata amounts
    ) external override(IRouter, LocalRouter) guardedOnce {
        _requireSame(tokens.length, amounts.length, tos.length);
        _requireSame(tokens.length, datas.length, datas.length);
        for (uint256 i = 0; i < tokens.length; ++i) {
            IERC20 token = IERC20(tokens[i]);
            uint256 before = token.balanceOf(address(this));
            uint256 amount = amounts[i] == 0 ? before : amounts[i];
            if (amount == 0) continue;
            _approve(token, tos[i], amount);
            _callOrRevert(tos[i], 0, datas[i]);
            uint256 afterwards = token.balanceOf(address(this));
            if (before > afterwards) {
                emit FundsMovement(address(this), tos[i], address(token), before - afterwards, "");
            }
        }
    }

    /// @inheritdoc IRouter
    function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data)
        external
        override(IRouter, LocalRouter)
        guardedOnce
    {
        uint256 sent = amount == 0 ? address(this).balance : amount;
        if (sent == 0) return;
        _callOrRevert(to, sent, data);
        emit FundsMovement(address(this), to, address(0), sent, "");
    }

    /// @inheritdoc LocalRouter
    function _refuseNative() internal pure override {
        revert NativeTransferFailed();
    }

    function _runHashed(Call3Value[] calldata calls) private returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            Call3Value calldata step = calls[i];
            (bool success, bytes memory returnData) = step.target.call{value: step.value}(step.callData);
            if (success) emit SolverCallExecuted(step.target, keccak256(step.callData), step.value);
            else if (!step.allowFailure) LowLevelCall.bubbleRevert(returnData);
            results[i] = Result(success, returnData);
        }
    }

    /// @return Whether this call, not an enclosing multicall, set the recipient.
    function _setNftRecipient(address requested) private returns (bool) {
        address current = _nftRecipient;
        if (current != address(0)) {
            if (current != requested) revert RecipientAlreadySet(current, requested);
            return false;
        }
        if (requested == address(this)) revert InvalidRecipient(requested);
        _nftRecipient = requested;
        return true;
    }

    /// @dev Some tokens change an allowance only from or to zero.
    function _approve(IERC20 token, address spender, uint256 amount) private {
        if (_tryApprove(token, spender, amount)) return;
        _tryApprove(token, spender, 0);
        if (!_tryApprove(token, spender, amount)) revert ApproveFailed();
    }

    function _tryApprove(IERC20 token, address spender, uint256 amount) private returns (bool) {
        (bool success, bytes32 answer,) =
            LowLevelCall.callReturn64Bytes(address(token), abi.encodeCall(IERC20.approve, (spender, amount)));
        if (!success) return false;
        uint256 size = LowLevelCall.returnDataSize();
        return size == 0 ? address(token).code.length != 0 : size >= 32 && uint256(answer) == 1;
    }

    function _requireSame(uint256 first, uint256 second, uint256 third) private pure {
        if (first != second || second != third) revert ArrayLengthsMismatch();
    }
}
