// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Functions by which a holder of tokens moves them, or lets others move them
/// @notice A contract that makes any call for anyone must not make these: a stranger's call would stand, or pay, at the
/// next caller's cost.
library DeniedSelectors {
    /// @notice Whether a function is one of them.
    function includes(bytes4 selector) internal pure returns (bool) {
        // ERC-20, and ERC-721 where the names are the same.
        if (selector == bytes4(keccak256("transfer(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("transferFrom(address,address,uint256)"))) return true;
        if (selector == bytes4(keccak256("approve(address,uint256)"))) return true;
        // Its additions in widely held tokens.
        if (selector == bytes4(keccak256("approve(address)"))) return true;
        if (selector == bytes4(keccak256("increaseAllowance(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("increaseApproval(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("allow(address,bool)"))) return true;
        // ERC-1363 and ERC-677.
        if (selector == bytes4(keccak256("approveAndCall(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("approveAndCall(address,uint256,bytes)"))) return true;
        if (selector == bytes4(keccak256("transferAndCall(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("transferAndCall(address,uint256,bytes)"))) return true;
        // ERC-777, ERC-721 and ERC-1155.
        if (selector == bytes4(keccak256("authorizeOperator(address)"))) return true;
        if (selector == bytes4(keccak256("send(address,uint256,bytes)"))) return true;
        return selector == bytes4(keccak256("setApprovalForAll(address,bool)"));
    }
}
