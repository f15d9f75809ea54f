// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IRequestReceiver} from "../../../contracts/interfaces/IRequestReceiver.sol";
import {RequestSignature} from "../../../contracts/libraries/RequestSignature.sol";
import {LocalDepository} from "../../../contracts/localnet/LocalDepository.sol";
import {LocalDollar} from "../../../contracts/localnet/tokens/LocalDollar.sol";
import {HookedToken} from "../../../contracts/mocks/HookedToken.sol";
import {ReentrantPolicy} from "../../../contracts/mocks/ReentrantPolicy.sol";
import {RequestReceiver} from "../../../contracts/receiver/RequestReceiver.sol";
import {Permit2} from "./Permit2.sol";

/// @title Calls a receiver in any order as payers, strangers, a hostile token or a hostile policy
/// @dev The solver wallet signs one request per id; the id determines the other words. A payment may fail, but the
/// handler never reverts. Counts donations to the receiver, to separate them from payments.
contract ReceiverHandler is Permit2 {
    uint256 internal constant REQUESTS = 12;
    uint256 internal constant LATEST = 10_000;
    bytes32 internal constant PERMIT_TYPEHASH = 0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9;
    address internal constant STRANGER = address(0xb0b);

    /// @dev Options of a payment attempt.
    struct Attempt {
        uint256 way;
        bool deposits;
        bool isCompact;
        bool isForged;
        bool isStranger;
        uint256 validUntil;
        uint256 native;
    }

    RequestReceiver public receiver;
    LocalDepository public depository = LocalDepository(deployCode("LocalDepository", abi.encode(STRANGER, STRANGER)));
    address public solver = vm.addr(KEY);
    LocalDollar internal dollar = LocalDollar(deployCode("LocalDollar"));
    HookedToken internal hooked = HookedToken(deployCode("HookedToken"));
    ReentrantPolicy internal policy = ReentrantPolicy(deployCode("ReentrantPolicy"));
    uint256[2] internal userKeys = [uint256(0xa11ce), 0xca7];

    mapping(uint256 index => uint256) public payments;
    mapping(uint256 index => uint256) public delivered;
    mapping(address currency => uint256) public given;
    uint256 public paidInAPayment;
    uint256 private _nonce;
    bool private _isPaying;

    constructor() {
        receiver = RequestReceiver(
            deployCode("RequestReceiver", abi.encode(solver, address(depository), placePermit2(), policy))
        );
        policy.arm(abi.encodeCall(IRequestReceiver.solver, ()));
        for (uint256 i = 0; i < userKeys.length; ++i) {
            address user = vm.addr(userKeys[i]);
            vm.deal(user, 1e30);
            dollar.mint(user, 1e30);
            hooked.mint(user, 1e30);
            allow(user, type(uint256).max, true);
            vm.prank(user);
            dollar.approve(PERMIT2, type(uint256).max);
            vm.prank(user);
            hooked.approve(PERMIT2, type(uint256).max);
        }
    }

    /// @dev Tries to pay a request.
    function pay(uint256 index, Attempt memory attempt) external {
        index = bound(index, 0, REQUESTS - 1);
        attempt.way = bound(attempt.way, 0, 3);
        attempt.validUntil = attempt.validUntil % 8 == 0 ? 0 : LATEST;
        // Most attempts are honest, because otherwise almost no payment would succeed.
        attempt.isForged = attempt.isForged && attempt.native % 4 == 0;
        attempt.isStranger = attempt.isStranger && attempt.native % 3 == 0;
        _pay(index, attempt);
    }

    /// @dev Grants or revokes a user's allowances.
    function allow(uint256 who, uint256 amount, bool isEnough) external {
        allow(vm.addr(userKeys[who % 2]), bound(amount, 0, 1e6), isEnough);
    }

    /// @dev Donates tokens to the receiver.
    function donate(uint256 amount, bool isHooked) external {
        amount = bound(amount, 0, 1e6);
        address token = isHooked ? address(hooked) : address(dollar);
        if (isHooked) hooked.mint(address(receiver), amount);
        else dollar.mint(address(receiver), amount);
        given[token] += amount;
    }

    /// @dev Forces native currency into the receiver.
    function forceNative(uint256 amount) external {
        amount = bound(amount, 0, 1e6);
        vm.deal(address(receiver), address(receiver).balance + amount);
        given[address(0)] += amount;
    }

    /// @dev Arms the hostile token: during its next transfer, it tries to pay this or another request.
    function armToken(uint256 index, bool deposits) external {
        index = bound(index, 0, REQUESTS - 1);
        RequestSignature.Request memory request = requestOf(index);
        bytes memory data = abi.encodeCall(
            IRequestReceiver.payTokenWithPermit2,
            (request, termsOf(index, deposits, LATEST), sign(request, KEY), ++_nonce, agreement(index, deposits))
        );
        hooked.arm(address(this), abi.encodeCall(this.tryInAHook, (index, deposits, data)));
    }

    /// @dev Configures the hostile policy to try a payment during each check, or only to read.
    function armPolicy(uint256 index, bool isHostile) external {
        RequestSignature.Request memory request = requestOf(bound(index, 0, REQUESTS - 1));
        bytes memory signature = sign(request, KEY);
        IRequestReceiver.Terms memory terms = IRequestReceiver.Terms(LATEST, bytes32(0));
        policy.arm(
            isHostile
                ? abi.encodeCall(IRequestReceiver.payToken, (request, terms, signature))
                : abi.encodeCall(IRequestReceiver.paid, (request.requestId))
        );
    }

    /// @dev Receives the hostile token's call. Ignores failures, so that the outer transfer continues.
    function tryInAHook(uint256 index, bool deposits, bytes calldata data) external {
        if (msg.sender != address(hooked)) return;
        if (_try(index, deposits, address(this), 0, data) && _isPaying) ++paidInAPayment;
    }

    function requestOf(uint256 index) public view returns (RequestSignature.Request memory) {
        return RequestSignature.Request({
            requestId: keccak256(abi.encode("request", index)),
            originChainId: PERMIT2_CHAIN_ID,
            originUser: word(vm.addr(userKeys[index % 2])),
            originCurrency: word(currencyOf(index)),
            originAmount: 1 + ((index * 7919) % 1000),
            destinationChainId: 792703809,
            destinationUser: keccak256("recipient")
        });
    }

    function currencyOf(uint256 index) public view returns (address) {
        address[3] memory currencies = [address(0), address(dollar), address(hooked)];
        return currencies[index % 3];
    }

    function balanceOf(address currency, address holder) public view returns (uint256) {
        return currency == address(0) ? holder.balance : IERC20(currency).balanceOf(holder);
    }

    function _pay(uint256 index, Attempt memory attempt) private {
        bytes memory data = dataOf(index, attempt);
        uint256 value = requestOf(index).originAmount;
        if (attempt.way != 0) value = 0;
        else if (attempt.native % 5 == 0) value = bound(attempt.native, 0, 1_000);
        vm.deal(STRANGER, value);
        _isPaying = true;
        _try(index, attempt.deposits, attempt.isStranger ? STRANGER : vm.addr(userKeys[index % 2]), value, data);
        _isPaying = false;
    }

    /// @dev Calls the receiver. Records the amount that a successful call delivers.
    function _try(uint256 index, bool deposits, address sender, uint256 value, bytes memory data)
        private
        returns (bool success)
    {
        address recipient = deposits ? address(depository) : solver;
        uint256 held = balanceOf(currencyOf(index), recipient);
        vm.prank(sender);
        (success,) = address(receiver).call{value: value}(data);
        if (!success) return false;
        ++payments[index];
        delivered[index] += balanceOf(currencyOf(index), recipient) - held;
    }

    function dataOf(uint256 index, Attempt memory attempt) private returns (bytes memory) {
        RequestSignature.Request memory request = requestOf(index);
        IRequestReceiver.Terms memory terms = termsOf(index, attempt.deposits, attempt.validUntil);
        uint256 key = attempt.isForged ? KEY + 1 : KEY;
        bytes memory signature = attempt.isCompact ? signCompact(request, key) : sign(request, key);
        if (attempt.way == 0) return abi.encodeCall(IRequestReceiver.payNative, (request, terms, signature));
        if (attempt.way == 1) return abi.encodeCall(IRequestReceiver.payToken, (request, terms, signature));
        if (attempt.way == 2) {
            (uint8 v, bytes32 r, bytes32 s) = permit(index, terms.validUntil);
            return abi.encodeCall(IRequestReceiver.payTokenWithPermit, (request, terms, signature, v, r, s));
        }
        ++_nonce;
        return abi.encodeCall(
            IRequestReceiver.payTokenWithPermit2,
            (request, terms, signature, _nonce, agreement(index, attempt.deposits))
        );
    }

    function permit(uint256 index, uint256 deadline) private view returns (uint8 v, bytes32 r, bytes32 s) {
        address payer = vm.addr(userKeys[index % 2]);
        uint256 amount = requestOf(index).originAmount;
        bytes32 structHash =
            keccak256(abi.encode(PERMIT_TYPEHASH, payer, address(receiver), amount, dollar.nonces(payer), deadline));
        return
            vm.sign(userKeys[index % 2], keccak256(abi.encodePacked("\x19\x01", dollar.DOMAIN_SEPARATOR(), structHash)));
    }

    /// @dev Returns the user's Permit2 signature, with the nonce of this attempt.
    function agreement(uint256 index, bool deposits) private view returns (bytes memory) {
        return signPermit2(
            Permit2Transfer({
                token: currencyOf(index),
                amount: requestOf(index).originAmount,
                spender: address(receiver),
                nonce: _nonce,
                deadline: LATEST,
                requestId: requestOf(index).requestId,
                orderId: termsOf(index, deposits, LATEST).orderId
            }),
            userKeys[index % 2]
        );
    }

    function termsOf(uint256 index, bool deposits, uint256 validUntil)
        private
        pure
        returns (IRequestReceiver.Terms memory)
    {
        return IRequestReceiver.Terms(validUntil, deposits ? keccak256(abi.encode("order", index)) : bytes32(0));
    }

    function allow(address user, uint256 amount, bool isEnough) private {
        uint256 value = isEnough ? type(uint256).max : amount;
        vm.prank(user);
        dollar.approve(address(receiver), value);
        vm.prank(user);
        hooked.approve(address(receiver), value);
    }
}
