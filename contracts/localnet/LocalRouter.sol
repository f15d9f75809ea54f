// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IRouter} from "../interfaces/IRouter.sol";

/// @title Stand-in for version 3.0 of the live router, for local chains
/// @notice Has the ABI, the events, the errors and the pitfalls of the live v3 router. Its constructor writes no storage and it has
/// no immutables, so its runtime code works at any address.
/// @dev Warning: its reentrancy guard is as weak as the live router's. While a call runs, only the original caller and
/// the router itself may enter, but every call releases the guard when it ends, even a nested call. After any call of
/// the router to itself, such as a cleanup, the rest of a multicall is unguarded: an untrusted target can enter and
/// take what the router holds.
contract LocalRouter is IRouter {
    using SafeERC20 for IERC20;

    /// @dev The ERC-7201 slot of `crosscall.LocalRouter`, in transient storage.
    uint256 private constant _ENTRANT_SLOT = 0xeef0cb21bdb625fa4dea853e0388c0d958e52be32a6feb1097c3d1700db7bd00;

    /// @dev In storage, as in the live router, because it affects the gas cost of a fill.
    address internal _nftRecipient;

    modifier guarded() {
        address entrant = _readEntrant();
        if (entrant != address(0)) {
            if (msg.sender != entrant && msg.sender != address(this)) revert InvalidMsgSender(entrant, msg.sender);
        }
        _writeEntrant(msg.sender);
        _;
        _writeEntrant(address(0));
    }

    receive() external payable {
        emit SolverNativeTransfer(address(this), msg.value);
    }

    /// @inheritdoc IRouter
    function multicall(Call3Value[] calldata calls, address refundTo, address nftRecipient, bytes calldata metadata)
        external
        payable
        virtual
        override
        guarded
        returns (Result[] memory results)
    {
        if (nftRecipient == address(this)) revert InvalidRecipient(nftRecipient);
        if (msg.value != 0) emit FundsMovement(msg.sender, address(this), address(0), msg.value, metadata);
        if (nftRecipient != address(0)) _nftRecipient = nftRecipient;
        results = _run(calls);
        if (_nftRecipient != address(0)) _nftRecipient = address(0);

        uint256 left = address(this).balance;
        if (left != 0) _sendNative(refundTo == address(0) ? msg.sender : refundTo, left, metadata);
    }

    /// @inheritdoc IRouter
    function cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes calldata metadata
    ) external virtual override guarded {
        _requireLength(recipients.length, tokens.length);
        _requireLength(amounts.length, tokens.length);
        _cleanupErc20s(tokens, recipients, amounts, metadata);
    }

    /// @inheritdoc IRouter
    function cleanupNative(uint256 amount, address recipient, bytes calldata metadata)
        external
        virtual
        override
        guarded
    {
        _cleanupNative(amount, recipient, metadata);
    }

    /// @inheritdoc IRouter
    function cleanupErc20sViaCall(
        address[] calldata tokens,
        address[] calldata tos,
        bytes[] calldata datas,
        uint256[] calldata amounts
    ) external virtual override guarded {
        _requireLength(tos.length, tokens.length);
        _requireLength(datas.length, tokens.length);
        _requireLength(amounts.length, tokens.length);
        for (uint256 i = 0; i < tokens.length; ++i) {
            uint256 amount = _amountOf(tokens[i], amounts[i]);
            if (amount == 0) continue;
            // Not SafeERC20: the live router reverts on tokens that return nothing, and ignores `false`.
            IERC20(tokens[i]).approve(tos[i], amount);
            _callOrRevert(tos[i], 0, datas[i]);
        }
    }

    /// @inheritdoc IRouter
    function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external virtual override guarded {
        uint256 sent = amount == 0 ? address(this).balance : amount;
        if (sent != 0) _callOrRevert(to, sent, data);
    }

    /// @notice Forwards an ERC-721 token to `nftRecipient`.
    /// @return Its own selector, as ERC-721 requires.
    function onERC721Received(address, address, uint256 tokenId, bytes calldata data) external returns (bytes4) {
        IERC721(msg.sender).safeTransferFrom(address(this), _requireNftRecipient(), tokenId, data);
        return this.onERC721Received.selector;
    }

    /// @notice Forwards ERC-1155 tokens of one id to `nftRecipient`.
    /// @return Its own selector, as ERC-1155 requires.
    function onERC1155Received(address, address, uint256 id, uint256 value, bytes calldata data)
        external
        returns (bytes4)
    {
        IERC1155(msg.sender).safeTransferFrom(address(this), _requireNftRecipient(), id, value, data);
        return this.onERC1155Received.selector;
    }

    /// @notice Forwards ERC-1155 tokens of several ids to `nftRecipient`.
    /// @return Its own selector, as ERC-1155 requires.
    function onERC1155BatchReceived(
        address,
        address,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external returns (bytes4) {
        IERC1155(msg.sender).safeBatchTransferFrom(address(this), _requireNftRecipient(), ids, values, data);
        return this.onERC1155BatchReceived.selector;
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

    function _cleanupErc20s(
        address[] calldata tokens,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes calldata metadata
    ) internal {
        for (uint256 i = 0; i < tokens.length; ++i) {
            uint256 amount = _amountOf(tokens[i], amounts[i]);
            if (amount == 0) continue;
            if (!IERC20(tokens[i]).trySafeTransfer(recipients[i], amount)) revert TransferFailed();
            emit FundsMovement(address(this), recipients[i], tokens[i], amount, metadata);
        }
    }

    function _cleanupNative(uint256 amount, address recipient, bytes calldata metadata) internal {
        uint256 sent = amount == 0 ? address(this).balance : amount;
        if (sent != 0) _sendNative(recipient == address(0) ? msg.sender : recipient, sent, metadata);
    }

    function _sendNative(address to, uint256 amount, bytes calldata metadata) internal {
        if (!LowLevelCall.callNoReturn(to, amount, "")) _refuseNative();
        emit SolverNativeTransfer(to, amount);
        emit FundsMovement(address(this), to, address(0), amount, metadata);
    }

    /// @dev Reverts after a failed transfer of native currency.
    function _refuseNative() internal pure virtual {
        revert ETHTransferFailed();
    }

    function _callOrRevert(address to, uint256 value, bytes calldata data) internal {
        if (!LowLevelCall.callNoReturn(to, value, data)) revert CallFailed();
    }

    function _amountOf(address token, uint256 amount) private view returns (uint256) {
        return amount == 0 ? IERC20(token).balanceOf(address(this)) : amount;
    }

    function _requireNftRecipient() private view returns (address nftRecipient) {
        nftRecipient = _nftRecipient;
        if (nftRecipient == address(0)) revert NoRecipientSet();
    }

    function _readEntrant() internal view returns (address entrant) {
        // The keyword `transient` requires Solidity 0.8.28. Same as: entrant = _entrant
        assembly ("memory-safe") {
            entrant := tload(_ENTRANT_SLOT)
        }
    }

    function _writeEntrant(address entrant) internal {
        // As above. Same as: _entrant = entrant
        assembly ("memory-safe") {
            tstore(_ENTRANT_SLOT, entrant)
        }
    }

    function _requireLength(uint256 actual, uint256 expected) private pure {
        if (actual != expected) revert ArrayLengthsMismatch();
    }
}
