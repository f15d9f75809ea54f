// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";

/// @title The service's signature over a request
/// @notice The service's solver wallet signs seven words of a request. This library hashes them and checks who signed.
/// @dev Warning: a signature names neither a contract nor a time. It holds on every contract that trusts the same
/// solver wallet, and forever: whoever acts on it must remember the requestId, never the signature, and must compare
/// `originChainId` with the chain it runs on.
///
/// Warning: the orderId of a deposit is not among the words. Nothing here tells which order belongs to a request.
library RequestSignature {
    /// @dev An EVM address becomes its bytes32 by zeros on the left. An address of another kind of chain is the raw 32
    /// bytes of its native encoding.
    /// @param requestId The request.
    /// @param originChainId The chain that the payment is made on.
    /// @param originUser Who pays.
    /// @param originCurrency What is paid in; zero is the native currency of an EVM chain.
    /// @param originAmount What is paid, exactly.
    /// @param destinationChainId The chain that the fill happens on.
    /// @param destinationUser Who gets the fill.
    struct Request {
        bytes32 requestId;
        uint256 originChainId;
        bytes32 originUser;
        bytes32 originCurrency;
        uint256 originAmount;
        uint256 destinationChainId;
        bytes32 destinationUser;
    }

    /// @notice Somebody else than the solver wallet signed exactly this request. `signer` is zero where nobody did.
    error WrongSigner(address signer, address solver);

    /// @notice A signature has 65 bytes (r, s, v) or, by EIP-2098, 64 (r, parity and s).
    error WrongSignatureLength(uint256 length);

    /// @notice The upper half of the range of s is refused, so that each signature has one form.
    error HighS(uint256 s, uint256 maximum);

    /// @notice v is 27 or 28.
    error WrongV(uint8 v);

    /// @notice The solver wallet is a contract, and it did not accept the signature of this hash by ERC-1271.
    error WalletRefused(address solver, bytes32 hash);

    /// @notice The highest s that is accepted: half the order of the curve.
    uint256 internal constant MAXIMUM_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// @notice Hash of the seven words.
    function digest(Request calldata request) internal pure returns (bytes32) {
        return keccak256(abi.encode(request));
    }

    /// @notice What is signed: the digest, as EIP-191 personal message of 32 bytes.
    function messageHash(Request calldata request) internal pure returns (bytes32 hash) {
        // Saves the copy that abi.encode makes in memory for good. The same in Solidity:
        //   hash = MessageHashUtils.toEthSignedMessageHash(keccak256(abi.encode(request)));
        // Writes beyond the free memory pointer and in the scratch space only.
        assembly ("memory-safe") {
            let free := mload(0x40)
            calldatacopy(free, request, 224)
            mstore(0x00, "\x19Ethereum Signed Message:\n32")
            mstore(0x1c, keccak256(free, 224))
            hash := keccak256(0x00, 0x3c)
        }
    }

    /// @notice Reverts unless the solver wallet signed exactly this request.
    /// @dev A key is tried before ERC-1271, so a wallet that has both (EIP-7702) keeps its key. A wallet contract alone
    /// decides on signatures that are not its key's, of any form.
    /// @param request The seven words.
    /// @param solver The service's solver wallet, an account or an ERC-1271 contract.
    /// @param signature Its signature.
    function requireSigned(Request calldata request, address solver, bytes calldata signature) internal view {
        if (!_isOfKey(request, solver, signature)) _requireAccepted(request, solver, signature);
    }

    /// @dev What is no signature of the solver's key: a wallet contract may accept it, else this tells why it is refused.
    function _requireAccepted(Request calldata request, address solver, bytes calldata signature) private view {
        bytes32 hash = messageHash(request);
        if (solver.code.length != 0) {
            if (_accepts(solver, hash, signature)) return;
            revert WalletRefused(solver, hash);
        }
        if (signature.length != 64 && signature.length != 65) revert WrongSignatureLength(signature.length);
        (bytes32 r, uint256 s, uint8 v) = _split(signature);
        if (s > MAXIMUM_S) revert HighS(s, MAXIMUM_S);
        if (v != 27 && v != 28) revert WrongV(v);
        revert WrongSigner(ecrecover(hash, v, r, bytes32(s)), solver);
    }

    /// @dev Whether this is a signature by the solver's key, of 65 or 64 bytes.
    function _isOfKey(
        Request calldata request,
        address solver,
        bytes calldata signature
    ) private view returns (bool answer) {
        // Saves some 600 gas of branches, and of memory that abi.encode and ecrecover take for good. In Solidity:
        //   if (signature.length != 64 && signature.length != 65) return false;
        //   (bytes32 r, uint256 s, uint8 v) = _split(signature);
        //   address signer = ecrecover(messageHash(request), v, r, bytes32(s));
        //   answer = s <= MAXIMUM_S && signer == solver && signer != address(0);
        // Of a signature of a wrong length, bytes beyond it are read and then not used. The precompiled contract at 1
        // never returns zero: where it recovers nobody it returns nothing, and the word at 0 is still the beginning of
        // the message, which is no address. A solver with dirty upper bits equals nobody.
        // Writes beyond the free memory pointer and in the scratch space only.
        assembly ("memory-safe") {
            let free := mload(0x40)
            calldatacopy(free, request, 224)
            mstore(0x00, "\x19Ethereum Signed Message:\n32")
            mstore(0x1c, keccak256(free, 224))
            mstore(free, keccak256(0x00, 0x3c))
            mstore(add(free, 0x20), byte(0, calldataload(add(signature.offset, 0x40))))
            calldatacopy(add(free, 0x40), signature.offset, 0x40)
            let fault := xor(signature.length, 65)
            if fault {
                fault := xor(signature.length, 64)
                let s := mload(add(free, 0x60))
                mstore(add(free, 0x20), add(27, shr(255, s)))
                mstore(add(free, 0x60), and(s, sub(shl(255, 1), 1)))
            }
            pop(staticcall(gas(), 1, free, 0x80, 0x00, 0x20))
            fault := or(fault, gt(mload(add(free, 0x60)), MAXIMUM_S))
            answer := iszero(or(fault, xor(mload(0x00), solver)))
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
