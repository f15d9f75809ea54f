// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IAttestationVerifier} from "../interfaces/IAttestationVerifier.sol";
import {HubAllocatorV2} from "./hub/HubAllocatorV2.sol";
import {HubExecutor} from "./hub/HubExecutor.sol";
import {HubMapping} from "./hub/HubMapping.sol";
import {HubSigned} from "./hub/HubSigned.sol";

/// @title Stand-in for the settlement hub, for local chains
/// @notice One contract for all contracts of the hub that oracles read or sign for: oracle, ledger, generic mapping,
/// allocators, executor and deposit address manager. Reading functions and signed data are those of the live contracts.
/// The functions that take signed data have names of their own, as the live ones are not documented.
/// @dev Writes no storage in its constructor, so that the runtime code can be placed at the address of the live oracle
/// contract.
contract LocalHub is HubExecutor, HubAllocatorV2, HubMapping {
    /// @notice The order of a deposit address trigger; zero if it is unknown.
    mapping(bytes32 triggerHash => bytes32 orderId) public triggers;

    /// @notice The trigger of an order was recorded.
    event TriggerRecorded(bytes32 indexed triggerHash, bytes32 indexed orderId);

    /// @notice The trigger is recorded for this order.
    error TriggerRepeated(bytes32 triggerHash, bytes32 orderId);

    /// @notice No order has the zero id.
    error OrderIdIsZero();

    /// @param verifier_ Its signers are the hub's oracles.
    constructor(IAttestationVerifier verifier_) HubSigned(verifier_) {}

    /// @notice Records the trigger of an order. Anyone may do so, since what the live manager requires is not documented.
    /// @param triggerHash The trigger.
    /// @param orderId Its order.
    function recordTrigger(bytes32 triggerHash, bytes32 orderId) external {
        if (orderId == 0) revert OrderIdIsZero();
        if (triggers[triggerHash] != 0) revert TriggerRepeated(triggerHash, triggers[triggerHash]);
        triggers[triggerHash] = orderId;
        emit TriggerRecorded(triggerHash, orderId);
    }
}
