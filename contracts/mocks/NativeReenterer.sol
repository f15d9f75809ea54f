// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title Contract wallet that accepts every signature and calls back when it receives native currency
contract NativeReenterer is IERC1271 {
    bytes private _data;

    /// @notice Sets the data of the call to the payer, and bubbles its reverts.
    function arm(bytes calldata data) external {
        _data = data;
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32, bytes calldata) external pure override returns (bytes4) {
        return IERC1271.isValidSignature.selector;
    }

    receive() external payable {
        if (_data.length != 0) Address.functionCall(msg.sender, _data);
    }

    fallback() external payable {
        Address.functionCall(msg.sender, _data);
    }
}
