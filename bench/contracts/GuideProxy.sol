// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title The proxy that an integrator writes from the service's guide, with OpenZeppelin's libraries
/// @notice A peer of the gas benchmark. It does only what the guide describes: it reads the live balance of its caller,
/// transfers it in and deposits it. It has no state, and so no reentrancy guard.
/// @dev Warning: for comparison only. It has no minimums and no deadline, and does not support fee-on-transfer tokens.
contract GuideProxy {
    using SafeERC20 for IERC20;

    IERC20 private immutable _asset;
    IERC4626 private immutable _vault;

    constructor(IERC4626 vault) {
        _asset = IERC20(vault.asset());
        _vault = vault;
    }

    /// @notice Deposits the caller's whole balance for a recipient.
    function depositAll(address recipient) external {
        uint256 amount = _asset.balanceOf(msg.sender);
        _asset.safeTransferFrom(msg.sender, address(this), amount);
        _asset.forceApprove(address(_vault), amount);
        _vault.deposit(amount, recipient);
    }
}
