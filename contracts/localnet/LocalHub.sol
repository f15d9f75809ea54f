// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IAttestationVerifier} from "../interfaces/IAttestationVerifier.sol";
import {HubAllocatorV2} from "./hub/HubAllocatorV2.sol";
import {HubExecutor} from "./hub/HubExecutor.sol";
import {HubMapping} from "./hub/HubMapping.sol";
import {HubSigned} from "./hub/HubSigned.sol";

/// @title Stand-in for the settlement hub, for local chains
/// @notice Combines all contracts of the hub that oracles read or sign for: oracle, ledger, generic mapping,
/// allocators, executor and deposit address manager. Its read functions and signed data are those of the live
/// contracts. The functions that take signed data have different names, because the live ones are not documented.
/// @dev The constructor writes no storage, so that the runtime code can be placed at the address of the live oracle
/// contract.
contract LocalHub is HubExecutor, HubAllocatorV2, HubMapping {
    /// @notice The order of a deposit address trigger; zero if it is unknown.
    mapping(bytes32 triggerHash => bytes32 orderId) public triggers;

    /// @notice The trigger of an order was recorded.
    event TriggerRecorded(bytes32 indexed triggerHash, bytes32 indexed orderId);

    /// @notice The trigger is already recorded for this order.
    error TriggerRepeated(bytes32 triggerHash, bytes32 orderId);

    /// @notice The order id must not be zero.
    error OrderIdIsZero();

    /// @param verifier_ Verifier with the hub's oracles as signers.
    constructor(IAttestationVerifier verifier_) HubSigned(verifier_) {}

    /// @notice Records the trigger of an order. Anyone may do so, because the live manager's requirements are not
    /// documented.
    /// @param triggerHash The trigger.
    /// @param orderId The order of the trigger.
    function recordTrigger(bytes32 triggerHash, bytes32 orderId) external {
        if (orderId == 0) revert OrderIdIsZero();
        if (triggers[triggerHash] != 0) revert TriggerRepeated(triggerHash, triggers[triggerHash]);
        triggers[triggerHash] = orderId;
        emit TriggerRecorded(triggerHash, orderId);
    }
}
