// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {IErc3009} from "../../interfaces/IErc3009.sol";

/// @title Dollar token for local chains
/// @notice Has the decimals and the signed transfers of the dollar token that the service uses for settlement.
/// @dev Warning: anyone may mint.
contract LocalDollar is ERC20Permit, IErc3009 {
    /// @notice EIP-712 type hash of `transferWithAuthorization`.
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,"
        "uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    /// @notice EIP-712 type hash of `receiveWithAuthorization`.
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,"
        "uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    /// @notice EIP-712 type hash of `cancelAuthorization`.
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    /// @inheritdoc IErc3009
    mapping(address authorizer => mapping(bytes32 nonce => bool used)) public override authorizationState;

    constructor() ERC20("Local Dollar", "USDC") ERC20Permit("Local Dollar") {}

    /// @notice Mints tokens.
    /// @param to Recipient of the tokens.
    /// @param amount Amount in units of 10^-6.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc IErc3009
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external override {
        _requireValid(validAfter, validBefore);
        bytes32 structHash = keccak256(
            abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
        );
        _consume(from, nonce, structHash, v, r, s);
        emit AuthorizationUsed(from, nonce);
        _transfer(from, to, value);
    }

    /// @inheritdoc IErc3009
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external override {
        if (msg.sender != to) revert CallerNotPayee(msg.sender, to);
        _requireValid(validAfter, validBefore);
        bytes32 structHash =
            keccak256(abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        _consume(from, nonce, structHash, v, r, s);
        emit AuthorizationUsed(from, nonce);
        _transfer(from, to, value);
    }

    /// @inheritdoc IErc3009
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external override {
        bytes32 structHash = keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce));
        _consume(authorizer, nonce, structHash, v, r, s);
        emit AuthorizationCanceled(authorizer, nonce);
    }

    /// @inheritdoc ERC20
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @dev Checks that the authorizer signed, and that the nonce is unused.
    function _consume(address authorizer, bytes32 nonce, bytes32 structHash, uint8 v, bytes32 r, bytes32 s) private {
        if (authorizationState[authorizer][nonce]) revert AuthorizationAlreadyUsed(authorizer, nonce);
        address signer = ECDSA.recover(_hashTypedDataV4(structHash), v, r, s);
        if (signer != authorizer) revert InvalidAuthorizationSigner(signer, authorizer);
        authorizationState[authorizer][nonce] = true;
    }

    function _requireValid(uint256 validAfter, uint256 validBefore) private view {
        if (block.timestamp <= validAfter) revert AuthorizationNotYetValid(validAfter, block.timestamp);
        if (block.timestamp >= validBefore) revert AuthorizationExpired(validBefore, block.timestamp);
    }
}
