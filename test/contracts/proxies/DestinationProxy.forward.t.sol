// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {ForwardTest} from "../support/ForwardTest.sol";

contract DestinationProxyForwardTest is ForwardTest {
    LocalDollar internal euro = LocalDollar(deployCode("LocalDollar"));

    function setUp() public {
        setUpTarget(euro);
    }

    function test_Execute_WhenTokenRejectsZero_ForwardsNothing() public {
        target.pay(0);
        vm.mockCallRevert(address(euro), abi.encodeCall(euro.transfer, (USER, 0)), "no zero");
        fund(100);
        (uint256 amountIn, uint256 amountOut) = run(USER, 0, 0);
        assertEq(amountIn, 100, "amount in");
        assertEq(amountOut, 0, "amount out");
    }

    function outputOf(address account) internal view override returns (uint256) {
        return euro.balanceOf(account);
    }

    function giveOutput(address to, uint256 amount) internal override {
        euro.mint(to, amount);
    }
}
