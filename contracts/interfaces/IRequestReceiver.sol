// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {RequestSignature} from "../libraries/RequestSignature.sol";
import {IRequestPolicy} from "./IRequestPolicy.sol";

/// @title Takes payments for requests that the service's solver wallet has signed
/// @notice A payment passes only if the solver wallet signed exactly this request: this chain, this payer, this
/// currency, this amount. It goes to the solver wallet, with the requestId as call data, or to the depository, for an
/// orderId. A solver wallet that is a contract gets native payments without call data; the event has the requestId.
/// Each requestId is paid once. The receiver has no owner and holds no funds.
///
/// @dev Two ids are involved, and the signature binds ONE of them.
/// - The requestId is the first of the seven signed words: a forwarded payment is tied to what was signed.
/// - The orderId is NOT signed by the solver wallet. The receiver passes the payer's orderId on and cannot check
///   that it belongs to this request. With a wrong orderId, a payer pays for a different order, or for none. Before
///   paying, compare the service's orderId with the hash of the order.
///
/// Warning: the solver wallet and the depository are trusted with the payment. Only they can refund it.
///
/// Warning: only this receiver remembers a requestId. A plain transfer to the solver wallet, or another receiver, can
/// pay the same request again.
///
/// Warning: the receiver takes exactly the signed amount. A token that takes a fee or rebases on transfer is refused.
/// Tokens and native that reach the receiver outside of a payment are lost.
interface IRequestReceiver {
    /// @param validUntil Last second (Unix) at which the payment may be made; the payer's choice.
    /// @param orderId The order to deposit for. Zero forwards to the solver wallet instead.
    struct Terms {
        uint256 validUntil;
        bytes32 orderId;
    }

    /// @notice A request was paid. A zero currency is the native one, a zero orderId means forwarded.
    event RequestPaid(
        bytes32 indexed requestId, address indexed payer, address currency, uint256 amount, bytes32 orderId
    );

    /// @notice The payment was forwarded to the solver wallet. `data` is the requestId, 32 bytes.
    event FundsForwardedWithData(bytes data);

    /// @notice A receiver needs a solver wallet.
    error SolverIsZero();

    /// @notice A contract that the receiver relies on has no code on this chain.
    error DependencyWithoutCode(address dependency);

    /// @notice The payment came too late.
    error PaymentExpired(uint256 validUntil, uint256 timestamp);

    /// @notice The request is to be paid on another chain.
    error WrongChain(uint256 chainId, uint256 originChainId);

    /// @notice The payer is not the user of the request. An address is padded with zeros on the left.
    error WrongPayer(bytes32 payer, bytes32 originUser);

    /// @notice The request was paid before.
    error RequestAlreadyPaid(bytes32 requestId);

    /// @notice The signed amount is zero, so a payment would record a request as paid for nothing.
    error AmountIsZero(bytes32 requestId);

    /// @notice Native was sent for a request in another currency.
    error WrongCurrency(bytes32 currency, bytes32 originCurrency);

    /// @notice The currency of the request is native, no address padded on the left, or without code on this chain.
    error CurrencyIsNoToken(bytes32 originCurrency);

    /// @notice More or less than the signed amount was sent, or arrived here.
    error WrongAmount(uint256 amount, uint256 originAmount);

    /// @notice More or less than the signed amount arrived at the solver wallet or at the depository.
    error WrongDelivery(address recipient, uint256 amount, uint256 originAmount);

    /// @notice The policy did not return the accepting value.
    error PolicyAnswered(address policy, bytes4 answer, bytes4 accepted);

    /// @notice The solver wallet rejected the native payment.
    error ForwardFailed(address solver, uint256 amount, bytes returnData);

    /// @notice An orderId was given, and this receiver has no depository.
    error NoDepository(bytes32 orderId);

    /// @notice This receiver has no Permit2.
    error NoPermit2();

    /// @notice Pays a request in the native currency; `msg.value` is its amount.
    /// @param request The seven words; the payer is their user.
    /// @param terms What the payer adds.
    /// @param signature The solver wallet's, see `RequestSignature`.
    function payNative(RequestSignature.Request calldata request, Terms calldata terms, bytes calldata signature)
        external
        payable;

    /// @notice Pays a request in a token that the payer has approved to the receiver.
    /// @param request The seven words; the payer is their user.
    /// @param terms What the payer adds.
    /// @param signature The solver wallet's, see `RequestSignature`.
    function payToken(RequestSignature.Request calldata request, Terms calldata terms, bytes calldata signature)
        external;

    /// @notice Pays a request in a token, with an EIP-2612 permit of the payer over the signed amount, whose deadline is
    /// `terms.validUntil`.
    /// @dev A permit can be used by anyone who sees it, so one that fails does not stop the payment: the allowance
    /// decides.
    /// @param request The seven words; the payer is their user.
    /// @param terms What the payer adds.
    /// @param signature The solver wallet's, see `RequestSignature`.
    /// @param v Of the permit.
    /// @param r Of the permit.
    /// @param s Of the permit.
    function payTokenWithPermit(
        RequestSignature.Request calldata request,
        Terms calldata terms,
        bytes calldata signature,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// @notice Pays a request in a token by a Permit2 signature transfer of its user; anyone may send it.
    /// @dev The user signs a `PermitWitnessTransferFrom` over the token and the amount of the request, the receiver as
    /// spender, the nonce, `terms.validUntil` as deadline, and the witness
    /// `RequestPayment(bytes32 requestId,bytes32 orderId)`. The witness is what keeps a sender from paying another
    /// request, or into another order, with the user's money.
    /// @param request The seven words; the payer is their user.
    /// @param terms What the payer adds.
    /// @param signature The solver wallet's, see `RequestSignature`.
    /// @param nonce Of the Permit2 transfer.
    /// @param permitSignature The user's, an account or an ERC-1271 wallet.
    function payTokenWithPermit2(
        RequestSignature.Request calldata request,
        Terms calldata terms,
        bytes calldata signature,
        uint256 nonce,
        bytes calldata permitSignature
    ) external;

    /// @notice Reverts, with the error that a payment would have, unless the request can be paid here: its chain, not
    /// paid before, its signature, the policy.
    /// @dev What depends on the payment is not looked at: who pays, in what, how much, when.
    /// @param request The seven words.
    /// @param signature The solver wallet's, see `RequestSignature`.
    function verify(RequestSignature.Request calldata request, bytes calldata signature) external view;

    /// @notice Whether a request was paid here.
    /// @param requestId The request.
    function paid(bytes32 requestId) external view returns (bool);

    /// @notice The service's solver wallet, which signs requests and takes what is forwarded.
    function solver() external view returns (address);

    /// @notice The service's depository; zero if this receiver makes no deposits.
    function depository() external view returns (address);

    /// @notice The Permit2 contract; zero if this receiver takes no such payments.
    function permit2() external view returns (address);

    /// @notice The policy that is checked in addition to the receiver's own checks; zero for none.
    function policy() external view returns (IRequestPolicy);
}
