// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IAttestationVerifier} from "../../../contracts/interfaces/IAttestationVerifier.sol";
import {AttestationTest} from "./AttestationTest.sol";

/// @title Signs executions as oracles and strangers, and submits any combination of signatures to a verifier
/// @dev The last of the four keys does not belong to an oracle. A verification may fail, but `submit` never reverts.
contract AttestationHandler is AttestationTest {
    uint256 internal constant EXECUTIONS = 4;
    uint256 internal constant KEYS = 4;

    mapping(uint256 execution => mapping(uint256 key => bool)) public hasSigned;
    mapping(uint256 execution => uint256) public passed;

    constructor() {
        setUp();
    }

    /// @dev Signs an execution as an oracle or a stranger.
    function sign(uint256 order, uint256 key) external {
        hasSigned[order % EXECUTIONS][key % KEYS] = true;
    }

    /// @dev Submits two or three existing signatures, some for another execution and some with a wrong signer.
    function submit(uint256 order, uint256[3] calldata picks, bool isThree, bool isSorted) external {
        order = order % EXECUTIONS;
        IAttestationVerifier.OracleSignature[] memory list = new IAttestationVerifier.OracleSignature[](isThree ? 3 : 2);
        for (uint256 i = 0; i < list.length; ++i) {
            list[i] = _pick(order, picks[i]);
        }
        if (isSorted) _sort(list);
        try verifier.verify(execution(bytes32(order), 1 + order), list) returns (bytes32) {
            ++passed[order];
        } catch {
            return;
        }
    }

    function exposed() external view returns (IAttestationVerifier) {
        return verifier;
    }

    /// @dev Returns the number of oracles that signed an execution.
    function support(uint256 order) external view returns (uint256 count) {
        for (uint256 key = 0; key < 3; ++key) {
            if (hasSigned[order][key]) ++count;
        }
    }

    /// @dev Maps a random number to a signature, usually a correct signature if one exists.
    function _pick(uint256 order, uint256 pick) private view returns (IAttestationVerifier.OracleSignature memory) {
        uint256 key = pick % KEYS;
        uint256 of_ = pick % 16 == 0 ? (pick >> 8) % EXECUTIONS : order;
        address name = pick % 32 == 1 ? vm.addr(_keyAt((pick >> 16) % KEYS)) : vm.addr(_keyAt(key));
        if (!hasSigned[of_][key]) return IAttestationVerifier.OracleSignature(name, "");
        bytes memory signature = signed(execution(bytes32(of_), 1 + of_), _keyAt(key)).signature;
        return IAttestationVerifier.OracleSignature(name, signature);
    }

    function _keyAt(uint256 index) private view returns (uint256) {
        return index == 3 ? STRANGER_KEY : keys[index];
    }

    function _sort(IAttestationVerifier.OracleSignature[] memory list) private pure {
        for (uint256 i = 0; i < list.length; ++i) {
            for (uint256 j = i + 1; j < list.length; ++j) {
                if (list[j].signer < list[i].signer) (list[i], list[j]) = (list[j], list[i]);
            }
        }
    }
}
