// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {AttestationVerifier} from "@crosscall/contracts/attestation/AttestationVerifier.sol";
import {PushExecutor} from "@crosscall/contracts/executor/PushExecutor.sol";
import {IDestinationProxy} from "@crosscall/contracts/interfaces/IDestinationProxy.sol";
import {IWrappedNative} from "@crosscall/contracts/interfaces/IWrappedNative.sol";
import {AaveV3Proxy} from "@crosscall/contracts/proxies/AaveV3Proxy.sol";
import {CompoundV3Proxy} from "@crosscall/contracts/proxies/CompoundV3Proxy.sol";
import {Erc4626Proxy} from "@crosscall/contracts/proxies/Erc4626Proxy.sol";
import {UniswapV3Proxy} from "@crosscall/contracts/proxies/UniswapV3Proxy.sol";
import {WrappedNativeProxy} from "@crosscall/contracts/proxies/WrappedNativeProxy.sol";
import {RequestReceiver} from "@crosscall/contracts/receiver/RequestReceiver.sol";

/// @title Deploys typed proxies, and imports the other deployable contracts
contract ProxyFactory {
    function deploy(IERC4626 vault, IWrappedNative wrappedNative) external returns (IDestinationProxy[2] memory) {
        return [
            IDestinationProxy(new Erc4626Proxy(vault, wrappedNative)),
            IDestinationProxy(new WrappedNativeProxy(wrappedNative))
        ];
    }
}
