// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SignatureGas} from "../../../contracts/mocks/SignatureGas.sol";
import {LiveRequest} from "../support/LiveRequest.sol";
import {Test} from "../support/Test.sol";

contract RequestSignatureGasTest is Test {
    SignatureGas internal meter = new SignatureGas(LiveRequest.SOLVER);

    function test_RequireSigned_WhenMeasured_CostsAtMost3500() public view {
        uint256 used = meter.ofLibrary(LiveRequest.request(), LiveRequest.signature());
        eq(used <= 3_500, true, "within the bar");
    }

    function test_RequireSigned_WhenMeasured_CostsLessThanOpenZeppelin() public view {
        uint256 used = meter.ofLibrary(LiveRequest.request(), LiveRequest.signature());
        uint256 usual = meter.ofOpenZeppelin(LiveRequest.request(), LiveRequest.signature());
        eq(used < usual, true, "cheaper");
    }
}
