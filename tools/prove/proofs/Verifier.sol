// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AttestationVerifier} from "../../../contracts/attestation/AttestationVerifier.sol";

/// @dev The assertions are in `verify`. `_watched` is any account, and the signers are any accounts.
contract Proof is AttestationVerifier {
    constructor(address[] memory signers_, uint256 threshold_, address oracle, address watched)
        AttestationVerifier(signers_, threshold_, "2", 1, oracle)
    {
        _watched = watched;
    }

    function setSigner(address account, bool isOne) external {
        isSigner[account] = isOne;
    }
}
