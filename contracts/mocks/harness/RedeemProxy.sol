// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DestinationProxy} from "../../proxies/DestinationProxy.sol";
import {CallerPayer} from "../CallerPayer.sol";

/// @title Proxy of a protocol that pays its caller
contract RedeemProxy is DestinationProxy {
    error NativeNotFromTarget(address sender);

    CallerPayer public immutable TARGET;

    constructor(CallerPayer target) DestinationProxy(target.INPUT(), target.OUTPUT(), address(target)) {
        TARGET = target;
    }

    receive() external payable {
        if (msg.sender != address(TARGET)) revert NativeNotFromTarget(msg.sender);
    }

    /// @inheritdoc DestinationProxy
    function _act(uint256 amountIn, address recipient) internal override withApproval(amountIn) {
        uint256 rest = _outputOf(address(this));
        TARGET.redeem(amountIn);
        _forward(outputToken, rest, recipient);
    }
}
