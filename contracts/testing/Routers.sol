// SPDX-License-Identifier: MIT
// Generated from the router generations by `npm run generate`.
pragma solidity ^0.8.20;

/// @title The service's routers on most EVM chains, by version
library Routers {
    address internal constant V3_0 = 0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f;
    address internal constant V3_2 = 0x0729E2a4716d9f7dD17858d5d504426D228697f7;

    /// @notice The router that the service uses.
    address internal constant CURRENT = V3_2;
}
