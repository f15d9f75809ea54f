// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";

/// @title A request of the live service with its signature, as in test/vectors/request-signature.json
library LiveRequest {
    address internal constant SOLVER = 0xf70da97812CB96acDF810712Aa562db8dfA3dbEF;
    address internal constant USER = 0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e;

    function request() internal pure returns (RequestSignature.Request memory) {
        return
            RequestSignature.Request({
                requestId: 0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a,
                originChainId: 1,
                originUser: bytes32(uint256(uint160(USER))),
                originCurrency: bytes32(0),
                originAmount: 700000000000000000,
                destinationChainId: 7777777,
                destinationUser: bytes32(uint256(uint160(USER)))
            });
    }

    function signature() internal pure returns (bytes memory) {
        return
            hex"4c320680bbb7f4d46892cd93eddf04884d997c8a3dbd8af20ca502e6bf5323a0"
            hex"7bb467f97e290dfd53350683ea494e4fcb02a445ac129d1741a81c12eed066a1"
            hex"1b";
    }
}
