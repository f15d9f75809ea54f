// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IDepository} from "../interfaces/IDepository.sol";

/// @title Stand-in for the live depository, for local chains
/// @notice Has the ABI, the events and the errors of the live depository. Its constructor writes no storage, and its EIP-712 domain
/// uses the address at which the code runs, so the runtime code can be copied to any address.
/// @dev Warning: by design, the allocator can take all deposits.
contract LocalDepository is IDepository, EIP712 {
    using SafeERC20 for IERC20;

    bytes32 private constant _CALL_TYPEHASH = keccak256("Call(address to,bytes data,uint256 value,bool allowFailure)");
    bytes32 private constant _CALL_REQUEST_TYPEHASH = keccak256(
        "CallRequest(Call[] calls,uint256 nonce,uint256 expiration)"
        "Call(address to,bytes data,uint256 value,bool allowFailure)"
    );

    /// @inheritdoc IDepository
    address public immutable override owner;

    address private immutable _firstAllocator;

    /// @inheritdoc IDepository
    mapping(bytes32 id => bool executed) public override callRequests;

    /// @dev Zero until the first allocator is replaced.
    address private _nextAllocator;

    constructor(address owner_, address allocator_) EIP712("RelayDepository", "1") {
        owner = owner_;
        _firstAllocator = allocator_;
    }

    /// @inheritdoc IDepository
    function depositNative(address depositor, bytes32 id) external payable override {
        emit RelayNativeDeposit(_orCaller(depositor), msg.value, id);
    }

    /// @inheritdoc IDepository
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external override {
        _depositErc20(depositor, token, amount, id);
    }

    /// @inheritdoc IDepository
    function depositErc20(address depositor, address token, bytes32 id) external override {
        _depositErc20(depositor, token, IERC20(token).allowance(msg.sender, address(this)), id);
    }

    /// @inheritdoc IDepository
    function setAllocator(address allocator_) external override {
        if (msg.sender != owner) revert Unauthorized();
        if (allocator_ == address(0)) revert AddressCannotBeZero();
        _nextAllocator = allocator_;
    }

    /// @inheritdoc IDepository
    function execute(CallRequest calldata request, bytes calldata signature)
        external
        override
        returns (CallResult[] memory results)
    {
        if (block.timestamp > request.expiration) revert CallRequestExpired();
        bytes32 id = _hash(request);
        bytes32 digest = _hashTypedDataV4(id);
        if (!SignatureChecker.isValidSignatureNowCalldata(allocator(), digest, signature)) {
            revert InvalidSignature();
        }
        if (callRequests[id]) revert CallRequestAlreadyUsed();
        callRequests[id] = true;

        results = new CallResult[](request.calls.length);
        for (uint256 i = 0; i < request.calls.length; ++i) {
            Call calldata step = request.calls[i];
            (bool success, bytes memory returnData) = step.to.call{value: step.value}(step.data);
            if (success) emit RelayCallExecuted(id, step);
            else if (!step.allowFailure) revert CallFailed(returnData);
            results[i] = CallResult(success, returnData);
        }
    }

    /// @inheritdoc IDepository
    function allocator() public view override returns (address) {
        return _nextAllocator == address(0) ? _firstAllocator : _nextAllocator;
    }

    function _depositErc20(address depositor, address token, uint256 amount, bytes32 id) private {
        if (!IERC20(token).trySafeTransferFrom(msg.sender, address(this), amount)) revert TransferFromFailed();
        // As on live chains, the event follows the token's `Transfer`, because readers match a deposit with the
        // transfer before it.
        emit RelayErc20Deposit(_orCaller(depositor), token, amount, id);
    }

    function _orCaller(address depositor) private view returns (address) {
        return depositor == address(0) ? msg.sender : depositor;
    }

    function _hash(CallRequest calldata request) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](request.calls.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            Call calldata step = request.calls[i];
            hashes[i] =
                keccak256(abi.encode(_CALL_TYPEHASH, step.to, keccak256(step.data), step.value, step.allowFailure));
        }
        bytes32 callsHash = keccak256(abi.encodePacked(hashes));
        return keccak256(abi.encode(_CALL_REQUEST_TYPEHASH, callsHash, request.nonce, request.expiration));
    }
}
