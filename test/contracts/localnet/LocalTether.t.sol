// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LocalTether} from "../../../contracts/localnet/tokens/LocalTether.sol";
import {Test} from "../support/Test.sol";

contract LocalTetherTest is Test {
    address internal constant OTHER = address(0xb0b);

    LocalTether internal tether = LocalTether(deployCode("LocalTether"));

    function setUp() public {
        tether.mint(address(this), 100);
    }

    function test_Metadata_MatchesTheToken() public view {
        assertEq(tether.symbol(), "USDT", "symbol");
        assertEq(tether.decimals(), 6, "decimals");
        assertEq(tether.totalSupply(), 100, "supply");
    }

    function test_Calls_ReturnNothing() public {
        bytes[3] memory datas = [
            abi.encodeCall(tether.approve, (address(this), 10)),
            abi.encodeCall(tether.transferFrom, (address(this), OTHER, 4)),
            abi.encodeCall(tether.transfer, (OTHER, 3))
        ];
        for (uint256 i = 0; i < datas.length; ++i) {
            (bool success, bytes memory returnData) = address(tether).call(datas[i]);
            assertTrue(success, "success");
            assertEq(returnData.length, 0, "return data");
        }
        assertEq(tether.balanceOf(OTHER), 7, "received");
        assertEq(tether.allowance(address(this), address(this)), 6, "allowance left");
    }

    function test_Approve_WhenAllowanceIsNonZero_AcceptsOnlyZero() public {
        tether.approve(OTHER, 5);
        vm.expectRevert(abi.encodeWithSelector(LocalTether.ApprovalNotZero.selector, 5, 6));
        tether.approve(OTHER, 6);
        tether.approve(OTHER, 0);
        tether.approve(OTHER, 6);
        assertEq(tether.allowance(address(this), OTHER), 6, "allowance");
    }

    function test_Transfer_WhenTheBalanceIsTooLow_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(LocalTether.BalanceTooLow.selector, address(this), 100, 101));
        tether.transfer(OTHER, 101);
    }

    function test_TransferFrom_WhenTheAllowanceIsTooLow_Reverts() public {
        tether.approve(address(this), 1);
        vm.expectRevert(abi.encodeWithSelector(LocalTether.AllowanceTooLow.selector, address(this), 1, 2));
        tether.transferFrom(address(this), OTHER, 2);
    }

    function test_TransferFrom_WhenTheAllowanceIsTheLargest_LeavesIt() public {
        tether.approve(address(this), type(uint256).max);
        tether.transferFrom(address(this), OTHER, 2);
        assertEq(tether.allowance(address(this), address(this)), type(uint256).max, "allowance");
    }
}
