import { numberToHex, pad, zeroAddress } from "viem";

import {
  BLOCK_REVERTER,
  errorData,
  GAS_EATER,
  REVERTER,
} from "../../../../packages/crosscall/src/localnet/scenarios/families/failScenario.ts";
import { approve, callOf, MINT, rawCall, SOLVER, TRANSFER, USER } from "../support/fillFork.ts";
import type { FailureCase } from "./failureCase.ts";

const RELAY = "function relay(address to, bytes data) payable";
const GAS_EATEN = numberToHex(100_000_000n, { size: 32 });

/**
 * Contract that sends one wei, with the gas stipend of Solidity's `transfer`, to the account in its call data.
 * Reverts if the call fails.
 */
const PLAIN_SENDER = {
  address: "0x00000000000000000000000000000000000000f1",
  code: "0x600060006000600060016000356000f160185760006000fd5b00",
} as const;

/** Failures of native currency transfers, gas limits, the solver's own calls, and calls with little revert data. */
export const CALL_FAILURES: readonly FailureCase[] = [
  {
    name: "native currency that another call spent",
    cause: "balance",
    make: ({ router }) => ({
      terms: { currency: zeroAddress },
      amount: 1_000n,
      calls: [rawCall(USER, "0x", 5n), rawCall(USER, "0x", 1_000n)],
      expected: {
        failReason: "INSUFFICIENT_NATIVE_TOKENS_SUPPLIED",
        txIndex: 1,
        error: "insufficient balance for transfer",
        path: [1],
        condition: { kind: "balance", account: router, needed: 1_000n, had: 995n, currency: zeroAddress },
      },
    }),
  },
  {
    name: "a contract that rejects native currency from the router's cleanup",
    cause: "recipient",
    make: async ({ deploy, router }) => {
      const refuser = await deploy("mocks/NativeRefuser");
      return {
        terms: { currency: zeroAddress },
        calls: [
          callOf(router, "function cleanupNativeViaCall(uint256 amount, address to, bytes data)", 0n, refuser, "0x"),
        ],
        expected: { failReason: "EXECUTION_REVERTED", txIndex: 0, error: "Refused(amount: 990)", path: [0, 0] },
      };
    },
  },
  {
    name: "an account that rejects the leftover native currency",
    cause: "recipient",
    make: async ({ deploy }) => {
      const refuser = await deploy("mocks/NativeRefuser");
      return {
        terms: { currency: zeroAddress, refundTo: refuser },
        calls: [rawCall(USER, "0x", 5n)],
        expected: { failReason: "TRANSFER_FAILED", txIndex: undefined, error: "Refused(amount: 985)", path: [1] },
      };
    },
  },
  {
    name: "a call that runs out of gas",
    cause: "gas",
    make: () => ({
      calls: [rawCall(GAS_EATER.address, GAS_EATEN)],
      expected: { failReason: "SWAP_USES_TOO_MUCH_GAS", txIndex: 0, error: "out of gas", path: [0] },
    }),
  },
  {
    name: "a call that runs out of gas while its caller reports another error",
    cause: "gas",
    make: async ({ deploy }) => {
      const target = await deploy("mocks/Target");
      return {
        calls: [callOf(target, RELAY, GAS_EATER.address, GAS_EATEN)],
        expected: { failReason: "SWAP_USES_TOO_MUCH_GAS", txIndex: 0, error: "out of gas", path: [0, 0] },
      };
    },
  },
  {
    name: "a gas limit that is too low, with the exact gas",
    cause: "gas",
    make: () => ({
      terms: { gas: 1_000_000n },
      calls: [rawCall(GAS_EATER.address, numberToHex(1_000_000n, { size: 32 }))],
      expected: {
        failReason: "QUOTED_GAS_LIMIT_EXCEEDED",
        txIndex: 0,
        error: "out of gas",
        path: [0],
        condition: { kind: "gas", needed: 2_083_007n, had: 1_000_000n },
      },
    }),
  },
  {
    name: "a recipient that needs more gas than a plain transfer provides",
    cause: "recipient",
    make: async ({ deploy, fork }) => {
      const hook = await deploy("mocks/NativeHook");
      await fork.request("hardhat_setCode", [PLAIN_SENDER.address, PLAIN_SENDER.code]);
      return {
        terms: { currency: zeroAddress },
        calls: [rawCall(PLAIN_SENDER.address, pad(hook), 1n)],
        expected: { failReason: "TRANSFER_FAILED", txIndex: 0, error: "out of gas", path: [0, 0] },
      };
    },
  },
  {
    name: "an instruction that consumes all gas",
    cause: "unknown",
    make: async ({ deploy }) => ({
      calls: [rawCall(await deploy("mocks/GasBurner"), "0x12345678")],
      expected: {
        failReason: "MISSING_REVERT_DATA",
        txIndex: 0,
        error: "invalid opcode: INVALID",
        path: [0],
      },
    }),
  },
  {
    name: "a call that reverts only if the gas price is not zero",
    cause: "unknown",
    make: () => ({
      calls: [rawCall(USER, "0x"), rawCall(BLOCK_REVERTER.address, "0x")],
      expected: { failReason: "TRANSACTION_REVERTED", txIndex: 1, error: "no revert data", path: [1] },
    }),
  },
  {
    name: "an error of the integrator's own contract",
    cause: "unknown",
    make: async ({ deploy }) => {
      const target = await deploy("mocks/Target");
      return {
        calls: [callOf(target, RELAY, target, callOf(target, "function fail(uint256 argument)", 7n).data)],
        expected: {
          failReason: "EXECUTION_REVERTED",
          txIndex: 0,
          error: `Failed(caller: ${target}, argument: 7)`,
          path: [0, 0],
        },
      };
    },
  },
  {
    name: "a contract that reverts without data",
    cause: "unknown",
    make: async ({ deploy }) => ({
      calls: [callOf(await deploy("mocks/Target"), "function failSilently()")],
      expected: { failReason: "MISSING_REVERT_DATA", txIndex: 0, error: "no revert data", path: [0] },
    }),
  },
  {
    name: "call data that is too large for nodes",
    cause: "input",
    make: () => ({
      calls: [rawCall(USER, pad("0x01", { size: 131_072 }))],
      expected: {
        failReason: "TRANSACTION_TOO_LARGE",
        txIndex: undefined,
        error: "131492 bytes of call data",
        path: [],
        condition: { kind: "callDataBytes", needed: 131_492n, had: 131_072n },
      },
    }),
  },
  {
    name: "a payment that exceeds the solver's balance",
    cause: "balance",
    make: async ({ deploy, router, send }) => {
      const token = await deploy("localnet/tokens/LocalToken");
      await send(callOf(token, MINT, SOLVER, 989n));
      await send(approve(token, router), SOLVER);
      const pay = callOf(
        token,
        "function transferFrom(address from, address to, uint256 amount)",
        SOLVER,
        router,
        990n,
      );
      return {
        solverCalls: [pay],
        calls: [rawCall(USER, "0x")],
        expected: {
          failReason: "SOLVER_BALANCE_TOO_LOW",
          txIndex: undefined,
          error: `ERC20InsufficientBalance(sender: ${SOLVER}, balance: 989, needed: 990)`,
          path: [0],
          condition: { kind: "balance", account: SOLVER, needed: 990n, had: 989n, currency: token },
        },
      };
    },
  },
  {
    name: "a payment that was already made",
    cause: "nonce",
    make: () => ({
      solverCalls: [
        rawCall(
          REVERTER.address,
          errorData("error AuthorizationAlreadyUsed(address authorizer, bytes32 nonce)", SOLVER, pad("0x02")),
        ),
      ],
      calls: [rawCall(USER, "0x")],
      expected: {
        failReason: "ORDER_ALREADY_FILLED",
        txIndex: undefined,
        error: `AuthorizationAlreadyUsed(authorizer: ${SOLVER}, nonce: ${pad("0x02")})`,
        path: [0],
      },
    }),
  },
  {
    name: "a failure after a call that may fail",
    cause: "balance",
    make: ({ contracts: { dollar }, router }) => ({
      calls: [
        { ...callOf(dollar, TRANSFER, USER, 2_000n), allowFailure: true },
        callOf(dollar, TRANSFER, USER, 1_000n),
      ],
      expected: {
        failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
        txIndex: 1,
        error: `ERC20InsufficientBalance(sender: ${router}, balance: 990, needed: 1000)`,
        path: [1],
        condition: { kind: "balance", account: router, needed: 1_000n, had: 990n, currency: dollar },
      },
    }),
  },
];
