// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DestinationProxy} from "@crosscall/contracts/proxies/DestinationProxy.sol";
import {ExitDesk} from "./ExitDesk.sol";

/// @title Integrator's own proxy for a protocol that pays its caller in native currency
contract ExitProxy is DestinationProxy {
    error NativeNotFromDesk(address sender);

    ExitDesk public immutable desk;

    constructor(ExitDesk desk_) DestinationProxy(desk_.token(), IERC20(address(0)), address(desk_)) {
        desk = desk_;
    }

    receive() external payable {
        if (msg.sender != address(desk)) revert NativeNotFromDesk(msg.sender);
    }

    /// @inheritdoc DestinationProxy
    function _act(uint256 amountIn, address recipient) internal override withApproval(amountIn) {
        uint256 rest = _outputOf(address(this));
        desk.exit(amountIn);
        _forward(outputToken, rest, recipient);
    }
}
