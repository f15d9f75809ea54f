// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Tries a fill with many amounts, in one call of a node
/// @notice Is never deployed. For the length of one `eth_call`, state overrides put this code at the solver's address
/// and give the solver what it is to deliver, so that the router is called by whom it would be called. Every try is
/// undone before the next one: it begins with the state of the block, and with nothing of it read yet.
/// @dev What a try costs differs from what a transaction costs: there is no intrinsic gas and no refund, and a delivery
/// has written to the token before. Without `isDelivered` that is a difference which is the same for every amount.
/// Warning: an account whose code is looked at has code here, where the solver has none.
contract FillRunner {
    /// @param router Is called.
    /// @param currency What is delivered to the router; the zero address is native, and goes along with the call.
    /// @param value Native that goes along with the call where a token is delivered, in wei.
    /// @param isDelivered Whether the router has the amount already.
    /// @param gasLimit Gas that each call of the router gets, no more and no less.
    /// @param callData The call of the router.
    /// @param recipient Whose balances are compared.
    /// @param outputs The currencies that are compared; the zero address is native.
    struct Fill {
        address router;
        address currency;
        uint256 value;
        bool isDelivered;
        uint256 gasLimit;
        bytes callData;
        address recipient;
        address[] outputs;
    }

    /// @param success Whether the router's call ended without a revert.
    /// @param delivered What the router had of the currency when it was called.
    /// @param gasUsed By the router's call, what the call itself costs included.
    /// @param revertData What it reverted with, cut off after 4,096 bytes; nothing where it succeeded.
    /// @param received How much more the recipient has of each output than before.
    struct Outcome {
        bool success;
        uint256 delivered;
        uint256 gasUsed;
        bytes revertData;
        int256[] received;
    }

    uint256 private constant REVERT_DATA_MAX = 4_096;

    /// @dev What a try needs beside the router's gas.
    uint256 private constant RESERVED_GAS = 500_000;

    /// @dev More than any token takes to tell a balance; what is no token may burn all that it gets.
    uint256 private constant BALANCE_GAS = 500_000;

    /// @notice Takes whatever is sent or asked, as an account without code does.
    fallback() external payable {}

    receive() external payable {}

    /// @notice Tries the fill with each amount.
    /// @param fill What is tried.
    /// @param amounts Delivered to the router, in the smallest unit, one at a time.
    /// @return outcomes One an amount, in their order. They are fewer where the gas does not last for all.
    function tryAmounts(Fill calldata fill, uint256[] calldata amounts) external returns (Outcome[] memory outcomes) {
        uint256[] memory balances = _readBalances(fill.recipient, fill.outputs);
        outcomes = new Outcome[](amounts.length);
        for (uint256 i = 0; i < amounts.length; ++i) {
            try this.tryAmount(fill, amounts[i], balances) {} catch (bytes memory told) {
                if (told.length == 0) {
                    // Same as: outcomes.length = i
                    assembly ("memory-safe") {
                        mstore(outcomes, i)
                    }
                    break;
                }
                outcomes[i] = abi.decode(told, (Outcome));
            }
        }
    }

    /// @notice Tries the fill with one amount, and reverts in any case: with the outcome, or with nothing where there is
    /// too little gas to try.
    /// @param fill What is tried.
    /// @param amount Delivered to the router, in the smallest unit.
    /// @param balances What the recipient has of each output.
    function tryAmount(Fill calldata fill, uint256 amount, uint256[] calldata balances) external {
        bool isNative = fill.currency == address(0);
        Outcome memory outcome;
        if (!isNative && !fill.isDelivered) {
            // Some tokens return nothing: the delivery counts by what the router has of it.
            // solhint-disable-next-line avoid-low-level-calls
            (bool isSent, ) = fill.currency.call(
                abi.encodeWithSignature("transfer(address,uint256)", fill.router, amount)
            );
            // Ends the try.
            if (!isSent) _tell(outcome);
        }
        // Reads the router's account, which is no new one in a transaction to it either.
        outcome.delivered = fill.router.balance + amount;
        if (!isNative) outcome.delivered = _readBalance(fill.router, fill.currency);
        bytes memory callData = fill.callData;
        // A call that got less than its gas could fail for that alone.
        if (gasleft() < fill.gasLimit + fill.gasLimit / 63 + RESERVED_GAS) _tellNothing();
        (outcome.success, outcome.gasUsed) = _call(
            fill.router,
            fill.gasLimit,
            isNative ? amount : fill.value,
            callData
        );
        if (!outcome.success) outcome.revertData = _returned();

        outcome.received = new int256[](balances.length);
        for (uint256 i = 0; i < balances.length; ++i) {
            // Balances are far below 2^255: their difference fits.
            unchecked {
                outcome.received[i] = int256(_balanceOf(fill.outputs[i], fill.recipient) - balances[i]);
            }
        }
        _tell(outcome);
    }

    /// @notice Reverts with what a holder has of each currency.
    /// @param holder Whose balances are read.
    /// @param currencies The zero address is native.
    function tellBalances(address holder, address[] calldata currencies) external view {
        uint256[] memory balances = new uint256[](currencies.length);
        for (uint256 i = 0; i < currencies.length; ++i) balances[i] = _balanceOf(currencies[i], holder);
        _revert(abi.encode(balances));
    }

    function _readBalance(address holder, address currency) private view returns (uint256) {
        address[] memory currencies = new address[](1);
        currencies[0] = currency;
        return _readBalances(holder, currencies)[0];
    }

    /// @dev By a call that reverts, so that nothing counts as read when the fill comes to it.
    function _readBalances(address holder, address[] memory currencies) private view returns (uint256[] memory) {
        try this.tellBalances(holder, currencies) {
            return new uint256[](0);
        } catch (bytes memory told) {
            return abi.decode(told, (uint256[]));
        }
    }

    function _call(
        address target,
        uint256 gasLimit,
        uint256 value,
        bytes memory data
    ) private returns (bool success, uint256 used) {
        // Solidity would copy the answer, whose size the target chooses, and count that as gas of the call. Same as:
        // (success, ) = target.call{gas: gasLimit, value: value}(data)
        assembly ("memory-safe") {
            let start := add(data, 32)
            let size := mload(data)
            let before := gas()
            success := call(gasLimit, target, value, start, size, 0, 0)
            used := sub(before, gas())
        }
    }

    /// @dev The answer of the last call.
    function _returned() private pure returns (bytes memory data) {
        uint256 size;
        assembly ("memory-safe") {
            size := returndatasize()
        }
        if (size > REVERT_DATA_MAX) size = REVERT_DATA_MAX;
        data = new bytes(size);
        assembly ("memory-safe") {
            returndatacopy(add(data, 32), 0, size)
        }
    }

    /// @dev Zero where the currency tells none: what is asked about may be no token.
    function _balanceOf(address currency, address holder) private view returns (uint256 amount) {
        if (currency == address(0)) return holder.balance;
        (bool success, bytes memory answer) = currency.staticcall{gas: BALANCE_GAS}(
            abi.encodeWithSignature("balanceOf(address)", holder)
        );
        if (success && answer.length > 31) amount = abi.decode(answer, (uint256));
    }

    function _tell(Outcome memory outcome) private pure {
        _revert(abi.encode(outcome));
    }

    function _tellNothing() private pure {
        assembly ("memory-safe") {
            revert(0, 0)
        }
    }

    function _revert(bytes memory data) private pure {
        assembly ("memory-safe") {
            revert(add(data, 32), mload(data))
        }
    }
}
