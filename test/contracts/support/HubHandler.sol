// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {OracleExecution} from "../../../contracts/libraries/OracleExecution.sol";
import {HubTest} from "./HubTest.sol";

/// @title Submits executions of every kind, with few accounts and keys, and with or without enough signatures
/// @dev Counts the expected effects. An execution may fail, but the handler never reverts.
contract HubHandler is HubTest {
    uint256 internal constant ACCOUNTS = 4;
    uint256 internal constant KEYS = 64;

    uint256 public minted;
    uint256 public burned;
    uint256 public moves;
    /// @dev Whether an execution passed with one oracle's signature, or with the same key used twice.
    bool public isBroken;

    mapping(bytes32 key => bool) internal _used;

    constructor() {
        setUp();
    }

    /// @dev Runs only once, because the runner also calls it.
    function setUp() public override {
        if (address(hub) == address(0)) super.setUp();
    }

    /// @dev Submits one action.
    function submit(uint256 key, uint256 kind, uint256 from, uint256 to, uint96 amount, uint256 signer) external {
        OracleExecution.Execution memory order =
            one(bytes32(key % KEYS), _action(kind % 4, accountAt(from), accountAt(to), amount));
        bool isSigned = signer % 4 != 0;
        try hub.execute(
            order, isSigned ? signedByTwo(order) : both(signed(order, keys[0]), signed(order, STRANGER_KEY))
        ) {
            if (!isSigned || _used[order.idempotencyKey]) {
                isBroken = true;
            }
            _used[order.idempotencyKey] = true;
            if (kind % 4 == 0 || kind % 4 == 3) minted += amount;
            if (kind % 4 == 1) burned += amount;
            if (kind % 4 == 2) ++moves;
        } catch {
            return;
        }
    }

    function accountAt(uint256 index) public pure returns (address) {
        return address(uint160(0xacc0 + (index % ACCOUNTS)));
    }

    function supply() external view returns (uint256 total) {
        for (uint256 i = 0; i < ACCOUNTS; ++i) {
            total += hub.balanceOf(accountAt(i), TOKEN);
        }
    }

    function _action(uint256 kind, address from, address to, uint96 amount) private pure returns (bytes memory) {
        if (kind == 0) return mint(to, TOKEN, amount);
        if (kind == 1) return burn(from, TOKEN, amount);
        return kind == 2 ? move(from, to, TOKEN, amount) : fastMint(to, TOKEN, amount, address(0));
    }
}
