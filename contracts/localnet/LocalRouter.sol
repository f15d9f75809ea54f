// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IRouter} from "../interfaces/IRouter.sol";

/// @title Stand-in of the live router, for local chains
/// @notice Has the ABI, the events and the traps of the live v3 router. It uses no storage and no immutables, so its
/// runtime code works at any address.
/// @dev Warning: the guard against reentry is as weak as the live one. While the router is busy only the original
/// caller and the router itself may enter, but every entry clears the guard when it ends, a nested one too. After any
/// call of the router to itself (a cleanup, say) the rest of the multicall runs unguarded, and an untrusted target can
/// enter and take what the router holds.
contract LocalRouter is IRouter, IERC721Receiver, IERC1155Receiver {
    using SafeERC20 for IERC20;

    address private transient _entrant;
    address private transient _nftRecipient;

    modifier guarded() {
        address entrant = _entrant;
        if (entrant == address(0)) _entrant = msg.sender;
        else if (msg.sender != entrant && msg.sender != address(this)) revert ReentrantCall(msg.sender, entrant);
        _;
        _entrant = address(0);
    }

    receive() external payable {
        emit SolverNativeTransfer(address(this), msg.value);
    }

    /// @inheritdoc IRouter
    function multicall(
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable override guarded returns (Result[] memory results) {
        if (nftRecipient == address(this)) revert InvalidNftRecipient(nftRecipient);
        address outerNftRecipient = _nftRecipient;
        _nftRecipient = nftRecipient;
        results = _run(calls);
        _nftRecipient = outerNftRecipient;

        uint256 left = address(this).balance;
        if (left != 0) _sendNative(refundTo == address(0) ? msg.sender : refundTo, left, metadata);
    }

    /// @inheritdoc IRouter
    function cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes calldata metadata
    ) external override guarded {
        _requireLength(recipients.length, tokens.length);
        _requireLength(amounts.length, tokens.length);
        for (uint256 i = 0; i < tokens.length; ++i) {
            uint256 amount = amounts[i] == 0 ? IERC20(tokens[i]).balanceOf(address(this)) : amounts[i];
            if (amount == 0) continue;
            emit FundsMovement(address(this), recipients[i], tokens[i], amount, metadata);
            IERC20(tokens[i]).safeTransfer(recipients[i], amount);
        }
    }

    /// @inheritdoc IRouter
    function cleanupNative(uint256 amount, address recipient, bytes calldata metadata) external override guarded {
        uint256 sent = amount == 0 ? address(this).balance : amount;
        if (sent != 0) _sendNative(recipient == address(0) ? msg.sender : recipient, sent, metadata);
    }

    /// @inheritdoc IRouter
    function cleanupErc20sViaCall(
        address[] calldata tokens,
        address[] calldata tos,
        bytes[] calldata datas,
        uint256[] calldata amounts
    ) external override guarded {
        _requireLength(tos.length, tokens.length);
        _requireLength(datas.length, tokens.length);
        _requireLength(amounts.length, tokens.length);
        for (uint256 i = 0; i < tokens.length; ++i) {
            uint256 amount = amounts[i] == 0 ? IERC20(tokens[i]).balanceOf(address(this)) : amounts[i];
            // The plain interface, and not SafeERC20, because the live router fails on tokens that return nothing.
            if (!IERC20(tokens[i]).approve(tos[i], amount)) revert ApproveFailed(tokens[i], tos[i], amount);
            // solhint-disable-next-line avoid-low-level-calls
            (bool success, bytes memory returnData) = tos[i].call(datas[i]);
            if (!success) revert CallFailed(tos[i], returnData);
        }
    }

    /// @inheritdoc IRouter
    function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external override guarded {
        uint256 sent = amount == 0 ? address(this).balance : amount;
        emit SolverNativeTransfer(to, sent);
        (bool success, bytes memory returnData) = to.call{value: sent}(data);
        if (!success) revert CallFailed(to, returnData);
    }

    /// @inheritdoc IERC721Receiver
    function onERC721Received(
        address,
        address,
        uint256 tokenId,
        bytes calldata data
    ) external override returns (bytes4) {
        IERC721(msg.sender).safeTransferFrom(address(this), _requireNftRecipient(), tokenId, data);
        return this.onERC721Received.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155Received(
        address,
        address,
        uint256 id,
        uint256 value,
        bytes calldata data
    ) external override returns (bytes4) {
        IERC1155(msg.sender).safeTransferFrom(address(this), _requireNftRecipient(), id, value, data);
        return this.onERC1155Received.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155BatchReceived(
        address,
        address,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external override returns (bytes4) {
        IERC1155(msg.sender).safeBatchTransferFrom(address(this), _requireNftRecipient(), ids, values, data);
        return this.onERC1155BatchReceived.selector;
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure override returns (bool) {
        return
            interfaceId == type(IERC165).interfaceId ||
            interfaceId == type(IERC721Receiver).interfaceId ||
            interfaceId == type(IERC1155Receiver).interfaceId;
    }

    function _run(Call3Value[] calldata calls) private returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            Call3Value calldata step = calls[i];
            (bool success, bytes memory returnData) = step.target.call{value: step.value}(step.callData);
            if (success) emit SolverCallExecuted(step.target, step.callData, step.value);
            else if (!step.allowFailure) LowLevelCall.bubbleRevert(returnData);
            results[i] = Result(success, returnData);
        }
    }

    function _sendNative(address to, uint256 amount, bytes calldata metadata) private {
        emit SolverNativeTransfer(to, amount);
        emit FundsMovement(address(this), to, address(0), amount, metadata);
        (bool success, bytes memory returnData) = to.call{value: amount}("");
        if (!success) revert NativeTransferFailed(to, amount, returnData);
    }

    function _requireNftRecipient() private view returns (address nftRecipient) {
        nftRecipient = _nftRecipient;
        if (nftRecipient == address(0)) revert NoNftRecipient(msg.sender);
    }

    function _requireLength(uint256 actual, uint256 expected) private pure {
        if (actual != expected) revert ArrayLengthMismatch(actual, expected);
    }
}
