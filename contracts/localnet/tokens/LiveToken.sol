// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";

/// @title Token to place at a live token's address on a local chain, with EIP-2612
/// @notice Name, symbol, decimals and EIP-712 domain are in the code, so the code of an instance works at any address.
/// Accepts signatures as v, r and s or as bytes, and signatures of contracts (ERC-1271).
/// @dev Warning: anyone may mint.
contract LiveToken is ERC20, Nonces, IERC20Permit {
    using ShortStrings for *;

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    /// @notice EIP-712 type hash of `permit`.
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    ShortString private immutable LIVE_NAME;
    ShortString private immutable LIVE_SYMBOL;
    ShortString private immutable LIVE_VERSION;
    uint8 private immutable LIVE_DECIMALS;

    /// @notice The deadline of the permit has passed.
    error PermitExpired(uint256 deadline, uint256 timestamp);

    /// @notice The account did not sign the message.
    error InvalidSignature(address account);

    /// @param name_ Up to 31 bytes.
    /// @param symbol_ Up to 31 bytes.
    /// @param decimals_ Number of decimals.
    /// @param version_ Version in the EIP-712 domain.
    constructor(string memory name_, string memory symbol_, uint8 decimals_, string memory version_) ERC20("", "") {
        LIVE_NAME = name_.toShortString();
        LIVE_SYMBOL = symbol_.toShortString();
        LIVE_VERSION = version_.toShortString();
        LIVE_DECIMALS = decimals_;
    }

    /// @notice Mints tokens.
    /// @param to Recipient of the tokens.
    /// @param amount Amount in the smallest unit.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc IERC20Permit
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
        override
    {
        permit(owner, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    /// @notice `permit` with the signature as bytes.
    /// @param owner Holder who signed.
    /// @param spender Account that may transfer the tokens.
    /// @param value The allowance.
    /// @param deadline Last second at which the permit is valid.
    /// @param signature Signature of the EIP-2612 message.
    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes memory signature) public {
        if (block.timestamp > deadline) revert PermitExpired(deadline, block.timestamp);
        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, _useNonce(owner), deadline));
        _requireSigned(owner, structHash, signature);
        _approve(owner, spender, value);
    }

    /// @inheritdoc ERC20
    function name() public view override returns (string memory) {
        return LIVE_NAME.toString();
    }

    /// @inheritdoc ERC20
    function symbol() public view override returns (string memory) {
        return LIVE_SYMBOL.toString();
    }

    /// @inheritdoc ERC20
    function decimals() public view override returns (uint8) {
        return LIVE_DECIMALS;
    }

    /// @notice Version in the EIP-712 domain.
    function version() public view returns (string memory) {
        return LIVE_VERSION.toString();
    }

    /// @inheritdoc IERC20Permit
    function nonces(address owner) public view override(IERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }

    /// @inheritdoc IERC20Permit
    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() public view override returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN_TYPEHASH, keccak256(bytes(name())), keccak256(bytes(version())), block.chainid, address(this)
            )
        );
    }

    function _requireSigned(address account, bytes32 structHash, bytes memory signature) internal view {
        bytes32 digest = MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), structHash);
        if (!SignatureChecker.isValidSignatureNow(account, digest, signature)) revert InvalidSignature(account);
    }
}
