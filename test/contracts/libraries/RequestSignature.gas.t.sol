// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {FillGas} from "../../../contracts/mocks/harness/FillGas.sol";
import {SignatureGas} from "../../../contracts/mocks/harness/SignatureGas.sol";
import {LiveRequest} from "../support/LiveRequest.sol";
import {Requests} from "../support/Requests.sol";

/// @title Gas of a signature check inside a contract
/// @dev For the figures of other libraries, run `npm run bench:signature`.
contract RequestSignatureGasTest is Requests {
    string internal constant GROUP = "RequestSignature";

    SignatureGas internal meter = SignatureGas(deployCode("SignatureGas", abi.encode(vm.addr(KEY))));
    FillGas internal fillMeter = FillGas(deployCode("FillGas", abi.encode(vm.addr(KEY))));
    bytes internal signature = sign(LiveRequest.request(), KEY);

    function test_RequireSigned_WhenSolverIsAKey_Gas() public {
        vm.snapshotValue(GROUP, "requireSigned, 65 bytes", meter.ofLibrary(LiveRequest.request(), signature));
        bytes memory compact = signCompact(LiveRequest.request(), KEY);
        vm.snapshotValue(GROUP, "requireSigned, 64 bytes", meter.ofLibrary(LiveRequest.request(), compact));
    }

    function test_RequireSigned_WhenSolverIsAWallet_Gas() public {
        meter = SignatureGas(deployCode("SignatureGas", abi.encode(deployCode("Wallet1271", abi.encode(vm.addr(KEY))))));
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

    function test_RequireSigned_WhenContractPaysAFill_Gas() public {
        vm.snapshotValue(
            GROUP, "requireSigned of a fill, 65 bytes", fillMeter.ofLibrary(fill(), address(1), signFill())
        );
    }

    function test_RequireSigned_WhenContractPaysAFill_CostsLessThanThePackedWords() public view {
        uint256 used = fillMeter.ofLibrary(fill(), address(1), signFill());
        assertLt(used, fillMeter.ofPackedWords(fill(), address(1), signFill()), "packed, with Solady");
    }

    function fill() private pure returns (RequestSignature.Fill memory) {
        return RequestSignature.Fill(keccak256("request"), 792703809, keccak256("user"), keccak256("currency"));
    }

    function signFill() private view returns (bytes memory) {
        RequestSignature.Fill memory paid = fill();
        return sign(
            RequestSignature.RequestV2({
                requestId: paid.requestId,
                originChainId: block.chainid,
                originUser: word(address(fillMeter)),
                originCurrency: word(address(1)),
                destinationChainId: paid.destinationChainId,
                destinationUser: paid.destinationUser,
                destinationCurrency: paid.destinationCurrency
            }),
            KEY
        );
    }
}
