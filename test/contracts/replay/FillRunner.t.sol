// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FillRunner} from "../../../contracts/replay/FillRunner.sol";
import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalFeeToken} from "../../../contracts/localnet/tokens/LocalFeeToken.sol";
import {LocalTether} from "../../../contracts/localnet/tokens/LocalTether.sol";
import {LocalVault} from "../../../contracts/localnet/LocalVault.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {RouterCalls} from "../support/RouterCalls.sol";

contract FillRunnerTest is RouterCalls {
    address internal constant USER = address(0xa11ce);
    address internal constant UNUSED = address(0xdead01);
    uint256 internal constant GAS_LIMIT = 2_000_000;

    FillRunner internal solver = FillRunner(deployCode("FillRunner"));
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    LocalVault internal vault = LocalVault(deployCode("LocalVault", abi.encode(dollar, "Vault", "VLT")));

    function setUp() public {
        dollar.mint(address(solver), 10_000);
    }

    function fillWith(address currency, IRouter.Call3Value[] memory calls)
        private
        view
        returns (FillRunner.Fill memory)
    {
        return FillRunner.Fill({
            router: address(router),
            currency: currency,
            value: 0,
            isDelivered: false,
            gasLimit: GAS_LIMIT,
            callData: abi.encodeCall(IRouter.multicall, (calls, address(solver), USER, "")),
            recipient: USER,
            outputs: addresses(currency)
        });
    }

    /// @dev The router pays exactly `paid` dollars.
    function payment(uint256 paid) private view returns (FillRunner.Fill memory) {
        return fillWith(address(dollar), steps(step(address(dollar), abi.encodeCall(IERC20.transfer, (USER, paid)))));
    }

    function test_TryAmounts_StartsEachAmountFromTheSameState() public {
        IRouter.Call3Value[] memory calls = steps(
            step(address(dollar), approveData(address(vault), type(uint256).max)),
            step(address(vault), abi.encodeCall(IERC4626.deposit, (500, USER)))
        );
        FillRunner.Fill memory fill = fillWith(address(dollar), calls);
        fill.outputs = addresses(address(vault), address(dollar));
        FillRunner.Outcome[] memory outcomes = solver.tryAmounts(fill, amounts(500, 700));
        assertEq(outcomes.length, 2, "outcomes");
        for (uint256 i = 0; i < 2; ++i) {
            assertTrue(outcomes[i].success, "success");
            assertEq(uint256(outcomes[i].received[0]), 500, "shares");
            assertEq(uint256(outcomes[i].received[1]), 0, "dollars");
            assertEq(outcomes[i].revertData, "", "no revert data");
        }
        assertEq(outcomes[0].delivered, 500, "delivered");
        assertEq(outcomes[1].delivered, 700, "delivered");
        assertEq(dollar.balanceOf(address(solver)), 10_000, "nothing is spent");
        assertEq(vault.balanceOf(USER), 0, "nothing is received");
    }

    function test_TryAmounts_StartsEachAmountCold() public {
        FillRunner.Outcome[] memory outcomes = solver.tryAmounts(payment(100), amounts(100, 100));
        assertEq(outcomes[0].gasUsed, outcomes[1].gasUsed, "gas");
    }

    function test_TryAmounts_WhenFillFails_ReturnsReason() public {
        FillRunner.Outcome[] memory outcomes = solver.tryAmounts(payment(100), amounts(99, 100));
        assertFalse(outcomes[0].success, "too little");
        assertEq(
            outcomes[0].revertData,
            abi.encodeWithSignature(
                "ERC20InsufficientBalance(address,uint256,uint256)", address(router), uint256(99), uint256(100)
            ),
            "revert data"
        );
        assertEq(uint256(outcomes[0].received[0]), 0, "nothing received");
        assertTrue(outcomes[1].success, "enough");
        assertEq(uint256(outcomes[1].received[0]), 100, "received");
    }

    function test_TryAmounts_WhenSolverBalanceIsTooLow_ReportsNoDelivery() public {
        FillRunner.Outcome[] memory outcomes = solver.tryAmounts(payment(100), amounts(10_001));
        assertFalse(outcomes[0].success, "success");
        assertEq(outcomes[0].delivered, 0, "delivered");
    }

    function test_TryAmounts_WhenTokenTakesFee_ReturnsReceivedAmount() public {
        LocalFeeToken token = LocalFeeToken(deployCode("LocalFeeToken", abi.encode(address(this))));
        token.mint(address(solver), 1_000);
        FillRunner.Fill memory fill = fillWith(address(token), steps(step(UNUSED, "")));
        uint256 arrived = 1_000 - (1_000 * token.FEE_BPS()) / 10_000;
        assertEq(solver.tryAmounts(fill, amounts(1_000))[0].delivered, arrived, "delivered");
    }

    function test_TryAmounts_WhenTheTokenReturnsNothing_Delivers() public {
        LocalTether tether = LocalTether(deployCode("LocalTether"));
        tether.mint(address(solver), 1_000);
        FillRunner.Fill memory fill = fillWith(address(tether), steps(step(UNUSED, "")));
        FillRunner.Outcome memory outcome = solver.tryAmounts(fill, amounts(1_000))[0];
        assertEq(outcome.delivered, 1_000, "delivered");
        assertTrue(outcome.success, "success");
    }

    function test_TryAmounts_WhenNative_SendsItAlong() public {
        vm.deal(address(solver), 1 ether);
        IRouter.Call3Value[] memory calls = steps(IRouter.Call3Value(USER, false, 600, ""));
        // The remainder returns to the solver, which accepts native currency as an account without code does.
        FillRunner.Outcome[] memory outcomes = solver.tryAmounts(fillWith(address(0), calls), amounts(599, 1_000));
        assertFalse(outcomes[0].success, "too little");
        assertEq(outcomes[0].delivered, 599, "delivered");
        assertTrue(outcomes[1].success, "enough");
        assertEq(uint256(outcomes[1].received[0]), 600, "received");
        assertEq(address(solver).balance, 1 ether, "nothing is spent");
    }

    function test_TryAmounts_WhenACallCarriesNative_SendsItAlongWithAToken() public {
        vm.deal(address(solver), 1 ether);
        FillRunner.Fill memory fill = fillWith(address(dollar), steps(IRouter.Call3Value(USER, false, 600, "")));
        fill.value = 600;
        fill.outputs = addresses(address(0));
        FillRunner.Outcome memory outcome = solver.tryAmounts(fill, amounts(5))[0];
        assertTrue(outcome.success, "success");
        assertEq(outcome.delivered, 5, "delivered");
        assertEq(uint256(outcome.received[0]), 600, "received");
    }

    function test_TryAmounts_WhenRecipientPays_ReturnsNegativeOutput() public {
        dollar.mint(USER, 50);
        vm.prank(USER);
        dollar.approve(address(router), 50);
        FillRunner.Fill memory fill = fillWith(
            address(dollar), steps(step(address(dollar), abi.encodeCall(IERC20.transferFrom, (USER, UNUSED, 20))))
        );
        FillRunner.Outcome memory outcome = solver.tryAmounts(fill, amounts(1))[0];
        assertEq(uint256(-outcome.received[0]), 20, "paid");
    }

    function test_TryAmounts_WhenDelivered_UsesTheRoutersBalance() public {
        dollar.mint(address(router), 100);
        FillRunner.Fill memory fill = payment(100);
        fill.isDelivered = true;
        FillRunner.Outcome memory outcome = solver.tryAmounts(fill, amounts(7))[0];
        assertEq(outcome.delivered, 100, "delivered");
        assertTrue(outcome.success, "success");
    }

    function test_TryAmounts_WhenGasRunsOut_ReturnsFewerResults() public {
        FillRunner.Fill memory fill = payment(100);
        assertEq(solver.tryAmounts{gas: 3_000_000}(fill, amounts(100, 100)).length, 2, "enough gas");
        assertEq(solver.tryAmounts{gas: 2_000_000}(fill, amounts(100, 100)).length, 0, "too little gas for one attempt");
    }

    function test_TryAmounts_WhenFillBurnsAllGas_Continues() public {
        // Such a target uses 63/64 of the gas, so the second attempt has less gas than it needs and is skipped.
        FillRunner.Fill memory fill = fillWith(address(dollar), steps(step(deployCode("GasBurner"), "")));
        FillRunner.Outcome[] memory outcomes = solver.tryAmounts{gas: 4_600_000}(fill, amounts(1, 2));
        assertEq(outcomes.length, 1, "tries");
        assertFalse(outcomes[0].success, "success");
        assertGt(outcomes[0].gasUsed, (GAS_LIMIT * 31) / 32, "all gas");
    }

    function test_TryAmounts_WhenOutputIsNotAToken_ReturnsZero() public {
        FillRunner.Fill memory fill = payment(100);
        fill.outputs = addresses(deployCode("GasBurner"), UNUSED);
        FillRunner.Outcome memory outcome = solver.tryAmounts(fill, amounts(100))[0];
        assertTrue(outcome.success, "success");
        assertEq(uint256(outcome.received[0]), 0, "burner");
        assertEq(uint256(outcome.received[1]), 0, "no code");
    }

    function test_TryAmounts_WhenRevertDataIsHuge_TruncatesIt() public {
        FillRunner.Fill memory fill = fillWith(address(dollar), steps(step(deployCode("HugeRevert"), "")));
        assertEq(solver.tryAmounts(fill, amounts(1))[0].revertData.length, 4_096, "bytes");
    }

    function testFuzz_TryAmounts_AnyAmount_SucceedsFromThePaidAmount(uint256 paid, uint256 amount) public {
        paid = bound(paid, 1, 10_000);
        amount = bound(amount, 0, 10_000);
        FillRunner.Outcome memory outcome = solver.tryAmounts(payment(paid), amounts(amount))[0];
        assertEq(outcome.success, amount >= paid, "success");
        assertEq(outcome.delivered, amount, "delivered");
    }
}
