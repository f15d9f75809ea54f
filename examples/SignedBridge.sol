// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {RequestSignature} from "@crosscall/contracts/libraries/RequestSignature.sol";

/// @title Pays the service's solver wallet for requests that it signed, each once
/// @dev Warning: the signature contains no amount. The caller decides the paid amount, and the service may refund a
/// wrong amount to the `refundTo` of the quote.
contract SignedBridge {
    using SafeERC20 for IERC20;

    /// @notice The service's solver wallet.
    address public immutable solver;

    /// @notice Whether a request was already paid.
    mapping(bytes32 requestId => bool) public paid;

    /// @notice The request was already paid.
    error RequestAlreadyPaid(bytes32 requestId);

    constructor(address solver_) {
        solver = solver_;
    }

    /// @notice Pays a request whose quote names this contract as `user`.
    function bridge(IERC20 token, uint256 amount, RequestSignature.Fill calldata fill, bytes calldata signature)
        external
    {
        RequestSignature.requireSigned(fill, address(token), solver, signature);
        if (paid[fill.requestId]) revert RequestAlreadyPaid(fill.requestId);
        paid[fill.requestId] = true;

        token.safeTransferFrom(msg.sender, address(this), amount);
        // The service finds the request by the id after the arguments.
        bytes memory transferCall = abi.encodeCall(IERC20.transfer, (solver, amount));
        Address.functionCall(address(token), bytes.concat(transferCall, fill.requestId));
    }
}
