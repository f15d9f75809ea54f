// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {LocalSweeper} from "../../../contracts/localnet/LocalSweeper.sol";
import {LocalTether} from "../../../contracts/localnet/tokens/LocalTether.sol";
import {Test} from "../support/Test.sol";

contract LocalSweeperTest is Test {
    address internal constant OWNER = address(0xa11ce);
    address internal constant OTHER = address(0xb0b);

    LocalSweeper internal sweeper = LocalSweeper(deployCode("LocalSweeper"));
    LocalTether internal token = LocalTether(deployCode("LocalTether"));

    function setUp() public {
        token.mint(OWNER, 100);
        vm.prank(OWNER);
        token.approve(address(sweeper), type(uint256).max);
    }

    function test_Sweep_MovesTheWholeBalanceOfTheCaller() public {
        vm.prank(OWNER);
        sweeper.sweep(IERC20(address(token)), OTHER);
        assertEq(token.balanceOf(OTHER), 100, "swept");
    }

    function test_Sweep_WhenAStrangerCalls_TakesNothingOfTheOwner() public {
        vm.prank(OTHER);
        sweeper.sweep(IERC20(address(token)), OTHER);
        assertEq(token.balanceOf(OWNER), 100, "kept");
        assertEq(token.balanceOf(OTHER), 0, "taken");
    }
}
