// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LocalDollar} from "../localnet/tokens/LocalDollar.sol";

/// @title Protocol that takes an amount of one currency and gives as much of its own token
/// @notice Accepts every function. Its token has the same balances as the amounts that it took.
contract ProtocolStandIn is LocalDollar {
    using SafeERC20 for IERC20;

    IERC20 private immutable _input;
    uint256 private immutable _offset;
    address private immutable _recipient;

    /// @param input The token that it takes; the zero address for native currency.
    /// @param offset Position of the amount in the call data; zero to use the tokens that it holds.
    /// @param recipient Recipient of its token; the zero address for the caller.
    constructor(IERC20 input, uint256 offset, address recipient) {
        (_input, _offset, _recipient) = (input, offset, recipient);
    }

    receive() external payable {
        _take(msg.value);
    }

    fallback() external payable {
        if (address(_input) == address(0)) {
            _take(msg.value);
        } else if (_offset == 0) {
            _take(_input.balanceOf(address(this)));
        } else {
            uint256 amount = uint256(bytes32(msg.data[_offset:]));
            _input.safeTransferFrom(msg.sender, address(this), amount);
            _take(amount);
        }
    }

    function _take(uint256 amount) private {
        _mint(_recipient == address(0) ? msg.sender : _recipient, amount);
    }
}
