// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IDepository} from "../interfaces/IDepository.sol";
import {IRequestPolicy} from "../interfaces/IRequestPolicy.sol";
import {IRequestReceiver} from "../interfaces/IRequestReceiver.sol";
import {ISignatureTransfer} from "../interfaces/ISignatureTransfer.sol";
import {ReentryGuard} from "../libraries/ReentryGuard.sol";
import {RequestSignature} from "../libraries/RequestSignature.sol";

/// @title Receives payments for requests that the service's solver wallet signed
/// @notice See `IRequestReceiver` for the signed words.
/// @dev Tokens pass through the receiver, which measures the received amount on both legs and appends the requestId to
/// the outgoing `transfer`.
contract RequestReceiver is IRequestReceiver, ReentryGuard {
    using RequestSignature for RequestSignature.Request;
    using SafeERC20 for IERC20;

    bytes32 private constant _WITNESS_TYPEHASH = keccak256("RequestPayment(bytes32 requestId,bytes32 orderId)");
    string private constant _WITNESS_TYPE_STRING = "RequestPayment witness)"
        "RequestPayment(bytes32 requestId,bytes32 orderId)" "TokenPermissions(address token,uint256 amount)";

    /// @inheritdoc IRequestReceiver
    address public immutable override solver;

    /// @inheritdoc IRequestReceiver
    address public immutable override depository;

    /// @inheritdoc IRequestReceiver
    address public immutable override permit2;

    /// @inheritdoc IRequestReceiver
    IRequestPolicy public immutable override policy;

    /// @inheritdoc IRequestReceiver
    mapping(bytes32 requestId => bool) public override paid;

    constructor(address solver_, address depository_, address permit2_, IRequestPolicy policy_) {
        if (solver_ == address(0)) revert SolverIsZero();
        _requireCodeOrZero(depository_);
        _requireCodeOrZero(permit2_);
        _requireCodeOrZero(address(policy_));
        solver = solver_;
        depository = depository_;
        permit2 = permit2_;
        policy = policy_;
    }

    /// @inheritdoc IRequestReceiver
    function payNative(RequestSignature.Request calldata request, Terms calldata terms, bytes calldata signature)
        external
        payable
        override
        nonReentrant
    {
        if (request.originCurrency != bytes32(0)) revert WrongCurrency(bytes32(0), request.originCurrency);
        if (msg.value != request.originAmount) revert WrongAmount(msg.value, request.originAmount);
        _accept(request, terms, signature, msg.sender, address(0));

        if (terms.orderId != bytes32(0)) {
            IDepository(depository).depositNative{value: msg.value}(msg.sender, terms.orderId);
            return;
        }
        // A contract would interpret the requestId as a function selector, so send only the value.
        bytes memory data = solver.code.length == 0 ? abi.encode(request.requestId) : bytes("");
        (bool success, bytes memory returnData) = solver.call{value: msg.value}(data);
        if (!success) revert ForwardFailed(solver, msg.value, returnData);
    }

    /// @inheritdoc IRequestReceiver
    function payToken(RequestSignature.Request calldata request, Terms calldata terms, bytes calldata signature)
        external
        override
        nonReentrant
    {
        IERC20 token = _tokenOf(request);
        _accept(request, terms, signature, msg.sender, address(token));
        _pull(token, request.originAmount);
        _deliver(token, request, terms.orderId, msg.sender);
    }

    /// @inheritdoc IRequestReceiver
    function payTokenWithPermit(
        RequestSignature.Request calldata request,
        Terms calldata terms,
        bytes calldata signature,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external override nonReentrant {
        IERC20 token = _tokenOf(request);
        _accept(request, terms, signature, msg.sender, address(token));
        // After any failure, even out of gas, the payment requires an existing allowance.
        // solhint-disable-next-line no-empty-blocks
        try IERC20Permit(address(token))
            .permit(msg.sender, address(this), request.originAmount, terms.validUntil, v, r, s) {}
            catch {}
        _pull(token, request.originAmount);
        _deliver(token, request, terms.orderId, msg.sender);
    }

    /// @inheritdoc IRequestReceiver
    function payTokenWithPermit2(
        RequestSignature.Request calldata request,
        Terms calldata terms,
        bytes calldata signature,
        uint256 nonce,
        bytes calldata permitSignature
    ) external override nonReentrant {
        if (permit2 == address(0)) revert NoPermit2();
        IERC20 token = _tokenOf(request);
        address payer = address(uint160(uint256(request.originUser)));
        _accept(request, terms, signature, payer, address(token));
        uint256 held = token.balanceOf(address(this));
        ISignatureTransfer(permit2)
            .permitWitnessTransferFrom(
                ISignatureTransfer.PermitTransferFrom({
                permitted: ISignatureTransfer.TokenPermissions(address(token), request.originAmount),
                nonce: nonce,
                deadline: terms.validUntil
            }),
                ISignatureTransfer.SignatureTransferDetails(address(this), request.originAmount),
                payer,
                keccak256(abi.encode(_WITNESS_TYPEHASH, request.requestId, terms.orderId)),
                _WITNESS_TYPE_STRING,
                permitSignature
            );
        _requireArrived(token, held, request.originAmount);
        _deliver(token, request, terms.orderId, payer);
    }

    /// @inheritdoc IRequestReceiver
    function verify(RequestSignature.Request calldata request, bytes calldata signature) public view override {
        if (block.chainid != request.originChainId) revert WrongChain(block.chainid, request.originChainId);
        if (paid[request.requestId]) revert RequestAlreadyPaid(request.requestId);
        request.requireSigned(solver, signature);
        if (address(policy) == address(0)) return;
        bytes4 answer = policy.check(request);
        if (answer != IRequestPolicy.check.selector) {
            revert PolicyAnswered(address(policy), answer, IRequestPolicy.check.selector);
        }
    }

    /// @dev Checks before any token moves, and records the payment.
    function _accept(
        RequestSignature.Request calldata request,
        Terms calldata terms,
        bytes calldata signature,
        address payer,
        address currency
    ) private {
        if (block.timestamp > terms.validUntil) {
            revert PaymentExpired(terms.validUntil, block.timestamp);
        }
        if (request.originAmount == 0) revert AmountIsZero(request.requestId);
        bytes32 payerWord = bytes32(uint256(uint160(payer)));
        if (payerWord != request.originUser) revert WrongPayer(payerWord, request.originUser);
        if (terms.orderId != bytes32(0) && depository == address(0)) revert NoDepository(terms.orderId);
        verify(request, signature);

        paid[request.requestId] = true;
        emit RequestPaid(request.requestId, payer, currency, request.originAmount, terms.orderId);
        if (terms.orderId == bytes32(0)) emit FundsForwardedWithData(abi.encode(request.requestId));
    }

    /// @dev Transfers the amount from the caller, who is the payer.
    function _pull(IERC20 token, uint256 amount) private {
        uint256 held = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), amount);
        _requireArrived(token, held, amount);
    }

    /// @dev Forwards the amount, and requires that all of it arrives.
    function _deliver(IERC20 token, RequestSignature.Request calldata request, bytes32 orderId, address payer) private {
        uint256 amount = request.originAmount;
        address recipient = orderId == bytes32(0) ? solver : depository;
        uint256 held = token.balanceOf(recipient);
        if (orderId == bytes32(0)) {
            // Ignores the return data and checks the balance.
            bytes memory transferCall = abi.encodeCall(IERC20.transfer, (recipient, amount));
            Address.functionCall(address(token), bytes.concat(transferCall, request.requestId));
        } else {
            token.forceApprove(recipient, amount);
            IDepository(recipient).depositErc20(payer, address(token), amount, orderId);
        }
        uint256 arrived = _gain(held, token.balanceOf(recipient));
        if (arrived != amount) revert WrongDelivery(recipient, arrived, amount);
    }

    function _requireArrived(IERC20 token, uint256 held, uint256 amount) private view {
        uint256 arrived = _gain(held, token.balanceOf(address(this)));
        if (arrived != amount) revert WrongAmount(arrived, amount);
    }

    /// @dev The token of a request. Requires code, because a call to an address without code succeeds.
    function _tokenOf(RequestSignature.Request calldata request) private view returns (IERC20) {
        address token = address(uint160(uint256(request.originCurrency)));
        if (bytes32(uint256(uint160(token))) != request.originCurrency || token.code.length == 0) {
            revert CurrencyIsNoToken(request.originCurrency);
        }
        return IERC20(token);
    }

    /// @dev Increase of a balance; zero if it fell.
    function _gain(uint256 held, uint256 holds) private pure returns (uint256) {
        return holds > held ? holds - held : 0;
    }

    function _requireCodeOrZero(address dependency) private view {
        if (dependency != address(0) && dependency.code.length == 0) revert DependencyWithoutCode(dependency);
    }
}
