// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IDepository} from "../interfaces/IDepository.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {ISignatureTransfer} from "../interfaces/ISignatureTransfer.sol";
import {IBatchSignatureTransfer} from "./IBatchSignatureTransfer.sol";

/// @title Stand-in for the service's approval proxy, for local chains
/// @notice Uses a holder's permit to make a deposit for an order, in one transaction that the solver pays for. A permit
/// does not name the order, so only the solver may use it: anyone else could deposit for their own order. For a request
/// on one chain, the permit contains the calls that the router runs with the tokens.
/// @dev `permit2TransferAndMulticall` has the selector and the signed types of the live v3 proxy.
/// The contract holds nothing between transactions.
contract LocalApprovalProxy {
    using SafeERC20 for IERC20;

    bytes32 private constant _WITNESS_TYPEHASH = keccak256("RelayerWitness(address relayer)");
    string private constant _WITNESS_TYPE_STRING = "RelayerWitness witness)" "RelayerWitness(address relayer)"
        "TokenPermissions(address token,uint256 amount)";

    bytes32 private constant _CALL_TYPEHASH =
        keccak256("Call3Value(address target,bool allowFailure,uint256 value,bytes callData)");
    bytes32 private constant _CALLS_WITNESS_TYPEHASH = keccak256(
        "RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values)"
        "Call3Value(address target,bool allowFailure,uint256 value,bytes callData)"
    );
    string private constant _CALLS_WITNESS_TYPE_STRING = "RelayerWitness witness)"
        "Call3Value(address target,bool allowFailure,uint256 value,bytes callData)"
        "RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values)"
        "TokenPermissions(address token,uint256 amount)";

    /// @notice The account that may use permits.
    address public immutable solver;

    /// @notice The depository that receives the deposits.
    IDepository public immutable depository;

    /// @notice Permit2.
    IBatchSignatureTransfer public immutable permit2;

    /// @notice The router that runs the calls of requests on one chain.
    IRouter public immutable router;

    /// @notice The caller is not the solver.
    error OnlySolver(address caller);

    modifier onlySolver() {
        if (msg.sender != solver) revert OnlySolver(msg.sender);
        _;
    }

    constructor(address solver_, IDepository depository_, IBatchSignatureTransfer permit2_, IRouter router_) {
        solver = solver_;
        depository = depository_;
        permit2 = permit2_;
        router = router_;
    }

    /// @notice Deposits the amount that an EIP-2612 permit allows this contract to take.
    /// @param owner The holder, and the depositor.
    /// @param token The token.
    /// @param amount The amount.
    /// @param deadline The permit's deadline.
    /// @param v The signature's v.
    /// @param r The signature's r.
    /// @param s The signature's s.
    /// @param id The order.
    function depositPermit(
        address owner,
        address token,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s,
        bytes32 id
    ) external onlySolver {
        // Anyone can use the permit first; its allowance then already exists.
        if (IERC20(token).allowance(owner, address(this)) < amount) {
            IERC20Permit(token).permit(owner, address(this), amount, deadline, v, r, s);
        }
        IERC20(token).safeTransferFrom(owner, address(this), amount);
        _deposit(owner, token, amount, id);
    }

    /// @notice Deposits tokens that it transfers with a Permit2 signature.
    /// @param owner The holder, and the depositor.
    /// @param permit The signed permit, with one token.
    /// @param signature The holder's signature.
    /// @param id The order.
    function depositPermit2(
        address owner,
        IBatchSignatureTransfer.PermitBatchTransferFrom memory permit,
        bytes calldata signature,
        bytes32 id
    ) external onlySolver {
        ISignatureTransfer.TokenPermissions memory permitted = permit.permitted[0];
        ISignatureTransfer.SignatureTransferDetails[] memory details =
            new ISignatureTransfer.SignatureTransferDetails[](1);
        details[0] = ISignatureTransfer.SignatureTransferDetails(address(this), permitted.amount);
        permit2.permitWitnessTransferFrom(
            permit,
            details,
            owner,
            keccak256(abi.encode(_WITNESS_TYPEHASH, msg.sender)),
            _WITNESS_TYPE_STRING,
            signature
        );
        _deposit(owner, permitted.token, permitted.amount, id);
    }

    /// @notice Transfers tokens to the router with a Permit2 signature, and has it run the signed calls.
    /// @param user The holder.
    /// @param permit The signed permit.
    /// @param calls The signed calls.
    /// @param refundTo Account that receives the remaining native currency.
    /// @param nftRecipient Account that receives NFTs that arrive during the calls.
    /// @param metadata Metadata of native currency movements.
    /// @param permitSignature The holder's signature, with the caller in the witness.
    /// @return Results of the calls.
    function permit2TransferAndMulticall(
        address user,
        IBatchSignatureTransfer.PermitBatchTransferFrom memory permit,
        IRouter.Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata,
        bytes calldata permitSignature
    ) external payable virtual returns (IRouter.Result[] memory) {
        bytes32 witness = keccak256(
            abi.encode(
                _CALLS_WITNESS_TYPEHASH, msg.sender, refundTo, nftRecipient, keccak256(metadata), _hashCalls(calls)
            )
        );
        _pull(user, permit, witness, _CALLS_WITNESS_TYPE_STRING, permitSignature);
        return router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
    }

    /// @dev Transfers tokens to the router with a Permit2 signature.
    function _pull(
        address user,
        IBatchSignatureTransfer.PermitBatchTransferFrom memory permit,
        bytes32 witness,
        string memory types,
        bytes calldata signature
    ) internal {
        ISignatureTransfer.SignatureTransferDetails[] memory details =
            new ISignatureTransfer.SignatureTransferDetails[](permit.permitted.length);
        for (uint256 i = 0; i < details.length; ++i) {
            details[i] = ISignatureTransfer.SignatureTransferDetails(address(router), permit.permitted[i].amount);
        }
        permit2.permitWitnessTransferFrom(permit, details, user, witness, types, signature);
    }

    function _hashCalls(IRouter.Call3Value[] calldata calls) internal pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            IRouter.Call3Value calldata one = calls[i];
            hashes[i] =
                keccak256(abi.encode(_CALL_TYPEHASH, one.target, one.allowFailure, one.value, keccak256(one.callData)));
        }
        return keccak256(abi.encodePacked(hashes));
    }

    function _deposit(address depositor, address token, uint256 amount, bytes32 id) private {
        IERC20(token).forceApprove(address(depository), amount);
        depository.depositErc20(depositor, token, amount, id);
    }
}
