// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SignatureGas} from "../../../contracts/mocks/SignatureGas.sol";
import {LiveRequest} from "../support/LiveRequest.sol";
import {Requests} from "../support/Requests.sol";

/// @dev The figures beside those of the peers: `npm run bench:signature`.
contract RequestSignatureGasTest is Requests {
    SignatureGas internal meter = new SignatureGas(vm.addr(KEY));
    bytes internal signature = sign(LiveRequest.request(), KEY);

    function test_RequireSigned_WhenMeasured_CostsAtMost3500() public view {
        eq(meter.ofLibrary(LiveRequest.request(), signature) <= 3_500, true, "within the bar");
    }

    function test_RequireSigned_WhenCompact_CostsAtMost3600() public view {
        eq(meter.ofLibrary(LiveRequest.request(), signCompact(LiveRequest.request(), KEY)) <= 3_600, true, "within");
    }

    function test_RequireSigned_WhenMeasured_CostsLessThanThePeers() public view {
        uint256 used = meter.ofLibrary(LiveRequest.request(), signature);
        eq(used < meter.ofOpenZeppelin(LiveRequest.request(), signature), true, "OpenZeppelin");
        eq(used < meter.ofOpenZeppelinCalldata(LiveRequest.request(), signature), true, "OpenZeppelin, calldata");
        eq(used < meter.ofSolady(LiveRequest.request(), signature), true, "Solady");
        eq(used < meter.ofSoladyCalldata(LiveRequest.request(), signature), true, "Solady, calldata");
        eq(used < meter.ofSoladyChecker(LiveRequest.request(), signature), true, "Solady, with ERC-1271");
    }
}
