// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IDestinationProxy} from "../../../contracts/interfaces/IDestinationProxy.sol";
import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {IRouter32} from "../../../contracts/interfaces/IRouter32.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {GasBurningToken} from "../../../contracts/mocks/GasBurningToken.sol";
import {HostileWrappedNative} from "../../../contracts/mocks/HostileWrappedNative.sol";
import {RebasingToken} from "../../../contracts/mocks/RebasingToken.sol";
import {BalanceSlot} from "../../../contracts/testing/BalanceSlot.sol";
import {FillTest} from "../../../contracts/testing/FillTest.sol";
import {Routers} from "../../../contracts/testing/Routers.sol";
import {MintProxy} from "../../../examples/MintProxy.sol";
import {NftSale} from "../../../examples/NftSale.sol";
import {PackedToken} from "../support/PackedToken.sol";
import {Test} from "../support/Test.sol";

contract FillTestTest is Test, FillTest {
    uint256 internal constant PRICE = 25e6;
    uint256 internal constant MAX = type(uint256).max;
    address internal constant USER = address(0xa11ce);
    address internal constant SELLER = address(0x5e11e4);
    address internal constant SPENDER = address(0xbad);
    address internal constant NATIVE = address(0);
    /// The service's solver.
    address internal constant SOLVER = 0xf70da97812CB96acDF810712Aa562db8dfA3dbEF;

    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    NftSale internal sale = NftSale(deployCode("NftSale", abi.encode(dollar, PRICE, SELLER)));
    address internal proxy = deployCode("MintProxy", abi.encode(sale));
    HostileWrappedNative internal wrapped = HostileWrappedNative(deployCode("HostileWrappedNative"));
    address internal wrapper = deployCode("WrappedNativeProxy", abi.encode(wrapped));

    address internal router = liveRouter();
    address internal routerOfChain = router;

    function test_Fill_WhenTokenIsDelivered_GivesOutputAndLeavesNothing() public {
        dollar.mint(SELLER, 5);
        dollar.mint(USER, 6);
        fill(mintCalls(2), address(dollar), 99.5e6, USER);
        assertDelivered(address(sale), USER, 3);
        assertDelivered(address(dollar), USER, 24.5e6);
        assertDelivered(address(dollar), SELLER, 75e6);
        assertDelivered(address(dollar), SPENDER, 0);
        assertNothingLeftBehind(proxy);
        assertEq(dollar.balanceOf(USER), 24.5e6 + 6, "user");
        assertEq(dollar.balanceOf(SELLER), 75e6 + 5, "seller");
        assertEq(sale.balanceOf(USER), 3, "NFTs");
    }

    function testFuzz_Fill_AnyAmount_GivesOutputAndLeavesNothing(uint96 amount) public {
        amount = uint96(bound(amount, PRICE, 20 * PRICE));
        fill(mintCalls(1), address(dollar), amount, USER);
        assertDelivered(address(sale), USER, amount / PRICE);
        assertDelivered(address(dollar), USER, amount % PRICE);
        assertNothingLeftBehind(proxy);
    }

    function test_Fill_WhenNativeIsDelivered_GivesOutputAndLeavesNothing() public {
        vm.deal(USER, 1 ether);
        fill(planExecuteNative(wrapper, USER, 3, 4, block.timestamp), NATIVE, 5, USER);
        assertDelivered(address(wrapped), USER, 5);
        assertDelivered(NATIVE, USER, 0);
        assertEq(uint256(deliveredTo(NATIVE, address(wrapped))), 5, "wrapped");
        assertEq(uint256(-deliveredTo(NATIVE, SOLVER)), 5, "solver");
        assertNothingLeftBehind(wrapper);
    }

    function test_Fill_WhenOutputIsNative_MeasuresIt() public {
        vm.deal(USER, 1 ether);
        wrapped.deposit{value: 9}();
        wrapped.transfer(SPENDER, 9);
        fill(planExecute(address(wrapped), wrapper, USER, 5, 5, block.timestamp), address(wrapped), 5, USER);
        assertDelivered(NATIVE, USER, 5);
        assertNothingLeftBehind(wrapper);
    }

    function test_Fill_WhenCallsCarryValue_SolverPaysIt() public {
        Call[] memory txs = new Call[](1);
        txs[0] = Call(USER, 7, "");
        vm.deal(SOLVER, 1);
        fill(txs, address(dollar), 0, USER);
        assertDelivered(NATIVE, USER, 7);
        assertEq(SOLVER.balance, 1, "solver");
    }

    function test_Fill_WhenNativeIsLeft_GoesToTheRecipient() public {
        Call[] memory txs = new Call[](1);
        txs[0] = Call(SPENDER, 2, "");
        fill(txs, NATIVE, 5, USER);
        assertDelivered(NATIVE, SPENDER, 2);
        assertDelivered(NATIVE, USER, 3);
        assertNothingLeftBehind(proxy);
    }

    function test_Fill_WhenNftReachesTheRouter_GoesToTheRecipient() public {
        Call[] memory txs = new Call[](2);
        txs[0] = Call(address(dollar), 0, abi.encodeCall(IERC20.approve, (address(sale), PRICE)));
        txs[1] = Call(address(sale), 0, abi.encodeCall(NftSale.mint, (router, 1)));
        fill(txs, address(dollar), PRICE, USER);
        assertDelivered(address(sale), USER, 1);
        assertNothingLeftBehind(new address[](0));
    }

    function test_Fill_WhenCalled_ComesFromTheSolverThroughTheRouter() public {
        vm.expectEmit(proxy);
        emit IDestinationProxy.Executed(router, USER, 25e6, 1);
        fill(mintCalls(1), address(dollar), 25e6, USER);

        Call[] memory txs = new Call[](0);
        bytes memory data = abi.encodeCall(IRouter.multicall, (new IRouter.Call3Value[](0), USER, USER, ""));
        vm.expectCall(router, abi.encodePacked(data, bytes32(MAX)));
        vm.expectEmit(router);
        emit IRouter.FundsMovement(SOLVER, router, NATIVE, 5, "");
        fill(txs, NATIVE, 5, USER);
    }

    function test_Fill_WhenTheTestIsPranked_ComesFromTheSolver() public {
        vm.startPrank(USER, USER);
        vm.expectEmit(router);
        emit IRouter.FundsMovement(SOLVER, router, NATIVE, 5, "");
        fill(new Call[](0), NATIVE, 5, USER);
        assertDelivered(NATIVE, USER, 5);
        assertEq(this.sender(), USER, "sender");
        vm.stopPrank();
    }

    function test_Fill_WhenACallReverts_RevertsWithItsData() public {
        vm.expectRevert(abi.encodeWithSelector(IDestinationProxy.InsufficientOutput.selector, 1, 2));
        fill(mintCalls(2), address(dollar), 49e6, USER);
        assertEq(dollar.balanceOf(router), 0, "router");
    }

    function test_Fill_WhenTheLastOneReverted_CannotBeAsserted() public {
        fill(mintCalls(1), address(dollar), 25e6, USER);
        vm.expectRevert(abi.encodeWithSelector(MintProxy.PriceNotMet.selector, 24e6, PRICE));
        fill(mintCalls(1), address(dollar), 24e6, USER);
        vm.expectRevert(abi.encodeWithSelector(NothingFilled.selector));
        this.expectDelivered(address(sale), USER, 0);
        vm.expectRevert(abi.encodeWithSelector(NothingFilled.selector));
        this.expectNothingLeft(proxy);
    }

    function test_Fill_WhenRepeated_ComparesWithTheStateBeforeTheLastOne() public {
        fill(mintCalls(2), address(dollar), 50e6, USER);
        fill(mintCalls(1), address(dollar), 25e6, USER);
        assertDelivered(address(sale), USER, 1);
        assertDelivered(address(dollar), SELLER, 25e6);
        assertEq(sale.balanceOf(USER), 3, "NFTs");

        fill(new Call[](0), NATIVE, 5, USER);
        fill(new Call[](0), NATIVE, 2, USER);
        assertDelivered(NATIVE, USER, 2);
    }

    function test_AssertDelivered_WhenAmountDiffers_Reverts() public {
        fill(mintCalls(1), address(dollar), 30e6, USER);
        for (uint256 amount = 0; amount < 3; amount += 2) {
            vm.expectRevert(abi.encodeWithSelector(NotDelivered.selector, sale, USER, amount, int256(1)));
            this.expectDelivered(address(sale), USER, amount);
        }
    }

    function test_AssertDelivered_WhenBalanceDecreased_Reverts() public {
        fill(mintCalls(1), address(dollar), 30e6, USER);
        vm.expectRevert(abi.encodeWithSelector(NotDelivered.selector, dollar, router, 0, -int256(30e6)));
        this.expectDelivered(address(dollar), router, 0);
    }

    function test_AssertDelivered_WhenItIsNoToken_Reverts() public {
        fill(mintCalls(1), address(dollar), 30e6, USER);
        vm.expectRevert();
        this.expectDelivered(SPENDER, USER, 0);
    }

    function test_AssertNothingLeftBehind_WhenTokensStayOnTheRouter_Reverts() public {
        dollar.mint(router, 4);
        fill(new Call[](0), address(dollar), 1, USER);
        vm.expectRevert(abi.encodeWithSelector(LeftTokens.selector, dollar, router, 1));
        this.expectNothingLeft(proxy);
    }

    function test_AssertNothingLeftBehind_WhenTokensWereOnTheRouterBefore_Passes() public {
        dollar.mint(router, 4);
        fill(new Call[](0), address(dollar), 0, USER);
        assertNothingLeftBehind(proxy);
    }

    function test_AssertNothingLeftBehind_WhenMoreThanTwoUnitsStayOnTheProxy_Reverts() public {
        Call[] memory txs = new Call[](1);
        txs[0] = Call(address(dollar), 0, abi.encodeCall(IERC20.transfer, (SPENDER, 2)));
        fill(txs, address(dollar), 2, USER);
        assertNothingLeftBehind(SPENDER);

        txs[0].data = abi.encodeCall(IERC20.transfer, (SPENDER, 3));
        fill(txs, address(dollar), 3, USER);
        vm.expectRevert(abi.encodeWithSelector(LeftTokens.selector, dollar, SPENDER, 3));
        this.expectNothingLeft(SPENDER);
    }

    function test_AssertNothingLeftBehind_WhenNativeStaysOnTheProxy_Reverts() public {
        Call[] memory txs = new Call[](1);
        txs[0] = Call(SPENDER, 3, "");
        fill(txs, NATIVE, 3, USER);
        vm.expectRevert(abi.encodeWithSelector(LeftTokens.selector, NATIVE, SPENDER, 3));
        this.expectNothingLeft(SPENDER);
    }

    function test_AssertNothingLeftBehind_WhenAllowanceStays_Reverts() public {
        Call[] memory txs = mintCalls(1);
        // Replaces the reset of the proxy's allowance.
        txs[0] = Call(address(dollar), 0, abi.encodeCall(IERC20.approve, (SPENDER, MAX)));
        fill(txs, address(dollar), 25e6, USER);
        vm.expectRevert(abi.encodeWithSelector(LeftAllowance.selector, dollar, router, SPENDER, MAX));
        this.expectNothingLeft(proxy);
        // The allowance existed before the fill.
        fill(txs, address(dollar), 25e6, USER);
        assertNothingLeftBehind(proxy);
    }

    function test_AssertNothingLeftBehind_WhenAllowanceWasIncreased_Reverts() public {
        PackedToken token = new PackedToken();
        Call[] memory txs = new Call[](1);
        txs[0] = Call(address(token), 0, abi.encodeCall(PackedToken.increaseAllowance, (SPENDER, 3)));
        fill(txs, NATIVE, 5, USER);
        vm.expectRevert(abi.encodeWithSelector(LeftAllowance.selector, token, router, SPENDER, 3));
        this.expectNothingLeft(proxy);
    }

    function test_AssertNothingLeftBehind_WhenTheProxyKeepsAnAllowance_Reverts() public {
        address runner = deployCode(routerName());
        IRouter.Call3Value[] memory calls = new IRouter.Call3Value[](1);
        calls[0] = IRouter.Call3Value(address(dollar), false, 0, abi.encodeCall(IERC20.approve, (SPENDER, 4)));
        Call[] memory txs = new Call[](1);
        txs[0] = Call(runner, 0, abi.encodeCall(IRouter.multicall, (calls, USER, USER, "")));
        fill(txs, address(dollar), 0, USER);
        assertNothingLeftBehind(proxy);
        vm.expectRevert(abi.encodeWithSelector(LeftAllowance.selector, dollar, runner, SPENDER, 4));
        this.expectNothingLeft(runner);
    }

    function test_AssertNothingLeftBehind_WhenABalanceCannotBeRead_SkipsIt() public {
        Call[] memory txs = new Call[](1);
        GasBurningToken token = new GasBurningToken();
        txs[0] = Call(address(token), 0, abi.encodeCall(GasBurningToken.mint, (USER, 1)));
        fill(txs, NATIVE, 5, USER);
        this.expectNothingLeft{gas: 10_000_000}(proxy);
    }

    function test_DeliveredTo_WhenPartOfTheFillReverted_IgnoresThatPart() public {
        Call[] memory txs = new Call[](1);
        txs[0] = Call(address(this), 5, abi.encodeCall(this.tryToPay, ()));
        fill(txs, NATIVE, 5, USER);
        assertDelivered(NATIVE, SELLER, 0);
        assertDelivered(NATIVE, address(this), 5);
    }

    function test_Deliver_WhenBalanceIsPackedInAnotherContract_IncreasesIt() public {
        PackedToken token = new PackedToken();
        token.mint(USER, 5);
        deliver(address(token), USER, 1e18);
        assertEq(token.balanceOf(USER), 1e18 + 5, "balance");
        assertEq(token.cap(), MAX, "other word");
    }

    function test_Deliver_WhenNoSlotHoldsTheBalance_RevertsAndChangesNothing() public {
        RebasingToken token = new RebasingToken();
        token.rebase(3e18);
        token.mint(USER, 30);
        vm.expectRevert(abi.encodeWithSelector(BalanceSlot.BalanceNotWritable.selector, token, USER));
        this.deliverTo(address(token), USER, 7);
        assertEq(token.balanceOf(USER), 30, "balance");
    }

    function test_PlaceRouter_WhenChainIsNew_PlacesItAtTheLiveAddress() public {
        assertEq(router.code.length, 0, "before");
        assertEq(placeRouter(), router, "router");
        assertEq(router.code.length == 0, false, "after");
        vm.etch(router, hex"00");
        placeRouter();
        assertEq(router.code, hex"00", "kept");
    }

    function test_Fill_WhenChainIsNew_EmitsTheCallEventOfTheVersion() public {
        Call[] memory txs = new Call[](1);
        txs[0] = Call(USER, 7, hex"12");
        vm.expectEmit(router);
        emitCallEvent(USER, hex"12", 7);
        fill(txs, NATIVE, 7, USER);
    }

    function test_PlaceRouter_WhenAnotherAddressHasNoCode_Reverts() public {
        routerOfChain = SPENDER;
        vm.expectRevert(abi.encodeWithSelector(RouterNotFound.selector, SPENDER, block.chainid));
        fill(mintCalls(1), address(dollar), 25e6, USER);
    }

    function test_RouterAddress_WhenOverridden_FillsThere() public {
        address other = deployCode(routerName());
        routerOfChain = other;
        vm.expectEmit(proxy);
        emit IDestinationProxy.Executed(other, USER, 25e6, 1);
        fill(mintCalls(1), address(dollar), 25e6, USER);
        assertNothingLeftBehind(proxy);
    }

    function test_PlanExecute_GivesTheCallsOfTheSdk() public {
        string memory json = vm.readFile("test/vectors/planned-execute.json");
        routerOfChain = vm.parseJsonAddress(json, ".router");
        Call[] memory txs = planExecute(
            vm.parseJsonAddress(json, ".token"),
            vm.parseJsonAddress(json, ".proxy"),
            vm.parseJsonAddress(json, ".recipient"),
            vm.parseJsonUint(json, ".minimumIn"),
            vm.parseJsonUint(json, ".minimumOut"),
            vm.parseJsonUint(json, ".deadline")
        );
        assertEq(abi.encode(txs), abi.encode(parseTxs(json)), "txs");
        assertEq(txs.length, 3, "count");
    }

    function test_PlanExecuteNative_GivesTheCallsOfTheSdk() public {
        string memory json = vm.readFile("test/vectors/planned-execute-native.json");
        routerOfChain = vm.parseJsonAddress(json, ".router");
        Call[] memory txs = planExecuteNative(
            vm.parseJsonAddress(json, ".proxy"),
            vm.parseJsonAddress(json, ".recipient"),
            vm.parseJsonUint(json, ".minimumIn"),
            vm.parseJsonUint(json, ".minimumOut"),
            vm.parseJsonUint(json, ".deadline")
        );
        assertEq(abi.encode(txs), abi.encode(parseTxs(json)), "txs");
        assertEq(txs.length, 2, "count");
    }

    function test_ParseTxs_ReadsTargetsValuesAndData() public view {
        // solhint-disable quotes
        Call[] memory txs = parseTxs(
            '{"txs":[{"to":"0x0000000000000000000000000000000000000bad","data":"0x","value":"0"},'
            '{"to":"0x00000000000000000000000000000000000A11cE","data":"0x1234","value":"1000000000000000000000"}]}'
        );
        // solhint-enable quotes
        assertEq(txs.length, 2, "count");
        assertEq(abi.encode(txs[0]), abi.encode(Call(SPENDER, 0, "")), "first");
        assertEq(abi.encode(txs[1]), abi.encode(Call(USER, 1_000 ether, hex"1234")), "second");
    }

    function expectDelivered(address currency, address account, uint256 amount) external {
        assertDelivered(currency, account, amount);
    }

    function expectNothingLeft(address account) external {
        assertNothingLeftBehind(account);
    }

    function tryToPay() external payable {
        try this.payAndRevert{value: msg.value}() {} catch {}
    }

    function payAndRevert() external payable {
        Address.sendValue(payable(SELLER), msg.value);
        revert NothingFilled();
    }

    function sender() external view returns (address) {
        return msg.sender;
    }

    function deliverTo(address token, address account, uint256 amount) external {
        deliver(token, account, amount);
    }

    function routerAddress() internal view override returns (address) {
        return routerOfChain;
    }

    function emitCallEvent(address to, bytes memory data, uint256 amount) internal virtual {
        emit IRouter32.SolverCallExecuted(to, keccak256(data), amount);
    }

    function liveRouter() internal pure virtual returns (address) {
        return Routers.CURRENT;
    }

    function routerName() internal pure virtual returns (string memory) {
        return "LocalRouter32";
    }

    function mintCalls(uint256 minimumOut) internal view returns (Call[] memory) {
        return planExecute(address(dollar), proxy, USER, 1, minimumOut, block.timestamp);
    }
}
