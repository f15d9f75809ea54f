// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRouter} from "../../../contracts/interfaces/IRouter.sol";
import {LocalApprovalProxy32} from "../../../contracts/localnet/LocalApprovalProxy32.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {LocalToken} from "../../../contracts/localnet/tokens/LocalToken.sol";
import {Target} from "../../../contracts/mocks/Target.sol";
import {Authorizations} from "../support/Authorizations.sol";
import {RouterCalls} from "../support/RouterCalls.sol";

contract LocalApprovalProxy32Test is Authorizations, RouterCalls {
    uint256 internal constant OWNER_KEY = 0xa11ce;
    address internal constant RELAYER = address(0x501);
    address internal constant REFUND = address(0xb0b);

    address internal owner = vm.addr(OWNER_KEY);
    LocalToken internal token = LocalToken(deployCode("LocalToken"));
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    Target internal target = Target(deployCode("Target"));
    LocalApprovalProxy32 internal proxy = LocalApprovalProxy32(
        deployCode("LocalApprovalProxy32", abi.encode(RELAYER, address(0), address(0), address(router)))
    );

    function routerName() internal pure override returns (string memory) {
        return "LocalRouter32";
    }

    function setUp() public {
        token.mint(owner, 100);
        dollar.mint(owner, 100);
        vm.deal(RELAYER, 10);
    }

    function test_Selectors_AreThoseOfTheLiveProxy() public view {
        assertEq(proxy.permitTransferAndMulticall.selector, bytes4(0xbd4967a9), "permit");
        assertEq(proxy.permit2TransferAndMulticall.selector, bytes4(0x0a2b8f36), "permit2");
        assertEq(proxy.permit3009TransferAndMulticall.selector, bytes4(0x745599f3), "permit3009");
        assertEq(proxy.VERSION(), "3.2", "version");
    }

    function test_TransferAndMulticall_MovesTokensAndRunsCalls() public {
        vm.prank(owner);
        token.approve(address(proxy), 60);
        vm.expectEmit(address(proxy));
        emit IRouter.FundsMovement(owner, address(router), address(token), 60, "meta");
        vm.expectEmit(address(target));
        emit Target.Recorded(address(router), 0, 1);
        vm.prank(owner);
        proxy.transferAndMulticall(addresses(address(token)), amounts(60), record(), REFUND, address(0), "meta");
        assertEq(token.balanceOf(address(router)), 60, "router");
    }

    function test_TransferAndMulticall_WhenAmountsDiffer_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(LocalApprovalProxy32.ArrayLengthsMismatch.selector));
        proxy.transferAndMulticall(addresses(address(token)), amounts(1, 2), record(), REFUND, address(0), "");
    }

    function test_TransferAndMulticall_WhenRefundToIsZero_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(LocalApprovalProxy32.RefundToCannotBeZeroAddress.selector));
        proxy.transferAndMulticall(addresses(address(token)), amounts(1), record(), address(0), address(0), "");
    }

    function test_PermitTransferAndMulticall_RefundsWhatIsLeft() public {
        LocalApprovalProxy32.Permit[] memory permits = permitOf();
        vm.expectEmit(address(target));
        emit Target.Recorded(address(router), 0, 1);
        vm.prank(owner);
        proxy.permitTransferAndMulticall(permits, record(), REFUND, address(0), "");
        assertEq(token.balanceOf(REFUND), 100, "refund");
        assertEq(token.balanceOf(address(router)), 0, "router");
    }

    function test_PermitTransferAndMulticall_WhenCallerIsNotTheOwner_Reverts() public {
        LocalApprovalProxy32.Permit[] memory permits = permitOf();
        vm.expectRevert(abi.encodeWithSelector(LocalApprovalProxy32.Unauthorized.selector));
        vm.prank(RELAYER);
        proxy.permitTransferAndMulticall(permits, record(), REFUND, address(0), "");
    }

    function test_Permit3009TransferAndMulticall_RunsTheSignedCalls() public {
        (LocalApprovalProxy32.Authorization[] memory permits, bytes[] memory signatures) = authorize(3);
        vm.expectEmit(address(proxy));
        emit IRouter.FundsMovement(owner, address(router), address(dollar), 100, "meta");
        vm.expectEmit(address(target));
        emit Target.Recorded(address(router), 0, 1);
        send(permits, signatures, 3);
        assertEq(dollar.balanceOf(REFUND), 100, "refund");
        assertEq(REFUND.balance, 3, "native refund");
    }

    function test_Permit3009TransferAndMulticall_WhenTheValueDiffers_Reverts() public {
        (LocalApprovalProxy32.Authorization[] memory permits, bytes[] memory signatures) = authorize(3);
        vm.expectRevert(abi.encodeWithSelector(LocalApprovalProxy32.InvalidMulticallSignature.selector));
        send(permits, signatures, 2);
    }

    function test_Permit3009TransferAndMulticall_WhenASignatureIsMissing_Reverts() public {
        (LocalApprovalProxy32.Authorization[] memory permits,) = authorize(0);
        vm.expectRevert(abi.encodeWithSelector(LocalApprovalProxy32.ArrayLengthsMismatch.selector));
        send(permits, new bytes[](0), 0);
    }

    function test_Permit3009TransferAndMulticall_WhenThereIsNoPermit_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(LocalApprovalProxy32.PermitsCannotBeEmpty.selector));
        proxy.permit3009TransferAndMulticall(
            new LocalApprovalProxy32.Authorization[](0),
            new address[](0),
            record(),
            REFUND,
            address(0),
            "",
            new bytes[](0)
        );
    }

    function send(LocalApprovalProxy32.Authorization[] memory permits, bytes[] memory signatures, uint256 value)
        internal
    {
        address[] memory tokens = addresses(address(dollar));
        IRouter.Call3Value[] memory calls = record();
        vm.prank(RELAYER);
        proxy.permit3009TransferAndMulticall{value: value}(
            permits, tokens, calls, REFUND, address(0), "meta", signatures
        );
    }

    function record() internal view returns (IRouter.Call3Value[] memory) {
        return steps(step(address(target), abi.encodeCall(Target.record, (1))));
    }

    function permitOf() internal view returns (LocalApprovalProxy32.Permit[] memory permits) {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                owner,
                address(proxy),
                100,
                0,
                block.timestamp
            )
        );
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(OWNER_KEY, keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), structHash)));
        permits = new LocalApprovalProxy32.Permit[](1);
        permits[0] = LocalApprovalProxy32.Permit(address(token), owner, 100, block.timestamp, v, r, s);
    }

    /// @dev The type strings are copied from the live contract.
    function authorize(uint256 msgValue)
        internal
        view
        returns (LocalApprovalProxy32.Authorization[] memory permits, bytes[] memory signatures)
    {
        bytes32 digest = digestOfCalls(msgValue);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OWNER_KEY, digest);
        signatures = new bytes[](1);
        signatures[0] = abi.encodePacked(r, s, v);
        Authorization memory a = Authorization(owner, address(proxy), 100, 0, type(uint256).max, digest);
        Signature memory funding = signTransfer(dollar, RECEIVE_TYPEHASH, a, OWNER_KEY);
        permits = new LocalApprovalProxy32.Authorization[](1);
        permits[0] =
            LocalApprovalProxy32.Authorization(owner, 100, 0, type(uint256).max, funding.v, funding.r, funding.s);
    }

    function digestOfCalls(uint256 msgValue) internal view returns (bytes32) {
        bytes memory callData = abi.encodeCall(Target.record, (1));
        bytes32 call = keccak256(
            abi.encode(
                keccak256("Call3Value(address target,bool allowFailure,uint256 value,bytes callData)"),
                address(target),
                false,
                0,
                keccak256(callData)
            )
        );
        bytes32 funding = keccak256(
            abi.encode(
                keccak256(
                    "FundingAuthorization(address token,address from,uint256 value,uint256 validAfter,uint256 validBefore)"
                ),
                address(dollar),
                owner,
                100,
                0,
                type(uint256).max
            )
        );
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "MulticallAuthorization(address from,address relayer,uint256 msgValue,address refundTo,address nftRecipient,bytes metadata,uint256 fundingIndex,Call3Value[] calls,FundingAuthorization[] funding)Call3Value(address target,bool allowFailure,uint256 value,bytes callData)FundingAuthorization(address token,address from,uint256 value,uint256 validAfter,uint256 validBefore)"
                ),
                owner,
                RELAYER,
                msgValue,
                REFUND,
                address(0),
                keccak256("meta"),
                0,
                keccak256(abi.encodePacked(call)),
                keccak256(abi.encodePacked(funding))
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("RelayApprovalProxy"),
                keccak256("3.2"),
                block.chainid,
                address(proxy)
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, structHash));
    }
}
