// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IDepository} from "../../interfaces/IDepository.sol";
import {HubSigned} from "./HubSigned.sol";

/// @title Builds payloads for the allocators of the local settlement hub
/// @notice A payload is a request to the depository of a local chain, with one payment. The key of the depository's
/// allocator signs its hash off chain. On the live hub, a threshold signer does.
abstract contract HubPayloads is HubSigned {
    /// @notice The depository of every local chain.
    address public constant DEPOSITORY = 0x4cD00E387622C35bDDB9b4c962C136462338BC31;

    /// @notice Seconds during which a payload can be executed.
    uint256 public constant PAYLOAD_VALIDITY = 1 hours;

    bytes32 private constant _CALL_TYPEHASH = keccak256("Call(address to,bytes data,uint256 value,bool allowFailure)");
    bytes32 private constant _CALL_REQUEST_TYPEHASH = keccak256(
        "CallRequest(Call[] calls,uint256 nonce,uint256 expiration)"
        "Call(address to,bytes data,uint256 value,bool allowFailure)"
    );

    /// @notice A payload by the hash of its request; empty if it was not built.
    mapping(bytes32 requestHash => bytes) public payloads;

    /// @notice The hash that the depository's allocator signs for a request. Every payload has a single hash, at index
    /// 0.
    mapping(bytes32 requestHash => mapping(uint256 index => bytes32)) public hashesToSign;

    /// @notice A payload was built.
    event PayloadBuilt(bytes32 indexed requestHash, bytes payload, bytes32 hashToSign);

    /// @notice The payload of this request was already built.
    error RequestRepeated(bytes32 requestHash);

    /// @notice Only the depository of local chains can pay.
    error DepositoryNotSupported(address depository);

    /// @notice The chain's name is not `local-` followed by its id.
    error ChainNotSupported(string chainId);

    /// @notice The bytes are not an EVM address.
    error AddressMalformed(bytes account);

    /// @notice The chain family of every payload.
    function family() external pure returns (string memory) {
        return "ethereum-vm";
    }

    /// @notice The hash that the depository's allocator signs for a payload.
    /// @param chainId The EVM chain id of the depository.
    /// @param depository The depository's address, as text.
    /// @param payload The payload.
    /// @param index Ignored: every payload has one hash.
    function hashToSign(uint256 chainId, string calldata depository, bytes calldata payload, uint32 index)
        external
        pure
        returns (bytes32)
    {
        index;
        return _hashPayload(chainId, Strings.parseAddress(depository), payload);
    }

    function _buildPayload(
        bytes32 requestHash,
        uint256 chainId,
        address depository,
        address currency,
        uint256 amount,
        address receiver
    ) internal {
        if (payloads[requestHash].length != 0) revert RequestRepeated(requestHash);
        if (depository != DEPOSITORY) revert DepositoryNotSupported(depository);
        IDepository.Call[] memory calls = new IDepository.Call[](1);
        calls[0] = _payment(currency, amount, receiver);
        bytes memory payload =
            abi.encode(IDepository.CallRequest(calls, uint256(requestHash), block.timestamp + PAYLOAD_VALIDITY));
        bytes32 hash = _hashPayload(chainId, depository, payload);
        payloads[requestHash] = payload;
        hashesToSign[requestHash][0] = hash;
        emit PayloadBuilt(requestHash, payload, hash);
    }

    function _hashPayload(uint256 chainId, address depository, bytes memory payload) internal pure returns (bytes32) {
        IDepository.CallRequest memory request = abi.decode(payload, (IDepository.CallRequest));
        bytes32[] memory hashes = new bytes32[](request.calls.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            IDepository.Call memory step = request.calls[i];
            hashes[i] =
                keccak256(abi.encode(_CALL_TYPEHASH, step.to, keccak256(step.data), step.value, step.allowFailure));
        }
        bytes32 callsHash = keccak256(abi.encodePacked(hashes));
        bytes32 structHash = keccak256(abi.encode(_CALL_REQUEST_TYPEHASH, callsHash, request.nonce, request.expiration));
        return _digest("RelayDepository", chainId, depository, structHash);
    }

    function _payment(address currency, uint256 amount, address receiver)
        private
        pure
        returns (IDepository.Call memory)
    {
        if (currency == address(0)) {
            return IDepository.Call(receiver, "", amount, false);
        }
        return IDepository.Call(currency, abi.encodeCall(IERC20.transfer, (receiver, amount)), 0, false);
    }

    /// @dev Parses the EVM chain id in a local chain's name.
    function _readChain(string memory name) internal pure returns (bool isLocal, uint256 chainId) {
        uint256 length = bytes(name).length;
        if (length < 7 || bytes6(bytes(name)) != "local-") return (false, 0);
        return Strings.tryParseUint(name, 6, length);
    }

    function _readAddress(bytes memory account) internal pure returns (address) {
        if (account.length != 20) revert AddressMalformed(account);
        return address(bytes20(account));
    }
}
