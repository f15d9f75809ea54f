// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {PushExecutor} from "../../../contracts/executor/PushExecutor.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {Programs} from "../support/Programs.sol";
import {RouterCalls} from "../support/RouterCalls.sol";

contract PushExecutorTest is RouterCalls {
    using Programs for Programs.Draft;

    address internal constant USER = address(0xa11ce);

    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    LocalVault internal vault = LocalVault(deployCode("LocalVault", abi.encode(dollar, "Vault", "VLT")));
    PushExecutor internal executor = PushExecutor(deployCode("PushExecutor"));

    function test_Execute_WhenPushedThroughTheRouter_DepositsAllForRecipient() public {
        dollar.mint(address(router), 100);
        Programs.Draft memory draft;
        draft.declare(address(dollar), false, 100).check(address(vault), 100);
        draft.give(address(vault), 0, 10_000, abi.encodeCall(IERC4626.deposit, (Programs.sentinel(), USER)));
        push(draft.packed(USER));
        assertEq(vault.balanceOf(USER), 100, "shares");
        assertEq(dollar.balanceOf(address(executor)), 0, "executor's tokens");
        assertEq(dollar.allowance(address(executor), address(vault)), 0, "allowance");
    }

    function push(bytes memory program) internal {
        router.multicall(
            steps(
                step(address(router), cleanupErc20sData(address(dollar), address(executor), 0)),
                step(address(executor), Programs.executeData(program))
            ),
            address(0),
            address(0),
            ""
        );
    }
}
