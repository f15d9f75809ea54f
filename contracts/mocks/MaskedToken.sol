// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Token that stores each balance with its own mask
/// @notice The storage does not reveal a balance without its mask.
contract MaskedToken {
    mapping(address holder => uint256 masked) private _masked;

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _set(to, balanceOf(to) + amount);
    }

    /// @notice Transfers tokens.
    function transfer(address to, uint256 amount) external returns (bool) {
        _set(msg.sender, balanceOf(msg.sender) - amount);
        _set(to, balanceOf(to) + amount);
        return true;
    }

    /// @notice Balance of a holder.
    function balanceOf(address holder) public view returns (uint256) {
        uint256 masked = _masked[holder];
        return masked == 0 ? 0 : masked ^ _maskOf(holder);
    }

    function _set(address holder, uint256 balance) private {
        _masked[holder] = balance ^ _maskOf(holder);
    }

    function _maskOf(address holder) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(holder)));
    }
}
