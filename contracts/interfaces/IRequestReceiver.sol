// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {RequestSignature} from "../libraries/RequestSignature.sol";
import {IRequestPolicy} from "./IRequestPolicy.sol";

/// @title Takes payments for requests that the service's solver wallet has signed
/// @notice A payment passes only if the solver wallet signed its chain, payer, currency and amount. It goes to the
/// solver wallet, with the requestId as call data, or to the depository, for an orderId. A solver wallet with code
/// receives native payments without call data; the event contains the requestId. Each requestId is paid once. The
/// receiver has no owner and holds no funds.
///
/// @dev Two ids are involved, and the signature binds ONE of them.
/// - The requestId is the first of the seven signed words: a forwarded payment is bound to the signed request.
/// - The orderId is NOT signed by the solver wallet. The receiver passes the payer's orderId on and cannot check
///   that it belongs to this request. With a wrong orderId, a payer pays for a different order, or for none. Before
///   paying, compare the service's orderId with the hash of the order.
///
/// Warning: the solver wallet and the depository are trusted with the payment. Only they can refund it.
///
/// Warning: only this receiver remembers a requestId. A plain transfer to the solver wallet, or another receiver, can
/// pay the same request again.
///
/// Warning: the receiver takes exactly the signed amount. A token that takes a fee or rebases on transfer is rejected.
/// Tokens and native currency sent to the receiver outside of a payment are lost.
interface IRequestReceiver {
    /// @param validUntil Last second of the payment, in Unix time; the payer chooses it.
    /// @param orderId The order to deposit for. Zero forwards the payment to the solver wallet instead.
    struct Terms {
        uint256 validUntil;
        bytes32 orderId;
    }

    /// @notice A request was paid. A zero currency is the native currency; with a zero orderId, the payment was
    /// forwarded.
    event RequestPaid(
        bytes32 indexed requestId, address indexed payer, address currency, uint256 amount, bytes32 orderId
    );

    /// @notice The payment was forwarded to the solver wallet. `data` is the requestId.
    event FundsForwardedWithData(bytes data);

    /// @notice The solver wallet is the zero address.
    error SolverIsZero();

    /// @notice A contract that the receiver relies on has no code on this chain.
    error DependencyWithoutCode(address dependency);

    /// @notice The deadline for the payment has passed.
    error PaymentExpired(uint256 validUntil, uint256 timestamp);

    /// @notice The request must be paid on another chain.
    error WrongChain(uint256 chainId, uint256 originChainId);

    /// @notice The payer is not the request's user. An EVM address is padded with zeros on the left.
    error WrongPayer(bytes32 payer, bytes32 originUser);

    /// @notice The request was already paid.
    error RequestAlreadyPaid(bytes32 requestId);

    /// @notice The signed amount is zero, so a payment would record a request as paid for nothing.
    error AmountIsZero(bytes32 requestId);

    /// @notice Native currency was sent for a request in another currency.
    error WrongCurrency(bytes32 currency, bytes32 originCurrency);

    /// @notice The request's currency is native, is not an address padded on the left, or has no code on this chain.
    error CurrencyIsNoToken(bytes32 originCurrency);

    /// @notice The sent or received amount is not the signed amount.
    error WrongAmount(uint256 amount, uint256 originAmount);

    /// @notice The solver wallet or the depository received more or less than the signed amount.
    error WrongDelivery(address recipient, uint256 amount, uint256 originAmount);

    /// @notice The policy did not return the accepting value.
    error PolicyAnswered(address policy, bytes4 answer, bytes4 accepted);

    /// @notice The solver wallet rejected native currency.
    error ForwardFailed(address solver, uint256 amount, bytes returnData);

    /// @notice The payment has an orderId, but this receiver has no depository.
    error NoDepository(bytes32 orderId);

    /// @notice This receiver has no Permit2.
    error NoPermit2();

    /// @notice Pays a request in the native currency; `msg.value` is its amount.
    /// @param request The seven words; the payer is the user.
    /// @param terms Terms that the payer adds.
    /// @param signature The solver wallet's signature, see `RequestSignature`.
    function payNative(RequestSignature.Request calldata request, Terms calldata terms, bytes calldata signature)
        external
        payable;

    /// @notice Pays a request in a token that the payer has approved for the receiver.
    /// @param request The seven words; the payer is the user.
    /// @param terms Terms that the payer adds.
    /// @param signature The solver wallet's signature, see `RequestSignature`.
    function payToken(RequestSignature.Request calldata request, Terms calldata terms, bytes calldata signature)
        external;

    /// @notice Pays a request in a token, with the payer's EIP-2612 permit for the signed amount and the deadline
    /// `terms.validUntil`.
    /// @dev Anyone who sees a permit can use it first, so a permit that fails does not stop the payment: the allowance
    /// decides.
    /// @param request The seven words; the payer is the user.
    /// @param terms Terms that the payer adds.
    /// @param signature The solver wallet's signature, see `RequestSignature`.
    /// @param v The permit's v.
    /// @param r The permit's r.
    /// @param s The permit's s.
    function payTokenWithPermit(
        RequestSignature.Request calldata request,
        Terms calldata terms,
        bytes calldata signature,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// @notice Pays a request in a token with a Permit2 signature transfer signed by its user. Anyone may send it.
    /// @dev The user signs a `PermitWitnessTransferFrom` with the request's token and amount, the receiver as spender,
    /// the nonce, `terms.validUntil` as deadline, and the witness `RequestPayment(bytes32 requestId,bytes32 orderId)`.
    /// The witness prevents the sender from paying another request or order with the user's money.
    /// @param request The seven words; the payer is the user.
    /// @param terms Terms that the payer adds.
    /// @param signature The solver wallet's signature, see `RequestSignature`.
    /// @param nonce Nonce of the Permit2 transfer.
    /// @param permitSignature Signature by the user, an account or an ERC-1271 wallet.
    function payTokenWithPermit2(
        RequestSignature.Request calldata request,
        Terms calldata terms,
        bytes calldata signature,
        uint256 nonce,
        bytes calldata permitSignature
    ) external;

    /// @notice Reverts, with the error that a payment would have, unless the request can be paid to this receiver: its
    /// chain, whether it was paid, its signature, and the policy.
    /// @dev Does not check the payment itself: payer, currency, amount and time.
    /// @param request The seven words.
    /// @param signature The solver wallet's signature, see `RequestSignature`.
    function verify(RequestSignature.Request calldata request, bytes calldata signature) external view;

    /// @notice Whether this receiver has recorded a request as paid.
    /// @param requestId The request.
    function paid(bytes32 requestId) external view returns (bool);

    /// @notice The service's solver wallet, which signs requests and receives forwarded payments.
    function solver() external view returns (address);

    /// @notice The service's depository; zero if this receiver makes no deposits.
    function depository() external view returns (address);

    /// @notice The Permit2 contract; zero if this receiver takes no Permit2 payments.
    function permit2() external view returns (address);

    /// @notice The policy that is checked in addition to the receiver's own checks; zero for none.
    function policy() external view returns (IRequestPolicy);
}
