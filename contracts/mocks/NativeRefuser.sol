// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title Contract wallet that accepts every signature and rejects native currency
contract NativeRefuser is IERC1271 {
    /// @notice Native currency is rejected.
    error Refused(uint256 amount);

    receive() external payable {
        revert Refused(msg.value);
    }

    fallback() external payable {
        revert Refused(msg.value);
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32, bytes calldata) external pure override returns (bytes4) {
        return IERC1271.isValidSignature.selector;
    }
}
