// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IDepository} from "../../../contracts/interfaces/IDepository.sol";
import {LocalDepository} from "../../../contracts/localnet/LocalDepository.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {HookedToken} from "../../../contracts/mocks/HookedToken.sol";
import {StrictToken} from "../../../contracts/mocks/StrictToken.sol";
import {Target} from "../../../contracts/mocks/Target.sol";
import {Test} from "../support/Test.sol";

contract LocalDepositoryTest is Test {
    uint256 internal constant KEY = 0xa110c;
    bytes32 internal constant ID = keccak256("order");
    address internal constant LIVE = 0x4cD00E387622C35bDDB9b4c962C136462338BC31;
    address internal constant USER = address(0xa11ce);
    address internal constant OTHER = address(0xb0b);
    address internal constant OWNER = address(0x0fee);

    LocalDepository internal depository = deploy(vm.addr(KEY));
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    StrictToken internal strict = StrictToken(deployCode("StrictToken"));
    HookedToken internal hooked = HookedToken(deployCode("HookedToken"));
    Target internal target = Target(deployCode("Target"));

    function setUp() public {
        vm.warp(1_000_000);
        vm.deal(USER, type(uint256).max);
        vm.deal(address(depository), 100);
    }

    function test_DepositNative_Selector_IsTheLiveOne() public pure {
        assertEq(uint256(uint32(IDepository.depositNative.selector)), 0x49290c1c, "selector");
    }

    function test_DepositNative_WhenDepositorIsGiven_EmitsIt() public {
        vm.expectEmit(address(depository));
        emit IDepository.RelayNativeDeposit(OTHER, 5, ID);
        vm.prank(USER);
        depository.depositNative{value: 5}(OTHER, ID);
        assertEq(address(depository).balance, 105, "balance");
    }

    function test_DepositNative_WhenDepositorIsZero_EmitsCaller() public {
        vm.expectEmit(address(depository));
        emit IDepository.RelayNativeDeposit(USER, 5, ID);
        vm.prank(USER);
        depository.depositNative{value: 5}(address(0), ID);
    }

    function testFuzz_DepositNative_AnyAmount_Emits(uint128 amount) public {
        vm.expectEmit(address(depository));
        emit IDepository.RelayNativeDeposit(USER, amount, ID);
        vm.prank(USER);
        depository.depositNative{value: amount}(USER, ID);
        assertEq(address(depository).balance, 100 + uint256(amount), "balance");
    }

    function test_DepositErc20_WhenDepositorIsGiven_EmitsItAndTakesFromCaller() public {
        fund(10, 8);
        vm.expectEmit(address(dollar));
        emit IERC20.Transfer(USER, address(depository), 5);
        vm.expectEmit(address(depository));
        emit IDepository.RelayErc20Deposit(OTHER, address(dollar), 5, ID);
        vm.prank(USER);
        depository.depositErc20(OTHER, address(dollar), 5, ID);
        assertEq(dollar.allowance(USER, address(depository)), 3, "allowance");
    }

    function test_DepositErc20_WhenDepositorIsZero_EmitsCaller() public {
        fund(10, 8);
        vm.expectEmit(address(depository));
        emit IDepository.RelayErc20Deposit(USER, address(dollar), 5, ID);
        vm.prank(USER);
        depository.depositErc20(address(0), address(dollar), 5, ID);
    }

    function test_DepositErc20_WhenAllowanceIsShort_Reverts() public {
        fund(10, 4);
        vm.expectRevert(abi.encodeWithSelector(IDepository.TransferFromFailed.selector));
        vm.prank(USER);
        depository.depositErc20(USER, address(dollar), 5, ID);
    }

    function test_DepositErc20_WhenTokenReturnsNothing_Deposits() public {
        strict.mint(USER, 10);
        vm.prank(USER);
        strict.approve(address(depository), 10);
        vm.prank(USER);
        depository.depositErc20(USER, address(strict), 10, ID);
        assertEq(strict.balanceOf(address(depository)), 10, "balance");
    }

    function test_DepositErc20_WhenNoAmountIsGiven_TakesAllowanceOfCaller() public {
        fund(10, 8);
        vm.expectEmit(address(depository));
        emit IDepository.RelayErc20Deposit(OTHER, address(dollar), 8, ID);
        vm.prank(USER);
        depository.depositErc20(OTHER, address(dollar), ID);
        assertEq(dollar.balanceOf(address(depository)), 8, "balance");
        assertEq(dollar.balanceOf(USER), 2, "user");
    }

    function testFuzz_DepositErc20_AnyAmount_TransfersAndEmits(uint256 balance, uint256 amount, bool whole) public {
        amount = bound(amount, 0, balance);
        fund(balance, amount);
        vm.expectEmit(address(depository));
        emit IDepository.RelayErc20Deposit(USER, address(dollar), amount, ID);
        vm.prank(USER);
        if (whole) depository.depositErc20(address(0), address(dollar), ID);
        else depository.depositErc20(address(0), address(dollar), amount, ID);
        assertEq(dollar.balanceOf(address(depository)), amount, "depository");
        assertEq(dollar.balanceOf(USER), balance - amount, "user");
    }

    function test_Execute_WhenSignedByAllocator_RunsCallsAndRecords() public {
        IDepository.CallRequest memory request = sample();
        bytes32 id = hash(request);
        assertFalse(depository.callRequests(id), "before");
        vm.expectEmit(address(target));
        emit Target.Recorded(address(depository), 7, 1);
        vm.expectEmit(address(depository));
        emit IDepository.RelayCallExecuted(id, request.calls[0]);
        vm.expectEmit(address(target));
        emit Target.Recorded(address(depository), 0, 2);
        vm.expectEmit(address(depository));
        emit IDepository.RelayCallExecuted(id, request.calls[1]);
        vm.prank(OTHER);
        depository.execute(request, signed(request, KEY, address(depository)));
        assertTrue(depository.callRequests(id), "after");
        assertEq(address(depository).balance, 93, "balance");
    }

    function test_Execute_WhenAllocatorIsWallet_AcceptsItsSignature() public {
        depository = deploy(deployCode("Wallet1271", abi.encode(vm.addr(KEY))));
        vm.deal(address(depository), 100);
        IDepository.CallRequest memory request = sample();
        depository.execute(request, signed(request, KEY, address(depository)));
        assertTrue(depository.callRequests(hash(request)), "executed");
    }

    function test_Execute_WhenAllocatorWalletRejects_Reverts() public {
        address wallet = deployCode("Wallet1271", abi.encode(vm.addr(KEY)));
        depository = deploy(wallet);
        IDepository.CallRequest memory request = sample();
        bytes memory signature = signed(request, KEY + 1, address(depository));
        vm.expectRevert(abi.encodeWithSelector(IDepository.InvalidSignature.selector));
        depository.execute(request, signature);
    }

    function test_Execute_WhenSignerIsNotAllocator_Reverts() public {
        IDepository.CallRequest memory request = sample();
        bytes memory signature = signed(request, KEY + 1, address(depository));
        vm.expectRevert(abi.encodeWithSelector(IDepository.InvalidSignature.selector));
        depository.execute(request, signature);
    }

    function test_Execute_WhenRequestIsAltered_Reverts() public {
        IDepository.CallRequest memory request = sample();
        bytes memory signature = signed(request, KEY, address(depository));
        for (uint256 i = 0; i < 6; ++i) {
            IDepository.CallRequest memory altered = sample();
            if (i == 0) altered.calls[1].to = OTHER;
            if (i == 1) altered.calls[1].data = "";
            if (i == 2) altered.calls[1].value = 1;
            if (i == 3) altered.calls[1].allowFailure = true;
            if (i == 4) altered.nonce = 2;
            if (i == 5) altered.expiration = 2_000_001;
            vm.expectRevert(abi.encodeWithSelector(IDepository.InvalidSignature.selector));
            depository.execute(altered, signature);
        }
    }

    function test_Execute_WhenSignedForAnotherDepository_Reverts() public {
        IDepository.CallRequest memory request = sample();
        bytes memory signature = signed(request, KEY, LIVE);
        vm.expectRevert(abi.encodeWithSelector(IDepository.InvalidSignature.selector));
        depository.execute(request, signature);
    }

    function test_Execute_WhenSignedForAnotherChain_Reverts() public {
        IDepository.CallRequest memory request = sample();
        bytes memory signature = signed(request, KEY, address(depository));
        vm.chainId(block.chainid + 1);
        vm.expectRevert(abi.encodeWithSelector(IDepository.InvalidSignature.selector));
        depository.execute(request, signature);
    }

    function test_Execute_WhenCodeIsCopiedToAnotherAddress_FollowsTheAddress() public {
        vm.etch(LIVE, address(depository).code);
        vm.deal(LIVE, 100);
        IDepository.CallRequest memory request = sample();
        LocalDepository(LIVE).execute(request, signed(request, KEY, LIVE));
        assertTrue(LocalDepository(LIVE).callRequests(hash(request)), "executed");
        assertEq(LocalDepository(LIVE).allocator(), vm.addr(KEY), "allocator");
    }

    function test_Execute_AtExpiration_Runs() public {
        IDepository.CallRequest memory request = sample();
        vm.warp(request.expiration);
        depository.execute(request, signed(request, KEY, address(depository)));
        assertTrue(depository.callRequests(hash(request)), "executed");
    }

    function test_Execute_AfterExpiration_Reverts() public {
        IDepository.CallRequest memory request = sample();
        bytes memory signature = signed(request, KEY, address(depository));
        vm.warp(request.expiration + 1);
        vm.expectRevert(abi.encodeWithSelector(IDepository.CallRequestExpired.selector));
        depository.execute(request, signature);
    }

    function test_Execute_WhenRepeated_Reverts() public {
        IDepository.CallRequest memory request = sample();
        bytes memory signature = signed(request, KEY, address(depository));
        depository.execute(request, signature);
        vm.expectRevert(abi.encodeWithSelector(IDepository.CallRequestAlreadyUsed.selector));
        depository.execute(request, signature);
    }

    function test_Execute_WhenRepeatedFromWithin_Reverts() public {
        IDepository.CallRequest memory request = sample();
        request.calls[0] = IDepository.Call(address(hooked), abi.encodeCall(IERC20.transfer, (OTHER, 0)), 0, false);
        bytes memory signature = signed(request, KEY, address(depository));
        hooked.arm(address(depository), abi.encodeCall(IDepository.execute, (request, signature)));
        bytes memory used = abi.encodeWithSelector(IDepository.CallRequestAlreadyUsed.selector);
        vm.expectRevert(abi.encodeWithSelector(IDepository.CallFailed.selector, used));
        depository.execute(request, signature);
    }

    function test_Execute_WhenCallFails_RevertsWithItsReason() public {
        IDepository.CallRequest memory request = sample();
        request.calls[1].data = abi.encodeCall(Target.fail, (9));
        bytes memory signature = signed(request, KEY, address(depository));
        bytes memory reason = abi.encodeWithSelector(Target.Failed.selector, address(depository), 9);
        vm.expectRevert(abi.encodeWithSelector(IDepository.CallFailed.selector, reason));
        depository.execute(request, signature);
    }

    function test_Execute_WhenFailureIsAllowed_Continues() public {
        IDepository.CallRequest memory request = sample();
        request.calls[0].data = abi.encodeCall(Target.fail, (9));
        request.calls[0].allowFailure = true;
        bytes memory signature = signed(request, KEY, address(depository));
        vm.recordLogs();
        depository.execute(request, signature);
        assertEq(countLogs(address(depository), IDepository.RelayCallExecuted.selector), 1, "executed calls");
        assertEq(address(depository).balance, 100, "balance");
    }

    function test_SetAllocator_WhenCallerIsOwner_ReplacesIt() public {
        assertEq(depository.owner(), OWNER, "owner");
        vm.prank(OWNER);
        depository.setAllocator(vm.addr(KEY + 1));
        assertEq(depository.allocator(), vm.addr(KEY + 1), "allocator");
        IDepository.CallRequest memory request = sample();
        bytes memory former = signed(request, KEY, address(depository));
        vm.expectRevert(abi.encodeWithSelector(IDepository.InvalidSignature.selector));
        depository.execute(request, former);
        depository.execute(request, signed(request, KEY + 1, address(depository)));
    }

    function test_SetAllocator_WhenCallerIsNotOwner_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDepository.Unauthorized.selector));
        vm.prank(USER);
        depository.setAllocator(USER);
    }

    function test_SetAllocator_WhenAllocatorIsZero_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IDepository.AddressCannotBeZero.selector));
        vm.prank(OWNER);
        depository.setAllocator(address(0));
        assertEq(depository.allocator(), vm.addr(KEY), "allocator");
    }

    function deploy(address allocator) internal returns (LocalDepository) {
        return LocalDepository(deployCode("LocalDepository", abi.encode(OWNER, allocator)));
    }

    function fund(uint256 balance, uint256 allowance) internal {
        dollar.mint(USER, balance);
        vm.prank(USER);
        dollar.approve(address(depository), allowance);
    }

    function sample() internal view returns (IDepository.CallRequest memory request) {
        request.calls = new IDepository.Call[](2);
        request.calls[0] = IDepository.Call(address(target), abi.encodeCall(Target.record, (1)), 7, false);
        request.calls[1] = IDepository.Call(address(target), abi.encodeCall(Target.record, (2)), 0, false);
        request.nonce = 1;
        request.expiration = 2_000_000;
    }

    function hash(IDepository.CallRequest memory request) internal pure returns (bytes32) {
        bytes32 callType = keccak256("Call(address to,bytes data,uint256 value,bool allowFailure)");
        bytes memory hashes;
        for (uint256 i = 0; i < request.calls.length; ++i) {
            IDepository.Call memory call = request.calls[i];
            hashes = bytes.concat(
                hashes, keccak256(abi.encode(callType, call.to, keccak256(call.data), call.value, call.allowFailure))
            );
        }
        bytes32 requestType = keccak256(
            "CallRequest(Call[] calls,uint256 nonce,uint256 expiration)"
            "Call(address to,bytes data,uint256 value,bool allowFailure)"
        );
        return keccak256(abi.encode(requestType, keccak256(hashes), request.nonce, request.expiration));
    }

    function digest(IDepository.CallRequest memory request, address verifier) internal view returns (bytes32) {
        bytes32 separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("RelayDepository"),
                keccak256("1"),
                block.chainid,
                verifier
            )
        );
        return keccak256(bytes.concat("\x19\x01", separator, hash(request)));
    }

    function signed(IDepository.CallRequest memory request, uint256 key, address verifier)
        internal
        view
        returns (bytes memory)
    {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest(request, verifier));
        return abi.encodePacked(r, s, v);
    }
}
