// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title Contract wallet that accepts every signature and calls back when it is paid in native
contract NativeReenterer is IERC1271 {
    bytes private _data;

    /// @notice Sets the call data. The call goes to whoever pays, and its revert data is passed on.
    function arm(bytes calldata data) external {
        _data = data;
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32, bytes calldata) external pure override returns (bytes4) {
        return IERC1271.isValidSignature.selector;
    }

    receive() external payable {}

    fallback() external payable {
        Address.functionCall(msg.sender, _data);
    }
}
