// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";

/// @title Who signed a hash
/// @notice Checks the signature of an account or of an ERC-1271 wallet over a hash.
/// @dev Warning: what is checked must be a hash that the caller made. For words that others choose freely there are
/// signatures by anyone.
///
/// Warning: a hash says nothing of where and how often it counts. Whoever uses this binds both into what is hashed, or
/// remembers what was used; never the signature, which has two forms.
library SignedHash {
    /// @notice Somebody else signed exactly this. `recovered` is zero where nobody did.
    error WrongSigner(address recovered, address signer);

    /// @notice A signature has 65 bytes (r, s, v) or, by EIP-2098, 64 (r, parity and s).
    error WrongSignatureLength(uint256 length);

    /// @notice The upper half of the range of s is refused, so that nobody makes a second signature out of one.
    error HighS(uint256 s, uint256 maximum);

    /// @notice v is 27 or 28.
    error WrongV(uint8 v);

    /// @notice The signer is a contract, and it did not accept the signature of this hash by ERC-1271.
    error WalletRefused(address wallet, bytes32 hash);

    /// @notice The highest s that is accepted: half the order of the curve.
    uint256 internal constant MAXIMUM_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// @notice Reverts unless this signer signed exactly this hash.
    /// @dev A key is tried before ERC-1271, so a wallet that has both (EIP-7702) keeps its key. A wallet contract alone
    /// decides on signatures that are not its key's, of any form.
    /// @param hash What is signed.
    /// @param signer An account or an ERC-1271 contract.
    /// @param signature Its signature.
    function requireSigned(bytes32 hash, address signer, bytes calldata signature) internal view {
        if (!_isOfKey(hash, signer, signature)) _requireAccepted(hash, signer, signature);
    }

    /// @dev What is no signature of the signer's key: a wallet contract may accept it, else this tells why it is refused.
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

    /// @dev Whether this is a signature by the signer's key, of 65 or 64 bytes.
    function _isOfKey(bytes32 hash, address signer, bytes calldata signature) private view returns (bool answer) {
        // Saves some 600 gas of branches, and of memory that ecrecover takes for good. In Solidity:
        //   if (signature.length != 64 && signature.length != 65) return false;
        //   (bytes32 r, uint256 s, uint8 v) = _split(signature);
        //   address recovered = ecrecover(hash, v, r, bytes32(s));
        //   answer = s <= MAXIMUM_S && recovered == signer && recovered != address(0);
        // Of a signature of a wrong length, bytes beyond it are read and then not used. The precompiled contract at 1
        // never returns zero: where it recovers nobody it returns nothing, and the word that it would write is still the
        // hash, which is no address. A signer with dirty upper bits equals nobody.
        // Writes beyond the free memory pointer only.
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, hash)
            mstore(add(free, 0x20), byte(0, calldataload(add(signature.offset, 0x40))))
            calldatacopy(add(free, 0x40), signature.offset, 0x40)
            let fault := xor(signature.length, 65)
            if fault {
                fault := xor(signature.length, 64)
                let s := mload(add(free, 0x60))
                mstore(add(free, 0x20), add(27, shr(255, s)))
                mstore(add(free, 0x60), and(s, sub(shl(255, 1), 1)))
            }
            pop(staticcall(gas(), 1, free, 0x80, free, 0x20))
            fault := or(fault, gt(mload(add(free, 0x60)), MAXIMUM_S))
            answer := iszero(or(fault, xor(mload(free), signer)))
        }
    }

    /// @dev Asks a wallet contract. Not by OpenZeppelin's SignatureChecker, which chains without MCOPY cannot run.
    function _accepts(address wallet, bytes32 hash, bytes calldata signature) private view returns (bool) {
        bytes memory question = abi.encodeCall(IERC1271.isValidSignature, (hash, signature));
        (bool success, bytes32 answer, ) = LowLevelCall.staticcallReturn64Bytes(wallet, question);
        if (!success || LowLevelCall.returnDataSize() < 32) return false;
        return answer == bytes32(IERC1271.isValidSignature.selector);
    }

    /// @dev Takes a signature of 65 or 64 bytes apart.
    function _split(bytes calldata signature) private pure returns (bytes32 r, uint256 s, uint8 v) {
        r = bytes32(signature[:32]);
        s = uint256(bytes32(signature[32:64]));
        if (signature.length == 65) return (r, s, uint8(signature[64]));
        v = uint8(27 + (s >> 255));
        s &= uint256(type(int256).max);
    }
}
