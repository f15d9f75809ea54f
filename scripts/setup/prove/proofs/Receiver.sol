// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRequestPolicy} from "../../../../contracts/interfaces/IRequestPolicy.sol";
import {Taken} from "./Taken.sol";

/// @dev `_accept` and `verify` of the receiver. There is no guard here, so the proof does not rely on it.
contract Proof is Taken {
    constructor(address depository_, IRequestPolicy policy_, bytes32 watched) {
        depository = depository_;
        policy = policy_;
        _watched = watched;
    }

    function pay(Request memory request, Terms memory terms, address payer) external {
        _accept(request, terms, payer);
        assert(paid[request.requestId]);
    }

    function aPaidRequestStaysPaid() external view {
        assert(!_isAccepted || paid[_watched]);
    }
}
