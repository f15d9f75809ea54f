// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title Contract wallet with one owner
contract Wallet1271 is IERC1271 {
    address private immutable _owner;

    constructor(address owner) {
        _owner = owner;
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata signature) external view override returns (bytes4) {
        (address signer,,) = ECDSA.tryRecoverCalldata(hash, signature);
        return signer == _owner ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
