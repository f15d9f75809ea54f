import { expect } from "chai";
import {
  type Abi,
  type Address,
  encodeErrorResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from "viem";

import { cleanupErc20s, cleanupErc20sViaCall } from "../../../packages/sdk/src/calls/index.ts";
import { readArtifact } from "../../../packages/crosscall/src/artifacts.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import type { FailReason } from "../../../packages/protocol/src/request/failReasons.ts";
import type { Call } from "../../../packages/protocol/src/index.ts";
import { depositAndWatch, deployMock, quoteEther, requestIdOf } from "../support/requests.ts";
import { recordOf } from "../support/serviceCalls.ts";
import { useNetwork } from "../../support/useNetwork.ts";

const USER_ABI = parseAbi([
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
]);
/** Loosely typed, because the tests choose functions and errors by name. */
const ERC20: Abi = erc20Abi;
const FOREIGN_ERRORS: Abi = parseAbi([
  "error V3TooLittleReceived()",
  "error TooMuchSlippage(address token, uint256 expected, uint256 actual)",
  "error EnforcedPause()",
  "error OrderAlreadyFilled(bytes32 orderHash)",
  "error InexactFraction()",
  "error IncorrectPayment(uint256 got, uint256 want)",
  "error Error(string message)",
]);

describe("the failure reason for a fill that would revert", () => {
  const network = useNetwork();
  let destination: LocalnetChain;
  let target: Address;

  before(async () => {
    destination = network.chains[1];
    target = await deployMock(network, destination, "mocks/Target");
  });

  const onTarget = (functionName: string, ...args: unknown[]): Call => ({
    to: target,
    data: encodeFunctionData({ abi: readArtifact("mocks/Target").abi, functionName, args }),
    value: "0",
  });
  const onDollar = (functionName: "transfer" | "transferFrom", ...args: unknown[]): Call => ({
    to: destination.contracts.dollar,
    data: encodeFunctionData({ abi: ERC20, functionName, args }),
    value: "0",
  });

  /**
   * Expects that a request with a harmless call and then this call is refunded, and that the record names this
   * call.
   */
  async function expectReason(call: Call, reason: FailReason, error: string): Promise<void> {
    const quote = await quoteEther(network, { txs: [onTarget("record", 1n), call] });
    const { status, details } = await depositAndWatch(network, quote);
    expect([status, details]).to.deep.equal(["refund", `${reason}: call 1 to ${call.to}: ${error}`]);
    const { data } = await recordOf(network, requestIdOf(quote));
    expect(data.failReason).to.equal(reason);
    expect(data.failedTxBlockNumber).to.be.a("number");
    expect(data.failedCallData?.to).to.equal(destination.contracts.router.toLowerCase());
  }

  it("is an insufficient balance", async () => {
    const { router } = destination.contracts;
    const quote = await quoteEther(network, { txs: [onDollar("transfer", target, 10n ** 20n)] });
    const { details } = await depositAndWatch(network, quote);
    expect(details).to.equal(
      "TRANSFER_AMOUNT_EXCEEDS_BALANCE: call 0 to " +
        `${destination.contracts.dollar}: ERC20InsufficientBalance(${router}, ${quote.details.currencyOut.amount}, ${10n ** 20n})`,
    );
  });

  it("is an insufficient allowance", async () => {
    const { user, stranger } = network.accounts;
    await expectReason(
      onDollar("transferFrom", user.address, stranger.address, 1n),
      "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
      `ERC20InsufficientAllowance(${destination.contracts.router}, 0, 1)`,
    );
  });

  it("is an expired signature, or a signature from another account", async () => {
    const { user, stranger } = network.accounts;
    const permit = (deadline: bigint, v: number, r: Hex, s: Hex): Call => ({
      to: destination.contracts.dollar,
      data: encodeFunctionData({
        abi: USER_ABI,
        functionName: "permit",
        args: [user.address, stranger.address, 1n, deadline, v, r, s],
      }),
      value: "0",
    });
    const word: Hex = `0x${"11".repeat(32)}`;
    await expectReason(permit(1n, 27, word, word), "SIGNATURE_EXPIRED", "ERC2612ExpiredSignature(1)");
    await expectReason(permit(2n ** 40n, 99, word, word), "INVALID_SIGNATURE", "ECDSAInvalidSignature()");
  });

  it("is an unknown error, or empty revert data", async () => {
    await expectReason(
      onTarget("fail", 7n),
      "EXECUTION_REVERTED",
      `error ${toFunctionSelector("function Failed(address,uint256)")}`,
    );
    await expectReason(onTarget("failSilently"), "MISSING_REVERT_DATA", "no revert data");
  });

  it("is an exceeded gas limit if the fill needs more than the normal or the quoted limit", async () => {
    const burner = await deployMock(network, destination, "mocks/GasBurner");
    const quote = await quoteEther(network, { txs: [onTarget("work", 4_500n)] });
    const { details } = await depositAndWatch(network, quote);
    expect(details).to.match(
      /^QUOTED_GAS_LIMIT_EXCEEDED: the fill needs \d+ gas, which is more than the limit of 10000000$/u,
    );
    await expectReason({ to: burner, data: "0x", value: "0" }, "MISSING_REVERT_DATA", "no revert data");
    await expectReason(onTarget("work", 10n ** 9n), "SWAP_USES_TOO_MUCH_GAS", "out of gas");
  });

  const WORD: Hex = `0x${"22".repeat(32)}`;
  const foreign: readonly (readonly [string, readonly unknown[], FailReason, string])[] = [
    ["V3TooLittleReceived", [], "TOO_LITTLE_RECEIVED", "V3TooLittleReceived()"],
    ["TooMuchSlippage", [WORD.slice(0, 42), 2n, 1n], "SLIPPAGE", `TooMuchSlippage(${WORD.slice(0, 42)}, 2, 1)`],
    ["EnforcedPause", [], "CONTRACT_PAUSED", "EnforcedPause()"],
    ["OrderAlreadyFilled", [WORD], "ORDER_ALREADY_FILLED", `OrderAlreadyFilled(${WORD})`],
    ["InexactFraction", [], "SEAPORT_INEXACT_FRACTION", "InexactFraction()"],
    ["IncorrectPayment", [1n, 2n], "INCORRECT_PAYMENT", "IncorrectPayment(1, 2)"],
    ["Error", ["STF"], "TRANSFER_FROM_FAILED", "STF"],
    ["Error", ["AA25 invalid account nonce"], "ACCOUNT_ABSTRACTION_INVALID_NONCE", "AA25 invalid account nonce"],
  ];
  for (const [errorName, args, reason, description] of foreign) {
    it(`is ${reason} if a contract reverts with ${description.slice(0, 40)}`, async () => {
      const answer = encodeErrorResult({ abi: FOREIGN_ERRORS, errorName, args });
      const said = await deployMock(network, destination, "mocks/FixedAnswer", [answer]);
      await expectReason(onTarget("failLike", said), reason, description);
    });
  }

  it("is the inner call's reason if the router's error does not contain it", async () => {
    const { dollar, router } = destination.contracts;
    const paused = await deployMock(network, destination, "mocks/FixedAnswer", [
      encodeErrorResult({ abi: FOREIGN_ERRORS, errorName: "EnforcedPause" }),
    ]);
    const { data } = onTarget("failLike", paused);
    const viaCall = cleanupErc20sViaCall({ router, cleanups: [{ token: dollar, to: target, data: data as Hex }] });
    await expectReason(viaCall, "CONTRACT_PAUSED", "EnforcedPause()");
    const sweep = cleanupErc20s({ router, cleanups: [{ token: dollar, recipient: target, amount: 10n ** 20n }] });
    const { details } = await depositAndWatch(network, await quoteEther(network, { txs: [sweep] }));
    expect(details).to.match(/^TRANSFER_AMOUNT_EXCEEDS_BALANCE: call 0 to \w+: ERC20InsufficientBalance\(/u);
  });

  it("is the recipient's error if the quote has no calls", async () => {
    const refuser = await deployMock(network, destination, "mocks/NativeRefuser");
    const quote = await quoteEther(network, {
      destinationCurrency: "0x0000000000000000000000000000000000000000",
      recipient: refuser,
    });
    const { status, details } = await depositAndWatch(network, quote);
    expect([status, details]).to.deep.equal([
      "refund",
      `EXECUTION_REVERTED: error ${toFunctionSelector("function Refused(uint256)")}`,
    ]);
  });
});
