// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {ReceiverHandler} from "../support/ReceiverHandler.sol";
import {Test} from "../support/Test.sol";

/// @dev To run this file alone, pass the handler's file too, because the runner knows only the contracts in the given
/// files.
contract RequestReceiverInvariantTest is Test {
    uint256 internal constant REQUESTS = 12;

    ReceiverHandler internal handler;

    function setUp() public {
        vm.chainId(1);
        vm.warp(1_000);
        handler = new ReceiverHandler();
    }

    /// @dev Limits the invariant runner to the handler.
    function targetContracts() external view returns (address[] memory) {
        return addresses(address(handler));
    }

    function invariant_Receiver_PaysEachRequestAtMostOnce() public view {
        for (uint256 i = 0; i < REQUESTS; ++i) {
            uint256 payments = handler.payments(i);
            assertLe(payments, 1, "at most once");
            assertEq(handler.receiver().paid(handler.requestOf(i).requestId), payments == 1, "remembered");
        }
        assertEq(handler.paidInAPayment(), 0, "re-entered");
    }

    function invariant_Receiver_DeliversTheSignedAmount() public view {
        for (uint256 i = 0; i < REQUESTS; ++i) {
            RequestSignature.Request memory request = handler.requestOf(i);
            assertEq(handler.delivered(i), handler.payments(i) * request.originAmount, "delivered");
        }
    }

    function invariant_Receiver_HoldsNothingOfAPayment() public view {
        for (uint256 i = 0; i < 3; ++i) {
            address currency = handler.currencyOf(i);
            address receiver = address(handler.receiver());
            assertEq(handler.balanceOf(currency, receiver), handler.given(currency), "held");
            if (currency == address(0)) continue;
            assertEq(IERC20(currency).allowance(receiver, address(handler.depository())), 0, "left approved");
        }
    }

    /// @dev Proves that the handler's actions have effects: each payment method pays, and the hostile ones are
    /// rejected.
    function test_Handler_WhenActsAreHonest_Pays() public {
        for (uint256 i = 0; i < REQUESTS; ++i) {
            bool isNative = handler.currencyOf(i) == address(0);
            handler.armToken(i, true);
            handler.pay(i, attempt(isNative ? 0 : 1 + (i % 3), i % 4 < 2));
            assertEq(handler.payments(i), 1, "paid");
            handler.pay(i, attempt(isNative ? 0 : 1 + (i % 3), i % 4 >= 2));
            assertEq(handler.payments(i), 1, "paid again");
        }
    }

    function attempt(uint256 way, bool deposits) private pure returns (ReceiverHandler.Attempt memory) {
        return ReceiverHandler.Attempt(way, deposits, deposits, false, false, 1, 1);
    }
}
