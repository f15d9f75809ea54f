// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IAaveV3Pool} from "./IAaveV3Pool.sol";

/// @title Functions that crosscall calls on a token of an Aave v3 reserve: an aToken, or a debt token
interface IAaveV3Token is IERC20 {
    /// @notice The pool that the token belongs to.
    // solhint-disable-next-line func-name-mixedcase
    function POOL() external view returns (IAaveV3Pool);

    /// @notice The asset of the reserve.
    // solhint-disable-next-line func-name-mixedcase
    function UNDERLYING_ASSET_ADDRESS() external view returns (address);
}
