// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DeniedSelectors} from "../../../../contracts/libraries/DeniedSelectors.sol";

contract Proof {
    function bitmapMissesNoSelector(bytes4 selector) external pure {
        assert(DeniedSelectors.includes(selector) == DeniedSelectors._isListed(selector));
    }
}
