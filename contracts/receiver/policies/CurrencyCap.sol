// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IRequestPolicy} from "../../interfaces/IRequestPolicy.sol";
import {RequestSignature} from "../../libraries/RequestSignature.sol";

/// @title Accepts requests up to an amount per currency
/// @notice The cap limits each payment, not the sum of payments. The default cap of a currency is zero.
contract CurrencyCap is IRequestPolicy, Ownable2Step {
    /// @notice Maximum payment in a currency. The zero address is the native currency.
    mapping(bytes32 currency => uint256) public capOf;

    /// @notice The cap of a currency was set.
    event CapSet(bytes32 indexed currency, uint256 cap);

    /// @notice The payment exceeds the cap of its currency.
    error AmountAboveCap(bytes32 currency, uint256 amount, uint256 cap);

    constructor(address owner_) Ownable(owner_) {}

    /// @notice Sets the cap of a currency.
    function setCap(bytes32 currency, uint256 cap) external onlyOwner {
        capOf[currency] = cap;
        emit CapSet(currency, cap);
    }

    /// @inheritdoc IRequestPolicy
    function check(RequestSignature.Request calldata request) external view override returns (bytes4 accepted) {
        uint256 cap = capOf[request.originCurrency];
        if (request.originAmount > cap) revert AmountAboveCap(request.originCurrency, request.originAmount, cap);
        return IRequestPolicy.check.selector;
    }
}
