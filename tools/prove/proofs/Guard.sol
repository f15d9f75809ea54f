// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentryGuard} from "../../../contracts/libraries/ReentryGuard.sol";

/// @dev Can call back any function, any number of times.
interface Unknown {
    function run() external;
}

contract Proof is ReentryGuard {
    uint256 private _running;

    function first(Unknown target) external nonReentrant {
        assert(_running == 0);
        ++_running;
        target.run();
        assert(_running == 1);
        --_running;
    }

    function second(Unknown target, Unknown other) external nonReentrant {
        assert(_running == 0);
        ++_running;
        target.run();
        other.run();
        assert(_running == 1);
        --_running;
    }

    function unguarded(Unknown target) external {
        target.run();
    }
}
