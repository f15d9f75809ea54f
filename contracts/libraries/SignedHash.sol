// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";

/// @title Signature checks
/// @notice Checks signatures of a hash by an account or an ERC-1271 wallet.
/// @dev Warning: compute the hash in the calling contract. Anyone can produce a valid signature of a hash that they can
/// choose.
///
/// Warning: a signature can be replayed. Include contract, chain and nonce in the hash, or record used ids; never
/// record the signature itself, which has two forms.
library SignedHash {
    /// @notice Another account signed the hash. `recovered` is zero if the signature is invalid.
    error WrongSigner(address recovered, address signer);

    /// @notice A signature must have 65 bytes (r, s, v) or 64 bytes (EIP-2098: r, parity and s).
    error WrongSignatureLength(uint256 length);

    /// @notice s is in the upper half of its range, which is rejected to prevent malleable signatures.
    error HighS(uint256 s, uint256 maximum);

    /// @notice v must be 27 or 28.
    error WrongV(uint8 v);

    /// @notice The signer is a contract that did not accept the signature of this hash (ERC-1271).
    error WalletRefused(address wallet, bytes32 hash);

    /// @notice The highest accepted s: half the order of the curve.
    uint256 internal constant MAXIMUM_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// @notice Reverts unless the signer signed the hash.
    /// @dev Recovers the key before it calls ERC-1271, so a delegated account (EIP-7702) can use its key. A wallet
    /// contract can accept signatures of any form.
    /// @param hash The signed hash.
    /// @param signer An account or an ERC-1271 contract.
    /// @param signature The signer's signature.
    function requireSigned(bytes32 hash, address signer, bytes calldata signature) internal view {
        if (_faultOf(hash, signer, signature) != 0) _requireAccepted(hash, signer, signature);
    }

    /// @notice The key that made a signature of 65 or 64 bytes; zero if the signature is invalid.
    /// @dev More tolerant than `requireSigned`, as wallets that accept the signature can be: s may be high,
    /// and v may be 0 or 1.
    /// @param hash The signed hash.
    /// @param signature Any bytes.
    function recover(bytes32 hash, bytes calldata signature) internal pure returns (address) {
        if (signature.length != 64 && signature.length != 65) return address(0);
        (bytes32 r, uint256 s, uint8 v) = _split(signature);
        return ecrecover(hash, v < 27 ? v + 27 : v, r, bytes32(s));
    }

    /// @dev Handles a signature that the signer's key did not make: passes if a wallet contract accepts it, else
    /// reverts with the reason.
    function _requireAccepted(bytes32 hash, address signer, bytes calldata signature) private view {
        if (signer.code.length != 0) {
            if (_accepts(signer, hash, signature)) return;
            revert WalletRefused(signer, hash);
        }
        if (signature.length != 64 && signature.length != 65) revert WrongSignatureLength(signature.length);
        (bytes32 r, uint256 s, uint8 v) = _split(signature);
        if (s > MAXIMUM_S) revert HighS(s, MAXIMUM_S);
        if (v != 27 && v != 28) revert WrongV(v);
        revert WrongSigner(ecrecover(hash, v, r, bytes32(s)), signer);
    }

    /// @dev Zero if the signer's key made the signature of 65 or 64 bytes. Not a bool, which would need a conversion.
    function _faultOf(bytes32 hash, address signer, bytes calldata signature) private view returns (uint256 fault) {
        // Saves about 600 gas of branches and memory. In Solidity:
        //   if (signature.length != 64 && signature.length != 65) return 1;
        //   (bytes32 r, uint256 s, uint8 v) = _split(signature);
        //   if (s > MAXIMUM_S || ecrecover(hash, v, r, bytes32(s)) != signer || signer == address(0)) return 1;
        // A wrong length makes v zero, for which the precompile at 1 returns nothing, as for an invalid signature. In
        // that case, the word at 1 is the end of the hash, which is neither an address nor zero. A signer with dirty
        // upper bits never matches. The call returns 0 only if it runs out of gas. Restores the free memory pointer and
        // the zero word.
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(0x00, hash)
            mstore(0x20, byte(0, calldataload(add(signature.offset, 0x40))))
            calldatacopy(0x40, signature.offset, 0x40)
            if xor(signature.length, 65) {
                let s := mload(0x60)
                mstore(0x20, mul(eq(signature.length, 64), add(27, shr(255, s))))
                mstore(0x60, shr(1, shl(1, s)))
            }
            fault := xor(mload(staticcall(gas(), 1, 0x00, 0x80, 0x01, 0x20)), signer)
            fault := or(fault, gt(mload(0x60), MAXIMUM_S))
            mstore(0x40, free)
            mstore(0x60, 0)
        }
    }

    /// @dev Calls ERC-1271. OpenZeppelin's SignatureChecker needs MCOPY, which some chains lack.
    function _accepts(address wallet, bytes32 hash, bytes calldata signature) private view returns (bool) {
        bytes memory question = abi.encodeCall(IERC1271.isValidSignature, (hash, signature));
        (bool success, bytes32 answer,) = LowLevelCall.staticcallReturn64Bytes(wallet, question);
        if (!success || LowLevelCall.returnDataSize() < 32) return false;
        return answer == bytes32(IERC1271.isValidSignature.selector);
    }

    /// @dev Splits a signature of 65 or 64 bytes.
    function _split(bytes calldata signature) private pure returns (bytes32 r, uint256 s, uint8 v) {
        r = bytes32(signature[:32]);
        s = uint256(bytes32(signature[32:64]));
        if (signature.length == 65) return (r, s, uint8(signature[64]));
        v = uint8(27 + (s >> 255));
        s &= uint256(type(int256).max);
    }
}
