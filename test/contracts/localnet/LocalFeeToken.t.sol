// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LocalFeeToken} from "../../../contracts/localnet/tokens/LocalFeeToken.sol";
import {LocalToken} from "../../../contracts/localnet/tokens/LocalToken.sol";
import {Test} from "../support/Test.sol";

contract LocalFeeTokenTest is Test {
    address internal constant EXEMPT = address(0xe0e);
    address internal constant OTHER = address(0xb0b);

    LocalFeeToken internal token = LocalFeeToken(deployCode("LocalFeeToken", abi.encode(EXEMPT)));

    function test_Transfer_BurnsTheFee() public {
        token.mint(address(this), 1_000);
        token.transfer(OTHER, 199);
        assertEq(token.balanceOf(OTHER), 198, "received");
        assertEq(token.balanceOf(address(this)), 801, "left");
        assertEq(token.totalSupply(), 999, "supply");
    }

    function test_TransferFrom_WhenTheExemptAccountSends_IsFree() public {
        token.mint(EXEMPT, 1_000);
        vm.prank(EXEMPT);
        token.approve(address(this), 1_000);
        token.transferFrom(EXEMPT, OTHER, 1_000);
        assertEq(token.balanceOf(OTHER), 1_000, "received");
    }

    function test_Metadata_MatchesTheTokens() public {
        assertEq(token.symbol(), "FEE", "symbol of the fee token");
        assertEq(token.decimals(), 18, "decimals of the fee token");
        LocalToken plain = LocalToken(deployCode("LocalToken"));
        plain.mint(OTHER, 7);
        assertEq(plain.symbol(), "TKN", "symbol of the plain token");
        assertEq(plain.decimals(), 18, "decimals of the plain token");
        assertEq(plain.balanceOf(OTHER), 7, "minted");
    }
}
