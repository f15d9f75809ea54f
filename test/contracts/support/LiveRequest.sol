// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {Vm} from "./Vm.sol";

/// @title A request from the live service with its signature, which the TypeScript tests also read
library LiveRequest {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function solver() internal view returns (address) {
        return vm.parseJsonAddress(json(), ".signer");
    }

    function user() internal view returns (address) {
        return vm.parseJsonAddress(json(), ".requestData.originUser");
    }

    function request() internal view returns (RequestSignature.Request memory) {
        string memory text = json();
        return RequestSignature.Request({
            requestId: vm.parseJsonBytes32(text, ".requestId"),
            originChainId: vm.parseJsonUint(text, ".requestData.originChainId"),
            originUser: addressWord(text, ".requestData.originUser"),
            originCurrency: addressWord(text, ".requestData.originCurrency"),
            originAmount: vm.parseJsonUint(text, ".requestData.originAmount"),
            destinationChainId: vm.parseJsonUint(text, ".requestData.destinationChainId"),
            destinationUser: addressWord(text, ".requestData.destinationUser")
        });
    }

    function signature() internal view returns (bytes memory) {
        return vm.parseJsonBytes(json(), ".signature");
    }

    function addressWord(string memory text, string memory path) private pure returns (bytes32) {
        return bytes32(uint256(uint160(vm.parseJsonAddress(text, path))));
    }

    function json() private view returns (string memory) {
        return vm.readFile("test/vectors/request-signature.json");
    }
}
