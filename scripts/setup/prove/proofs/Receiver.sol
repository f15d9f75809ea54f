// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRequestPolicy} from "../../../../contracts/interfaces/IRequestPolicy.sol";
import {RequestReceiver} from "../../../../contracts/receiver/RequestReceiver.sol";

/// @dev Most assertions are in the receiver: `_watched` is any request. The receiver's guard is switched off, so that
/// the proof does not rely on it.
contract Proof is RequestReceiver {
    constructor(
        address solver_,
        address depository_,
        address permit2_,
        IRequestPolicy policy_,
        bytes32 watched
    ) RequestReceiver(solver_, depository_, permit2_, policy_) {
        _watched = watched;
    }

    function aPaidRequestStaysPaid() external view {
        assert(_accepted == 0 || paid[_watched]);
    }
}
