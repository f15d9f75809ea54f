// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IAttestationVerifier} from "../../interfaces/IAttestationVerifier.sol";
import {HubAllocator} from "./HubAllocator.sol";

/// @title The executor of the local settlement hub
/// @notice Settles an order without a solver: takes the order's deposit, pays the fees, and withdraws to the receiver.
/// @dev The documentation does not state how the live executor converts a deposit. This executor keeps the deposit and
/// pays the minimum from its own balance. If the payment is in the deposit's token, it pays the deposit minus the fees.
abstract contract HubExecutor is HubAllocator {
    /// @param recipient Hub account that receives the fee.
    /// @param amount Amount of the deposit's token.
    struct Fee {
        address recipient;
        uint256 amount;
    }

    /// @param inChainId Name of the deposit's chain.
    /// @param inCurrency The deposited currency.
    /// @param outChainId Name of the payment's chain.
    /// @param outCurrency Currency of the payment.
    /// @param outAmountMinimum Minimum amount that the receiver gets.
    /// @param depository Depository that pays.
    /// @param orderAddress The order's hub account, which holds the deposit.
    /// @param receiver Recipient of the payment.
    /// @param data Additional data, empty for EVM chains.
    /// @param fees Fees to take from the deposit.
    /// @param nonce Nonce of the withdrawal.
    /// @param deadline Time in Unix seconds, inclusive.
    struct ExecuteAndWithdrawRequest {
        string inChainId;
        bytes inCurrency;
        string outChainId;
        bytes outCurrency;
        uint256 outAmountMinimum;
        bytes depository;
        address orderAddress;
        bytes receiver;
        bytes data;
        Fee[] fees;
        bytes32 nonce;
        uint256 deadline;
    }

    /// @dev The hub's chain name in requests.
    string private constant _HUB_ID = "relay";

    bytes32 private constant _FEE_TYPEHASH = keccak256("Fee(address recipient,uint256 amount)");
    bytes32 private constant _REQUEST_TYPEHASH = keccak256(
        "ExecuteAndWithdrawRequest(string inChainId,bytes inCurrency,string outChainId,bytes outCurrency,"
        "uint256 outAmountMinimum,bytes depository,address orderAddress,bytes receiver,bytes data,Fee[] fees,"
        "bytes32 nonce,uint256 deadline)Fee(address recipient,uint256 amount)"
    );

    /// @notice The order of a withdrawal by the executor; zero for other withdrawals.
    mapping(bytes32 withdrawRequestHash => address orderAddress) public orderAddressByWithdrawRequestHash;

    mapping(bytes32 digest => bool) private _taken;

    /// @notice The request was already executed.
    error ExecutorRequestRepeated(bytes32 digest);

    /// @notice The request's deadline has passed.
    error DeadlinePassed(uint256 deadline, uint256 timestamp);

    /// @notice The order's account holds less than the fees, plus the minimum if the payment is in the deposit's token.
    error DepositTooSmall(uint256 balance, uint256 needed);

    /// @notice Executes a request that enough oracles signed.
    /// @param request The request, executed once.
    /// @param signatures The signatures, in ascending order of their signers.
    /// @return requestHash Hash of the resulting withdraw request.
    function executeAndWithdraw(
        ExecuteAndWithdrawRequest calldata request,
        IAttestationVerifier.OracleSignature[] calldata signatures
    ) external returns (bytes32 requestHash) {
        bytes32 digest = _requireOracles("RelayExecutor", _hashStruct(request), signatures);
        if (_taken[digest]) revert ExecutorRequestRepeated(digest);
        _taken[digest] = true;
        if (block.timestamp > request.deadline) revert DeadlinePassed(request.deadline, block.timestamp);
        requestHash = _withdraw(
            WithdrawRequest({
                chainId: request.outChainId,
                depository: request.depository,
                currency: request.outCurrency,
                amount: _collect(request),
                spenderChainId: _HUB_ID,
                spender: abi.encodePacked(address(this)),
                receiver: request.receiver,
                data: request.data,
                nonce: request.nonce
            })
        );
        orderAddressByWithdrawRequestHash[requestHash] = request.orderAddress;
    }

    /// @dev Takes the deposit and pays the fees.
    /// @return amount Amount to pay out.
    function _collect(ExecuteAndWithdrawRequest calldata request) private returns (uint256 amount) {
        uint256 token = _tokenOf(request.inChainId, request.inCurrency);
        bool isSameToken = token == _tokenOf(request.outChainId, request.outCurrency);
        address order = request.orderAddress;
        uint256 balance = balanceOf(order, token);
        uint256 fees = 0;
        for (uint256 i = 0; i < request.fees.length; ++i) {
            fees += request.fees[i].amount;
        }
        uint256 needed = fees + (isSameToken ? request.outAmountMinimum : 1);
        if (balance < needed) revert DepositTooSmall(balance, needed);
        for (uint256 i = 0; i < request.fees.length; ++i) {
            _transfer(order, request.fees[i].recipient, token, request.fees[i].amount);
        }
        _transfer(order, _aliasOf(_HUB_ID, abi.encodePacked(address(this))), token, balance - fees);
        return isSameToken ? balance - fees : request.outAmountMinimum;
    }

    function _hashStruct(ExecuteAndWithdrawRequest calldata request) private pure returns (bytes32) {
        bytes32[] memory fees = new bytes32[](request.fees.length);
        for (uint256 i = 0; i < fees.length; ++i) {
            fees[i] = keccak256(abi.encode(_FEE_TYPEHASH, request.fees[i].recipient, request.fees[i].amount));
        }
        return keccak256(
            bytes.concat(
                abi.encode(
                    _REQUEST_TYPEHASH,
                    keccak256(bytes(request.inChainId)),
                    keccak256(request.inCurrency),
                    keccak256(bytes(request.outChainId)),
                    keccak256(request.outCurrency),
                    request.outAmountMinimum
                ),
                abi.encode(
                    keccak256(request.depository),
                    request.orderAddress,
                    keccak256(request.receiver),
                    keccak256(request.data),
                    keccak256(abi.encodePacked(fees)),
                    request.nonce,
                    request.deadline
                )
            )
        );
    }
}
