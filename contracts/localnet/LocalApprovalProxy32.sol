// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IDepository} from "../interfaces/IDepository.sol";
import {IErc3009} from "../interfaces/IErc3009.sol";
import {IRouter} from "../interfaces/IRouter.sol";
import {IBatchSignatureTransfer} from "./IBatchSignatureTransfer.sol";
import {LocalApprovalProxy} from "./LocalApprovalProxy.sol";

/// @title Stand-in for the service's approval proxy of version 3.2, for local chains
/// @notice Has the selectors and the signed types of the live proxy. Tokens that remain after the calls go to
/// `refundTo`.
/// @dev The contract holds nothing between transactions.
contract LocalApprovalProxy32 is LocalApprovalProxy, EIP712 {
    using SafeERC20 for IERC20;

    /// @param owner The holder, who must be the caller.
    struct Permit {
        address token;
        address owner;
        uint256 value;
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @param from The holder, who also signs the calls.
    struct Authorization {
        address from;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @dev The fields that all holders of a payment sign. Those longer than a word are hashed.
    struct Signed {
        bytes32 funding;
        bytes32 calls;
        address refundTo;
        address nftRecipient;
        bytes32 metadata;
    }

    string private constant _CALL_TYPE = "Call3Value(address target,bool allowFailure,uint256 value,bytes callData)";
    string private constant _FUNDING_TYPE =
        "FundingAuthorization(address token,address from,uint256 value,uint256 validAfter,uint256 validBefore)";
    string private constant _WITNESS_TYPE = "RelayerWitness(address relayer,uint256 msgValue,address refundTo,address nftRecipient,bytes metadata,"
        "Call3Value[] call3Values)";
    bytes32 private constant _FUNDING_TYPEHASH = keccak256(bytes(_FUNDING_TYPE));
    bytes32 private constant _MULTICALL_TYPEHASH = keccak256(
        abi.encodePacked(
            "MulticallAuthorization(address from,address relayer,uint256 msgValue,address refundTo,address nftRecipient,"
            "bytes metadata,uint256 fundingIndex,Call3Value[] calls,FundingAuthorization[] funding)",
            _CALL_TYPE,
            _FUNDING_TYPE
        )
    );
    bytes32 private constant _VALUE_WITNESS_TYPEHASH = keccak256(abi.encodePacked(_WITNESS_TYPE, _CALL_TYPE));

    /// @notice The version of the contract and of its EIP-712 domain.
    string public constant VERSION = "3.2";

    /// @notice The arrays differ in length.
    error ArrayLengthsMismatch();

    /// @notice The holder did not sign these calls.
    error InvalidMulticallSignature();

    /// @notice The request has no tokens to transfer.
    error PermitsCannotBeEmpty();

    /// @notice Remaining funds need a recipient.
    error RefundToCannotBeZeroAddress();

    /// @notice Only its holder may use a permit.
    error Unauthorized();

    constructor(address solver_, IDepository depository_, IBatchSignatureTransfer permit2_, IRouter router_)
        LocalApprovalProxy(solver_, depository_, permit2_, router_)
        EIP712("RelayApprovalProxy", VERSION)
    {}

    /// @notice Transfers approved tokens of the caller to the router, which runs the calls.
    function transferAndMulticall(
        address[] calldata tokens,
        uint256[] calldata amounts,
        IRouter.Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (IRouter.Result[] memory) {
        _requireReceiver(refundTo);
        if (tokens.length != amounts.length) revert ArrayLengthsMismatch();
        for (uint256 i = 0; i < tokens.length; ++i) {
            IERC20(tokens[i]).safeTransferFrom(msg.sender, address(router), amounts[i]);
            _report(msg.sender, tokens[i], amounts[i], metadata);
        }
        return router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
    }

    /// @notice Transfers tokens to the router with EIP-2612 permits of the caller, and has it run the calls.
    function permitTransferAndMulticall(
        Permit[] calldata permits,
        IRouter.Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (IRouter.Result[] memory results) {
        _requireReceiver(refundTo);
        address[] memory tokens = new address[](permits.length);
        for (uint256 i = 0; i < permits.length; ++i) {
            Permit calldata one = permits[i];
            if (one.owner != msg.sender) revert Unauthorized();
            tokens[i] = one.token;
            // Anyone can use the permit first; its allowance then already exists.
            if (IERC20(one.token).allowance(one.owner, address(this)) < one.value) {
                IERC20Permit(one.token).permit(one.owner, address(this), one.value, one.deadline, one.v, one.r, one.s);
            }
            IERC20(one.token).safeTransferFrom(one.owner, address(router), one.value);
            _report(one.owner, one.token, one.value, metadata);
        }
        results = router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
        _refund(tokens, refundTo, metadata);
    }

    /// @inheritdoc LocalApprovalProxy
    function permit2TransferAndMulticall(
        address user,
        IBatchSignatureTransfer.PermitBatchTransferFrom memory permit,
        IRouter.Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata,
        bytes calldata permitSignature
    ) external payable override returns (IRouter.Result[] memory results) {
        _requireReceiver(refundTo);
        // Without a signature, only the calls run.
        address[] memory tokens = new address[](permitSignature.length == 0 ? 0 : permit.permitted.length);
        if (permitSignature.length != 0) {
            for (uint256 i = 0; i < tokens.length; ++i) {
                tokens[i] = permit.permitted[i].token;
                _report(user, tokens[i], permit.permitted[i].amount, metadata);
            }
            bytes32 witness = _hashWitness(calls, refundTo, nftRecipient, metadata);
            string memory types = string.concat(
                "RelayerWitness witness)", _CALL_TYPE, _WITNESS_TYPE, "TokenPermissions(address token,uint256 amount)"
            );
            _pull(user, permit, witness, types, permitSignature);
        }
        results = router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
        _refund(tokens, refundTo, metadata);
    }

    /// @notice Transfers tokens to the router with EIP-3009 authorizations, and has it run the calls. The nonce of each
    /// authorization is the digest of a `MulticallAuthorization`, which its holder signs as well.
    function permit3009TransferAndMulticall(
        Authorization[] calldata permits,
        address[] calldata tokens,
        IRouter.Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata,
        bytes[] calldata multicallSignatures
    ) external payable returns (IRouter.Result[] memory results) {
        _requireReceiver(refundTo);
        if (tokens.length != permits.length || multicallSignatures.length != permits.length) {
            revert ArrayLengthsMismatch();
        }
        if (permits.length == 0) revert PermitsCannotBeEmpty();
        Signed memory signed;
        signed.funding = _hashFunding(permits, tokens);
        signed.calls = _hashCalls(calls);
        signed.refundTo = refundTo;
        signed.nftRecipient = nftRecipient;
        signed.metadata = keccak256(metadata);
        _takeAll(permits, tokens, metadata, multicallSignatures, signed);
        results = router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
        _refund(tokens, refundTo, metadata);
    }

    function _takeAll(
        Authorization[] calldata permits,
        address[] calldata tokens,
        bytes calldata metadata,
        bytes[] calldata signatures,
        Signed memory signed
    ) private {
        for (uint256 i = 0; i < permits.length; ++i) {
            address from = permits[i].from;
            bytes32 digest = _hashMulticall(from, i, signed);
            if (!SignatureChecker.isValidSignatureNowCalldata(from, digest, signatures[i])) {
                revert InvalidMulticallSignature();
            }
            _report(from, tokens[i], _take(permits[i], tokens[i], digest), metadata);
        }
    }

    /// @return Amount that the router received; lower for fee-on-transfer tokens.
    function _take(Authorization calldata one, address token, bytes32 nonce) private returns (uint256) {
        uint256 held = IERC20(token).balanceOf(address(this));
        IErc3009(token)
            .receiveWithAuthorization(
                one.from, address(this), one.value, one.validAfter, one.validBefore, nonce, one.v, one.r, one.s
            );
        uint256 received = IERC20(token).balanceOf(address(this)) - held;
        uint256 before = IERC20(token).balanceOf(address(router));
        IERC20(token).safeTransfer(address(router), received);
        return IERC20(token).balanceOf(address(router)) - before;
    }

    function _hashMulticall(address from, uint256 index, Signed memory signed) private view returns (bytes32) {
        return _hashTypedDataV4(
            keccak256(
                abi.encode(
                    _MULTICALL_TYPEHASH,
                    from,
                    msg.sender,
                    msg.value,
                    signed.refundTo,
                    signed.nftRecipient,
                    signed.metadata,
                    index,
                    signed.calls,
                    signed.funding
                )
            )
        );
    }

    function _hashWitness(
        IRouter.Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                _VALUE_WITNESS_TYPEHASH,
                msg.sender,
                msg.value,
                refundTo,
                nftRecipient,
                keccak256(metadata),
                _hashCalls(calls)
            )
        );
    }

    function _requireReceiver(address refundTo) private pure {
        if (refundTo == address(0)) revert RefundToCannotBeZeroAddress();
    }

    function _refund(address[] memory tokens, address refundTo, bytes calldata metadata) private {
        address[] memory recipients = new address[](tokens.length);
        for (uint256 i = 0; i < tokens.length; ++i) {
            recipients[i] = refundTo;
        }
        router.cleanupErc20s(tokens, recipients, new uint256[](tokens.length), metadata);
        router.cleanupNative(0, refundTo, metadata);
    }

    function _report(address from, address token, uint256 amount, bytes calldata metadata) private {
        if (amount != 0) emit IRouter.FundsMovement(from, address(router), token, amount, metadata);
    }

    function _hashFunding(Authorization[] calldata permits, address[] calldata tokens) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](permits.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            Authorization calldata one = permits[i];
            hashes[i] = keccak256(
                abi.encode(_FUNDING_TYPEHASH, tokens[i], one.from, one.value, one.validAfter, one.validBefore)
            );
        }
        return keccak256(abi.encodePacked(hashes));
    }
}
