// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title A proxy written from the service's guide, with OpenZeppelin's libraries
/// @notice An approach of the gas benchmark. It only does what the guide describes: it reads its caller's balance,
/// pulls it and deposits it. It needs no reentrancy guard, because it has no state.
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
