// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IRequestPolicy} from "../../interfaces/IRequestPolicy.sol";
import {RequestSignature} from "../../libraries/RequestSignature.sol";

/// @title Accepts requests with a fill in a listed currency
/// @notice A receiver passes the first version of a request, which omits the currency of the fill. Before the payment,
/// anyone can record the second version, which contains that currency, with the solver wallet's signature.
/// @dev If the solver wallet signs two currencies for the same request, the last recorded currency applies.
contract FillCurrencyAllowList is IRequestPolicy, Ownable2Step {
    using RequestSignature for RequestSignature.RequestV2;

    /// @notice The service's solver wallet, which signs requests.
    address public immutable solver;

    /// @notice Whether a currency is listed for a chain.
    mapping(uint256 chainId => mapping(bytes32 currency => bool)) public isAllowed;

    /// @dev The currency of the fill, by the hash of the six words that both versions share.
    mapping(bytes32 shared => Fill) private _fills;

    /// @param isRecorded Distinguishes the native currency, which is zero, from a missing record.
    /// @param currency Currency of the fill.
    struct Fill {
        bool isRecorded;
        bytes32 currency;
    }

    /// @notice A currency was added or removed.
    event CurrencySet(uint256 indexed chainId, bytes32 indexed currency, bool allowed);

    /// @notice The currency of a request's fill was recorded.
    event FillRecorded(bytes32 indexed requestId, uint256 indexed chainId, bytes32 indexed currency);

    /// @notice The policy needs a solver wallet.
    error SolverIsZero();

    /// @notice The second version of this request was not recorded.
    error FillNotRecorded(bytes32 requestId);

    /// @notice The currency of the fill is not listed for its chain.
    error FillCurrencyNotAllowed(uint256 chainId, bytes32 currency);

    constructor(address owner_, address solver_) Ownable(owner_) {
        if (solver_ == address(0)) revert SolverIsZero();
        solver = solver_;
    }

    /// @notice Adds or removes a currency for a chain.
    function setCurrency(uint256 chainId, bytes32 currency, bool allowed) external onlyOwner {
        isAllowed[chainId][currency] = allowed;
        emit CurrencySet(chainId, currency, allowed);
    }

    /// @notice Records the currency of a request's fill. Reverts with an error of `SignedHash` unless the solver wallet
    /// signed it.
    function record(RequestSignature.RequestV2 calldata request, bytes calldata signature) external {
        request.requireSigned(solver, signature);
        bytes32 shared = _hashShared(
            request.requestId,
            request.originChainId,
            request.originUser,
            request.originCurrency,
            request.destinationChainId,
            request.destinationUser
        );
        _fills[shared] = Fill({isRecorded: true, currency: request.destinationCurrency});
        emit FillRecorded(request.requestId, request.destinationChainId, request.destinationCurrency);
    }

    /// @inheritdoc IRequestPolicy
    function check(RequestSignature.Request calldata request) external view override returns (bytes4 accepted) {
        bytes32 shared = _hashShared(
            request.requestId,
            request.originChainId,
            request.originUser,
            request.originCurrency,
            request.destinationChainId,
            request.destinationUser
        );
        Fill storage fill = _fills[shared];
        if (!fill.isRecorded) revert FillNotRecorded(request.requestId);
        bytes32 currency = fill.currency;
        if (!isAllowed[request.destinationChainId][currency]) {
            revert FillCurrencyNotAllowed(request.destinationChainId, currency);
        }
        return IRequestPolicy.check.selector;
    }

    function _hashShared(
        bytes32 requestId,
        uint256 originChainId,
        bytes32 originUser,
        bytes32 originCurrency,
        uint256 destinationChainId,
        bytes32 destinationUser
    ) private pure returns (bytes32) {
        return keccak256(
            abi.encode(requestId, originChainId, originUser, originCurrency, destinationChainId, destinationUser)
        );
    }
}
