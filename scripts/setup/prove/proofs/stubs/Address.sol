// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The target may do anything.
library Address {
    function functionCall(address target, bytes memory data) internal returns (bytes memory) {
        (bool success, bytes memory returnData) = target.call(data);
        require(success);
        return returnData;
    }
}
