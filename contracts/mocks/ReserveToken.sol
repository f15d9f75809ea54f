// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IAaveV3Pool} from "../interfaces/external/IAaveV3Pool.sol";
import {IAaveV3Token} from "../interfaces/external/IAaveV3Token.sol";

/// @title Token of an Aave reserve that anyone can mint and burn
contract ReserveToken is ERC20, IAaveV3Token {
    /// @inheritdoc IAaveV3Token
    // solhint-disable-next-line var-name-mixedcase
    IAaveV3Pool public immutable override POOL;

    /// @inheritdoc IAaveV3Token
    // solhint-disable-next-line var-name-mixedcase
    address public immutable override UNDERLYING_ASSET_ADDRESS;

    constructor(IAaveV3Pool pool, address asset) ERC20("Reserve Token", "RES") {
        POOL = pool;
        UNDERLYING_ASSET_ADDRESS = asset;
    }

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @notice Burns tokens of any holder.
    function burn(address from, uint256 amount) external {
        _burn(from, amount);
    }
}
