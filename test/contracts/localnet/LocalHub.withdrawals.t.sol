// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC6909} from "@openzeppelin/contracts/token/ERC6909/ERC6909.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IAttestationVerifier} from "../../../contracts/interfaces/IAttestationVerifier.sol";
import {IDepository} from "../../../contracts/interfaces/IDepository.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {HubAllocator} from "../../../contracts/localnet/hub/HubAllocator.sol";
import {HubAllocatorV2} from "../../../contracts/localnet/hub/HubAllocatorV2.sol";
import {HubExecutor} from "../../../contracts/localnet/hub/HubExecutor.sol";
import {HubPayloads} from "../../../contracts/localnet/hub/HubPayloads.sol";
import {HubTest} from "../support/HubTest.sol";

/// @title Withdrawals by both allocators and by the executor. A depository pays them if the payload's signature is
/// valid.
contract LocalHubWithdrawalsTest is HubTest {
    string internal constant CHAIN = "local-31337";
    uint256 internal constant CHAIN_OF_TESTS = 31_337;
    uint256 internal constant ALLOCATOR_KEY = 0xa110c;
    address internal constant RECEIVER = address(0xc0ffee);
    address internal constant ORDER = address(0x0fde4);

    IDepository internal depository;
    address internal spender = aliasOf(CHAIN, ALICE);

    function setUp() public override {
        super.setUp();
        depository = IDepository(hub.DEPOSITORY());
        address instance = deployCode("LocalDepository", abi.encode(address(this), vm.addr(ALLOCATOR_KEY)));
        vm.etch(address(depository), instance.code);
        vm.deal(address(depository), 1_000);
    }

    function test_Withdraw_WhenOraclesSigned_BurnsAndBuildsThePayload() public {
        give(spender, TOKEN, 100);
        HubAllocator.WithdrawRequest memory request = requestOf(70);
        bytes32 hash = keccak256(abi.encode(request));
        assertEq(hub.payloads(hash), "", "before");
        hub.withdraw(request, signedWithdraw(request));
        assertEq(hub.balanceOf(spender, TOKEN), 30, "burned");
        pay(hash, CHAIN_OF_TESTS);
        assertEq(RECEIVER.balance, 70, "paid");
        assertEq(hub.hashesToSign(hash, 1), bytes32(0), "one hash");
    }

    function test_Withdraw_WhenCurrencyIsAToken_PaysIt() public {
        LocalDollar dollar = LocalDollar(deployCode("LocalDollar"));
        dollar.mint(address(depository), 100);
        HubAllocator.WithdrawRequest memory request = requestOf(70);
        request.currency = abi.encodePacked(dollar);
        give(spender, uint256(keccak256(abi.encodePacked(CHAIN, dollar))), 70);
        hub.withdraw(request, signedWithdraw(request));
        pay(keccak256(abi.encode(request)), CHAIN_OF_TESTS);
        assertEq(dollar.balanceOf(RECEIVER), 70, "paid");
    }

    function test_Withdraw_WhenTakenBefore_Reverts() public {
        give(spender, TOKEN, 200);
        HubAllocator.WithdrawRequest memory request = requestOf(70);
        IAttestationVerifier.OracleSignature[] memory list = signedWithdraw(request);
        hub.withdraw(request, list);
        vm.expectRevert(abi.encodeWithSelector(HubPayloads.RequestRepeated.selector, keccak256(abi.encode(request))));
        hub.withdraw(request, list);
        assertEq(hub.balanceOf(spender, TOKEN), 130, "burned once");
    }

    function test_Withdraw_WhenBalanceIsTooSmall_Reverts() public {
        give(spender, TOKEN, 69);
        HubAllocator.WithdrawRequest memory request = requestOf(70);
        IAttestationVerifier.OracleSignature[] memory list = signedWithdraw(request);
        vm.expectRevert(abi.encodeWithSelector(ERC6909.ERC6909InsufficientBalance.selector, spender, 69, 70, TOKEN));
        hub.withdraw(request, list);
    }

    function test_Withdraw_WhenChainOrAddressIsNotLocal_Reverts() public {
        give(spender, TOKEN, 100);
        HubAllocator.WithdrawRequest memory request = requestOf(70);
        request.chainId = "base";
        expectRefused(request, abi.encodeWithSelector(HubPayloads.ChainNotSupported.selector, "base"));
        request.chainId = "local-";
        expectRefused(request, abi.encodeWithSelector(HubPayloads.ChainNotSupported.selector, "local-"));
        request.chainId = "local-1x";
        expectRefused(request, abi.encodeWithSelector(HubPayloads.ChainNotSupported.selector, "local-1x"));
        request = requestOf(70);
        request.receiver = hex"1234";
        expectRefused(request, abi.encodeWithSelector(HubPayloads.AddressMalformed.selector, hex"1234"));
        request = requestOf(70);
        request.depository = abi.encodePacked(BOB);
        expectRefused(request, abi.encodeWithSelector(HubPayloads.DepositoryNotSupported.selector, BOB));
    }

    function testFuzz_Withdraw_WhenOneWordDiffers_Reverts(uint256 which, uint256 amount) public {
        amount = bound(amount, 1, 100);
        give(spender, TOKEN, 1_000);
        HubAllocator.WithdrawRequest memory request = requestOf(amount);
        IAttestationVerifier.OracleSignature[] memory list = signedWithdraw(request);
        which = which % 8;
        if (which == 0) request.chainId = "local-31338";
        if (which == 1) request.currency = abi.encodePacked(BOB);
        if (which == 2) ++request.amount;
        if (which == 3) request.spenderChainId = "local-31338";
        if (which == 4) request.spender = abi.encodePacked(BOB);
        if (which == 5) request.receiver = abi.encodePacked(BOB);
        if (which == 6) request.data = hex"00";
        if (which == 7) request.nonce = keccak256("other");
        vm.expectRevert();
        hub.withdraw(request, list);
    }

    function test_PayloadBuilders_WhenDepositoryIsLocal_IsTheHub() public view {
        bytes memory known = abi.encodePacked(depository);
        assertEq(hub.payloadBuilders(CHAIN, known), address(hub), "local");
        assertEq(hub.payloadBuilders("base", known), address(0), "chain");
        assertEq(hub.payloadBuilders(CHAIN, abi.encodePacked(BOB)), address(0), "depository");
        assertEq(hub.payloadBuilders(1, Strings.toHexString(address(depository))), address(hub), "v2");
        assertEq(hub.payloadBuilders(1, Strings.toHexString(BOB)), address(0), "v2, depository");
        assertEq(hub.payloadBuilders(1, "nothing"), address(0), "v2, text");
        assertEq(hub.family(), "ethereum-vm", "family");
    }

    function test_SubmitWithdrawRequest_WhenOraclesSigned_BuildsAPayloadThatTheAllocatorSigns() public {
        HubAllocatorV2.SubmitWithdrawRequest memory request = submitRequestOf(70);
        bytes32 id = keccak256(abi.encode(request));
        hub.submitWithdrawRequest(request, signedSubmit(request));
        bytes32 hash = hub.hashToSign(CHAIN_OF_TESTS, request.depository, hub.payloads(id), 0);
        assertEq(hub.hashesToSign(id, 0), hash, "hash");
        bytes memory signature = signatureOf(hash, ALLOCATOR_KEY);
        vm.expectEmit(address(hub));
        emit HubAllocatorV2.PayloadSigned(id, signature);
        hub.submitSignature(id, signature);
        assertEq(hub.signedPayloads(id, hash), signature, "signature");
        pay(id, CHAIN_OF_TESTS);
        assertEq(RECEIVER.balance, 70, "paid");
    }

    function test_SubmitWithdrawRequest_WhenSubmittedBefore_Reverts() public {
        HubAllocatorV2.SubmitWithdrawRequest memory request = submitRequestOf(70);
        IAttestationVerifier.OracleSignature[] memory list = signedSubmit(request);
        hub.submitWithdrawRequest(request, list);
        vm.expectRevert(abi.encodeWithSelector(HubPayloads.RequestRepeated.selector, keccak256(abi.encode(request))));
        hub.submitWithdrawRequest(request, list);
    }

    function test_SubmitWithdrawRequest_WhenSignedForTheOtherAllocator_Reverts() public {
        HubAllocatorV2.SubmitWithdrawRequest memory request = submitRequestOf(70);
        IAttestationVerifier.OracleSignature[] memory list = signedFor("RelayAllocator", submitHash(request));
        vm.expectRevert();
        hub.submitWithdrawRequest(request, list);
    }

    function test_SubmitSignature_WhenAnotherKeySigned_Reverts() public {
        HubAllocatorV2.SubmitWithdrawRequest memory request = submitRequestOf(70);
        bytes32 id = keccak256(abi.encode(request));
        hub.submitWithdrawRequest(request, signedSubmit(request));
        bytes memory signature = signatureOf(hub.hashesToSign(id, 0), STRANGER_KEY);
        vm.expectRevert(
            abi.encodeWithSelector(SignedHash.WrongSigner.selector, vm.addr(STRANGER_KEY), vm.addr(ALLOCATOR_KEY))
        );
        hub.submitSignature(id, signature);
    }

    function test_SubmitSignature_WhenPayloadIsUnknown_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(HubAllocatorV2.PayloadUnknown.selector, keccak256("none")));
        hub.submitSignature(keccak256("none"), "");
    }

    function test_ExecuteAndWithdraw_WhenTokenIsTheSame_PaysTheRest() public {
        give(ORDER, TOKEN, 100);
        HubExecutor.ExecuteAndWithdrawRequest memory request = executorRequestOf(80);
        bytes32 hash = hub.executeAndWithdraw(request, signedExecutor(request));
        assertEq(hub.balanceOf(ORDER, TOKEN), 0, "order");
        assertEq(hub.balanceOf(BOB, TOKEN), 15, "fees");
        assertEq(hub.orderAddressByWithdrawRequestHash(hash), ORDER, "order address");
        pay(hash, CHAIN_OF_TESTS);
        assertEq(RECEIVER.balance, 85, "paid");
    }

    function test_ExecuteAndWithdraw_WhenTokenDiffers_PaysTheMinimumOutOfItsBalance() public {
        give(ORDER, TOKEN, 100);
        HubExecutor.ExecuteAndWithdrawRequest memory request = executorRequestOf(40);
        request.outChainId = "local-31338";
        address executor = aliasOf("relay", address(hub));
        uint256 other = uint256(keccak256(abi.encodePacked("local-31338", address(0))));
        IAttestationVerifier.OracleSignature[] memory list = signedExecutor(request);
        vm.expectRevert(abi.encodeWithSelector(ERC6909.ERC6909InsufficientBalance.selector, executor, 0, 40, other));
        hub.executeAndWithdraw(request, list);
        give(executor, other, 50);
        bytes32 hash = hub.executeAndWithdraw(request, list);
        assertEq(hub.balanceOf(executor, other), 10, "paid out of");
        assertEq(hub.balanceOf(executor, TOKEN), 85, "kept");
        assertTrue(hub.hashesToSign(hash, 0) != 0, "payload");
    }

    function test_ExecuteAndWithdraw_WhenExecutedBefore_Reverts() public {
        give(ORDER, TOKEN, 100);
        HubExecutor.ExecuteAndWithdrawRequest memory request = executorRequestOf(80);
        IAttestationVerifier.OracleSignature[] memory list = signedExecutor(request);
        hub.executeAndWithdraw(request, list);
        give(ORDER, TOKEN, 101);
        bytes32 digest = digestFor("RelayExecutor", executorHash(request));
        vm.expectRevert(abi.encodeWithSelector(HubExecutor.ExecutorRequestRepeated.selector, digest));
        hub.executeAndWithdraw(request, list);
    }

    function test_ExecuteAndWithdraw_WhenDeadlinePassed_Reverts() public {
        give(ORDER, TOKEN, 100);
        HubExecutor.ExecuteAndWithdrawRequest memory request = executorRequestOf(80);
        request.deadline = block.timestamp - 1;
        IAttestationVerifier.OracleSignature[] memory list = signedExecutor(request);
        vm.expectRevert(
            abi.encodeWithSelector(HubExecutor.DeadlinePassed.selector, block.timestamp - 1, block.timestamp)
        );
        hub.executeAndWithdraw(request, list);
        request.deadline = block.timestamp;
        hub.executeAndWithdraw(request, signedExecutor(request));
    }

    function test_ExecuteAndWithdraw_WhenDepositIsTooSmall_Reverts() public {
        HubExecutor.ExecuteAndWithdrawRequest memory request = executorRequestOf(80);
        IAttestationVerifier.OracleSignature[] memory list = signedExecutor(request);
        give(ORDER, TOKEN, 94);
        vm.expectRevert(abi.encodeWithSelector(HubExecutor.DepositTooSmall.selector, 94, 95));
        hub.executeAndWithdraw(request, list);
        request.outChainId = "local-31338";
        request.fees = new HubExecutor.Fee[](0);
        request.orderAddress = address(0xe3b7);
        list = signedExecutor(request);
        vm.expectRevert(abi.encodeWithSelector(HubExecutor.DepositTooSmall.selector, 0, 1));
        hub.executeAndWithdraw(request, list);
    }

    /// @dev Pays out a payload from the depository, which computes the hash itself to check the signature.
    function pay(bytes32 hash, uint256 chainId) private {
        vm.chainId(chainId);
        IDepository.CallRequest memory request = abi.decode(hub.payloads(hash), (IDepository.CallRequest));
        assertEq(request.expiration, block.timestamp + hub.PAYLOAD_VALIDITY(), "expiration");
        depository.execute(request, signatureOf(hub.hashesToSign(hash, 0), ALLOCATOR_KEY));
    }

    function expectRefused(HubAllocator.WithdrawRequest memory request, bytes memory reason) private {
        IAttestationVerifier.OracleSignature[] memory list = signedWithdraw(request);
        vm.expectRevert(reason);
        hub.withdraw(request, list);
    }

    function requestOf(uint256 amount) private view returns (HubAllocator.WithdrawRequest memory) {
        return HubAllocator.WithdrawRequest({
            chainId: CHAIN,
            depository: abi.encodePacked(depository),
            currency: NATIVE,
            amount: amount,
            spenderChainId: CHAIN,
            spender: abi.encodePacked(ALICE),
            receiver: abi.encodePacked(RECEIVER),
            data: "",
            nonce: keccak256("nonce")
        });
    }

    function submitRequestOf(uint256 amount) private view returns (HubAllocatorV2.SubmitWithdrawRequest memory) {
        return HubAllocatorV2.SubmitWithdrawRequest({
            chainId: CHAIN_OF_TESTS,
            depository: Strings.toHexString(address(depository)),
            currency: Strings.toHexString(address(0)),
            amount: amount,
            spender: spender,
            receiver: Strings.toHexString(RECEIVER),
            data: "",
            nonce: keccak256("nonce")
        });
    }

    function executorRequestOf(uint256 minimum)
        private
        view
        returns (HubExecutor.ExecuteAndWithdrawRequest memory request)
    {
        request.inChainId = CHAIN;
        request.inCurrency = NATIVE;
        request.outChainId = CHAIN;
        request.outCurrency = NATIVE;
        request.outAmountMinimum = minimum;
        request.depository = abi.encodePacked(depository);
        request.orderAddress = ORDER;
        request.receiver = abi.encodePacked(RECEIVER);
        request.fees = new HubExecutor.Fee[](2);
        request.fees[0] = HubExecutor.Fee(BOB, 10);
        request.fees[1] = HubExecutor.Fee(BOB, 5);
        request.nonce = keccak256("nonce");
        request.deadline = block.timestamp;
    }

    function signedWithdraw(HubAllocator.WithdrawRequest memory request)
        private
        view
        returns (IAttestationVerifier.OracleSignature[] memory)
    {
        bytes32 typeHash = keccak256(
            "WithdrawRequest(string chainId,bytes depository,bytes currency,uint256 amount,string spenderChainId,bytes spender,bytes receiver,bytes data,bytes32 nonce)"
        );
        bytes memory start = abi.encode(
            typeHash,
            keccak256(bytes(request.chainId)),
            keccak256(request.depository),
            keccak256(request.currency),
            request.amount
        );
        bytes memory end = abi.encode(
            keccak256(bytes(request.spenderChainId)),
            keccak256(request.spender),
            keccak256(request.receiver),
            keccak256(request.data),
            request.nonce
        );
        return signedFor("RelayAllocator", keccak256(bytes.concat(start, end)));
    }

    function submitHash(HubAllocatorV2.SubmitWithdrawRequest memory request) private pure returns (bytes32) {
        bytes32 typeHash = keccak256(
            "SubmitWithdrawRequest(uint256 chainId,string depository,string currency,uint256 amount,address spender,string receiver,bytes data,bytes32 nonce)"
        );
        bytes memory start = abi.encode(
            typeHash,
            request.chainId,
            keccak256(bytes(request.depository)),
            keccak256(bytes(request.currency)),
            request.amount
        );
        bytes memory end =
            abi.encode(request.spender, keccak256(bytes(request.receiver)), keccak256(request.data), request.nonce);
        return keccak256(bytes.concat(start, end));
    }

    function signedSubmit(HubAllocatorV2.SubmitWithdrawRequest memory request)
        private
        view
        returns (IAttestationVerifier.OracleSignature[] memory)
    {
        return signedFor("RelayAllocatorSpender", submitHash(request));
    }

    function executorHash(HubExecutor.ExecuteAndWithdrawRequest memory request) private pure returns (bytes32) {
        bytes memory fees;
        for (uint256 i = 0; i < request.fees.length; ++i) {
            fees = bytes.concat(
                fees,
                keccak256(
                    abi.encode(
                        keccak256("Fee(address recipient,uint256 amount)"),
                        request.fees[i].recipient,
                        request.fees[i].amount
                    )
                )
            );
        }
        bytes32 typeHash = keccak256(
            "ExecuteAndWithdrawRequest(string inChainId,bytes inCurrency,string outChainId,bytes outCurrency,uint256 outAmountMinimum,bytes depository,address orderAddress,bytes receiver,bytes data,Fee[] fees,bytes32 nonce,uint256 deadline)Fee(address recipient,uint256 amount)"
        );
        bytes memory start = abi.encode(
            typeHash,
            keccak256(bytes(request.inChainId)),
            keccak256(request.inCurrency),
            keccak256(bytes(request.outChainId)),
            keccak256(request.outCurrency),
            request.outAmountMinimum
        );
        bytes memory end = abi.encode(
            keccak256(request.depository),
            request.orderAddress,
            keccak256(request.receiver),
            keccak256(request.data),
            keccak256(fees),
            request.nonce,
            request.deadline
        );
        return keccak256(bytes.concat(start, end));
    }

    function signedExecutor(HubExecutor.ExecuteAndWithdrawRequest memory request)
        private
        view
        returns (IAttestationVerifier.OracleSignature[] memory)
    {
        return signedFor("RelayExecutor", executorHash(request));
    }
}
