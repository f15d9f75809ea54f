// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {ISignatureTransfer} from "../interfaces/ISignatureTransfer.sol";

/// @title Stand-in of Permit2's signature transfer with a witness
/// @notice Has the live one's types, domain (no version) and checks. The live code is not on npm.
contract SignatureTransferStandIn is ISignatureTransfer {
    bytes32 private constant _DOMAIN_TYPEHASH = keccak256(
        "EIP712Domain(string name,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant _PERMISSIONS_TYPEHASH = keccak256("TokenPermissions(address token,uint256 amount)");
    string private constant _STUB =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,";

    /// @notice Nonces that were used.
    mapping(address owner => mapping(uint256 nonce => bool)) public used;

    /// @notice The permit came too late.
    error SignatureExpired(uint256 deadline);

    /// @notice The nonce was used before.
    error InvalidNonce();

    /// @notice More was asked for than permitted.
    error InvalidAmount(uint256 maximum);

    /// @notice Somebody else signed.
    error InvalidSigner();

    /// @inheritdoc ISignatureTransfer
    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external override {
        if (block.timestamp > permit.deadline) revert SignatureExpired(permit.deadline);
        if (transferDetails.requestedAmount > permit.permitted.amount) revert InvalidAmount(permit.permitted.amount);
        if (used[owner][permit.nonce]) revert InvalidNonce();
        used[owner][permit.nonce] = true;
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(bytes.concat(bytes(_STUB), bytes(witnessTypeString))),
                keccak256(abi.encode(_PERMISSIONS_TYPEHASH, permit.permitted)),
                msg.sender,
                permit.nonce,
                permit.deadline,
                witness
            )
        );
        bytes32 domain = keccak256(abi.encode(_DOMAIN_TYPEHASH, keccak256("Permit2"), block.chainid, address(this)));
        bytes32 hash = keccak256(abi.encodePacked("\x19\x01", domain, structHash));
        if (!SignatureChecker.isValidSignatureNowCalldata(owner, hash, signature)) revert InvalidSigner();
        SafeERC20.safeTransferFrom(
            IERC20(permit.permitted.token),
            owner,
            transferDetails.to,
            transferDetails.requestedAmount
        );
    }
}
