// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Taken} from "./Taken.sol";

/// @dev `_accept` and `verify` of the receiver, without its guard. The proof covers every state that satisfies the
/// invariant, so it holds after any number of payments. `_watched` is any request.
contract Proof is Taken {
    bytes32 private _watched;
    bool private _isAccepted;

    function pay(
        bytes32 requestId,
        uint256 originChainId,
        bytes32 originUser,
        uint256 originAmount,
        bool isSigned,
        bytes32 orderId,
        uint256 validUntil,
        address payer
    ) external {
        require(!_isAccepted || paid[_watched]);
        _accept(requestId, originChainId, originUser, originAmount, isSigned, orderId, validUntil, payer);
        assert(isSigned && paid[requestId]);
        assert(!_isAccepted || requestId != _watched);
        if (requestId == _watched) _isAccepted = true;
        assert(!_isAccepted || paid[_watched]);
    }
}
