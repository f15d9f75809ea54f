// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// @title Target of calls that records, fails or calls back
/// @notice Rejects native currency without call data.
contract Target {
    /// @notice `record` was called.
    event Recorded(address caller, uint256 value, uint256 argument);

    /// @notice `fail` was called.
    error Failed(address caller, uint256 argument);

    /// @notice Emits an event and returns twice the argument, modulo 2^256.
    function record(uint256 argument) external payable returns (uint256) {
        emit Recorded(msg.sender, msg.value, argument);
        // Wraps intentionally, so that every argument can be recorded.
        unchecked {
            return 2 * argument;
        }
    }

    /// @notice Calls its caller, and bubbles return or revert data.
    function relay(address to, bytes calldata data) external payable returns (bytes memory) {
        return Address.functionCallWithValue(to, data, msg.value);
    }

    /// @notice Sends native currency to the caller.
    function give(uint256 amount) external {
        Address.sendValue(payable(msg.sender), amount);
    }

    /// @notice Reverts with an error.
    function fail(uint256 argument) external payable {
        revert Failed(msg.sender, argument);
    }

    /// @notice Reverts with the data that another contract returns.
    function failLike(address to) external view {
        bytes memory answer = Address.functionStaticCall(to, "");
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }

    /// @notice Uses at least 2,600 gas per iteration, with reads of cold accounts.
    function work(uint256 turns) external view returns (bytes32 hash) {
        assembly ("memory-safe") {
            for {
                let turn := 0
            } lt(turn, turns) {
                turn := add(turn, 1)
            } {
                hash := xor(hash, balance(not(turn)))
            }
        }
    }

    /// @notice Reverts early if less gas remains.
    function needGas(uint256 amount) external view {
        if (gasleft() < amount) revert Failed(msg.sender, amount);
    }

    /// @notice Reverts without data.
    function failSilently() external pure {
        // solhint-disable-next-line reason-string, gas-custom-errors
        revert();
    }
}
