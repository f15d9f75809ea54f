// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "../IERC20.sol";

/// @dev A token may do anything.
library SafeERC20 {
    function safeTransferFrom(IERC20 token, address from, address to, uint256 value) internal {
        require(token.transferFrom(from, to, value));
    }

    function forceApprove(IERC20 token, address spender, uint256 value) internal {
        require(token.approve(spender, value));
    }
}
