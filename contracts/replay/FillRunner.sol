// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Simulates a fill with many amounts in one `eth_call`
/// @notice Never deployed. State overrides of one `eth_call` put this code at the solver's address and fund the solver,
/// so that the router sees its usual caller. Every try is reverted before the next one, so each starts with the block's
/// state and cold accesses.
/// @dev The gas of a try differs from a transaction's: there is no intrinsic gas and no refund, and the delivery has
/// already written to the token. Without `isDelivered`, this difference is the same for every amount. Warning: the
/// solver's account has code here, unlike in a transaction.
contract FillRunner {
    /// @param router The called router.
    /// @param currency Delivered currency; the zero address is native currency, sent as value.
    /// @param value Native value of the call if a token is delivered, in wei.
    /// @param isDelivered Whether the router already has the amount.
    /// @param gasLimit Exact gas of each call to the router.
    /// @param callData Call data for the router.
    /// @param recipient Account with the compared balances.
    /// @param outputs Currencies to compare; the zero address is native currency.
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

    /// @param success Whether the call to the router succeeded.
    /// @param delivered The router's balance of the currency before the call.
    /// @param gasUsed Gas of the call to the router, including the CALL instruction.
    /// @param revertData Revert data of the call, up to 4,096 bytes; empty on success.
    /// @param received The recipient's balance change of each output.
    struct Outcome {
        bool success;
        uint256 delivered;
        uint256 gasUsed;
        bytes revertData;
        int256[] received;
    }

    uint256 private constant REVERT_DATA_MAX = 4_096;

    /// @dev Gas that a try needs in addition to the router's.
    uint256 private constant RESERVED_GAS = 500_000;

    /// @dev More gas than `balanceOf` of any token needs, because other contracts can burn all of it.
    uint256 private constant BALANCE_GAS = 500_000;

    /// @notice Accepts any call and value, as an account without code does.
    fallback() external payable {}

    receive() external payable {}

    /// @notice Tries the fill with each amount.
    /// @param fill The fill.
    /// @param amounts Delivered amounts to try, in the smallest unit.
    /// @return outcomes One per amount, in order; fewer if the gas is insufficient.
    function tryAmounts(Fill calldata fill, uint256[] calldata amounts) external returns (Outcome[] memory outcomes) {
        uint256[] memory balances = _readBalances(fill.recipient, fill.outputs);
        outcomes = new Outcome[](amounts.length);
        for (uint256 i = 0; i < amounts.length; ++i) {
            try this.tryAmount(fill, amounts[i], balances) {}
            catch (bytes memory revertData) {
                if (revertData.length == 0) {
                    // Same as: outcomes.length = i
                    assembly ("memory-safe") {
                        mstore(outcomes, i)
                    }
                    break;
                }
                outcomes[i] = abi.decode(revertData, (Outcome));
            }
        }
    }

    /// @notice Tries the fill with one amount. Always reverts: with the outcome, or without data if the gas is too low.
    /// @param fill The fill.
    /// @param amount Delivered amount, in the smallest unit.
    /// @param balances The recipient's initial balance of each output.
    function tryAmount(Fill calldata fill, uint256 amount, uint256[] calldata balances) external {
        bool isNative = fill.currency == address(0);
        Outcome memory outcome;
        if (!isNative && !fill.isDelivered) {
            // Ignores the return data, because some tokens return nothing. The router's balance shows the delivery.
            bytes memory transfer = abi.encodeWithSignature("transfer(address,uint256)", fill.router, amount);
            // solhint-disable-next-line avoid-low-level-calls
            (bool isSent,) = fill.currency.call(transfer);
            // Ends the try.
            if (!isSent) _revertWith(outcome);
        }
        // Warms the router's account, which is warm in a transaction too.
        outcome.delivered = fill.router.balance + amount;
        if (!isNative) outcome.delivered = _readBalance(fill.router, fill.currency);
        bytes memory callData = fill.callData;
        // With less gas than the limit, the call could fail only because of that.
        if (gasleft() < fill.gasLimit + fill.gasLimit / 63 + RESERVED_GAS) _revertEmpty();
        (outcome.success, outcome.gasUsed) = _call(fill.router, fill.gasLimit, isNative ? amount : fill.value, callData);
        if (!outcome.success) outcome.revertData = _returned();

        outcome.received = new int256[](balances.length);
        for (uint256 i = 0; i < balances.length; ++i) {
            // Balances are far below 2^255, so their difference fits.
            unchecked {
                outcome.received[i] = int256(_balanceOf(fill.outputs[i], fill.recipient) - balances[i]);
            }
        }
        _revertWith(outcome);
    }

    /// @notice Reverts with the holder's balance of each currency.
    /// @param holder Account with the balances.
    /// @param currencies Currencies to read; the zero address is native currency.
    function revertWithBalances(address holder, address[] calldata currencies) external view {
        uint256[] memory balances = new uint256[](currencies.length);
        for (uint256 i = 0; i < currencies.length; ++i) {
            balances[i] = _balanceOf(currencies[i], holder);
        }
        _revert(abi.encode(balances));
    }

    function _readBalance(address holder, address currency) private view returns (uint256) {
        address[] memory currencies = new address[](1);
        currencies[0] = currency;
        return _readBalances(holder, currencies)[0];
    }

    /// @dev Reads balances in a call that reverts, so that the fill's accesses stay cold.
    function _readBalances(address holder, address[] memory currencies) private view returns (uint256[] memory) {
        try this.revertWithBalances(holder, currencies) {
            return new uint256[](0);
        } catch (bytes memory revertData) {
            return abi.decode(revertData, (uint256[]));
        }
    }

    function _call(address target, uint256 gasLimit, uint256 value, bytes memory data)
        private
        returns (bool success, uint256 used)
    {
        // Solidity would copy the return data, and the measured gas would include the copy. The target chooses its
        // size. Same as: (success, ) = target.call{gas: gasLimit, value: value}(data)
        assembly ("memory-safe") {
            let start := add(data, 32)
            let size := mload(data)
            let before := gas()
            success := call(gasLimit, target, value, start, size, 0, 0)
            used := sub(before, gas())
        }
    }

    /// @dev Return data of the last call.
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

    /// @dev Zero if the balance cannot be read, for example because the address is not a token.
    function _balanceOf(address currency, address holder) private view returns (uint256 amount) {
        if (currency == address(0)) return holder.balance;
        (bool success, bytes memory answer) =
            currency.staticcall{gas: BALANCE_GAS}(abi.encodeWithSignature("balanceOf(address)", holder));
        if (success && answer.length > 31) amount = abi.decode(answer, (uint256));
    }

    function _revertWith(Outcome memory outcome) private pure {
        _revert(abi.encode(outcome));
    }

    function _revertEmpty() private pure {
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
