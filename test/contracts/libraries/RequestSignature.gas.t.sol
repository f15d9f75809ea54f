// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SignatureGas} from "../../../contracts/mocks/harness/SignatureGas.sol";
import {LiveRequest} from "../support/LiveRequest.sol";
import {Requests} from "../support/Requests.sol";

/// @title Gas of a signature check inside a contract
/// @dev For the figures of other libraries, run `npm run bench:signature`.
contract RequestSignatureGasTest is Requests {
    string internal constant GROUP = "RequestSignature";

    SignatureGas internal meter = SignatureGas(deployCode("SignatureGas", abi.encode(vm.addr(KEY))));
    bytes internal signature = sign(LiveRequest.request(), KEY);

    function test_RequireSigned_WhenSolverIsAKey_Gas() public {
        vm.snapshotValue(GROUP, "requireSigned, 65 bytes", meter.ofLibrary(LiveRequest.request(), signature));
        bytes memory compact = signCompact(LiveRequest.request(), KEY);
        vm.snapshotValue(GROUP, "requireSigned, 64 bytes", meter.ofLibrary(LiveRequest.request(), compact));
    }

    function test_RequireSigned_WhenSolverIsAWallet_Gas() public {
        meter = SignatureGas(
            deployCode("SignatureGas", abi.encode(deployCode("Wallet1271", abi.encode(vm.addr(KEY)))))
        );
        vm.snapshotValue(GROUP, "requireSigned, wallet contract", meter.ofLibrary(LiveRequest.request(), signature));
    }

    function test_RequireSigned_WhenMeasured_CostsAtMost3500() public view {
        assertLe(meter.ofLibrary(LiveRequest.request(), signature), 3_500, "within the bar");
    }

    function test_RequireSigned_WhenMeasured_CostsLessThanThePeers() public view {
        uint256 used = meter.ofLibrary(LiveRequest.request(), signature);
        assertLt(used, meter.ofOpenZeppelin(LiveRequest.request(), signature), "OpenZeppelin");
        assertLt(used, meter.ofOpenZeppelinCalldata(LiveRequest.request(), signature), "OpenZeppelin, calldata");
        assertLt(used, meter.ofSolady(LiveRequest.request(), signature), "Solady");
        assertLt(used, meter.ofSoladyCalldata(LiveRequest.request(), signature), "Solady, calldata");
        assertLt(used, meter.ofSoladyChecker(LiveRequest.request(), signature), "Solady, with ERC-1271");
    }
}
