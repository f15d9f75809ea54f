import { type Address, type Hex, numberToHex, pad, zeroAddress } from "viem";

import { pushAndExecute } from "../../../../src/calls/program/pushAndExecute.ts";
import { encodeProgram } from "../../../../src/calls/program/encodeProgram.ts";
import {
  BLOCK_REVERTER,
  errorData,
  GAS_EATER,
  REVERTER,
} from "../../../../src/localnet/scenarios/families/failScenario.ts";
import type { FillCall } from "../../../../src/replay/fillPlan.ts";
import { approve, callOf, execute, MINT, rawCall, TRANSFER, USER, SOLVER } from "../support/fillFork.ts";
import { condition, type FailureCase } from "./failureCase.ts";

const SWAP =
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable returns (uint256 amountOut)";
const RELAY = "function relay(address to, bytes data) payable";
const GAS_EATEN = numberToHex(100_000_000n, { size: 32 });

/** The calls that push the router's balance and run a program. */
function pushed(parameters: Parameters<typeof pushAndExecute>[0]): FillCall[] {
  return pushAndExecute(parameters).map(({ to, data }) => rawCall(to as Address, data as Hex));
}

/** What the kit's contracts, markets, the router and gas refuse. */
export const CONTRACT_FAILURES: readonly FailureCase[] = [
  {
    name: "a proxy that gets less than its minimum",
    make: ({ contracts: { dollar, vaultProxy } }) => ({
      calls: [approve(dollar, vaultProxy), execute(vaultProxy, { minimumIn: 1_000n })],
      expected: {
        failReason: "TOO_LITTLE_RECEIVED",
        txIndex: 1,
        error: "InsufficientInput(amountIn: 990, minimumIn: 1000)",
        path: [1],
        condition: condition("amount that arrives", 1_000n, 990n, dollar),
      },
    }),
  },
  {
    name: "a proxy that gives less than its minimum",
    make: ({ contracts: { dollar, vault, vaultProxy } }) => ({
      calls: [approve(dollar, vaultProxy), execute(vaultProxy, { minimumOut: 991n })],
      expected: {
        failReason: "SLIPPAGE",
        txIndex: 1,
        error: "InsufficientOutput(amountOut: 990, minimumOut: 991)",
        path: [1],
        condition: condition("what the recipient gains", 991n, 990n, vault),
      },
    }),
  },
  {
    name: "a proxy whose deadline is over",
    make: ({ contracts: { dollar, vaultProxy }, fork }) => ({
      calls: [approve(dollar, vaultProxy), execute(vaultProxy, { deadline: 9n })],
      expected: {
        failReason: "SIGNATURE_EXPIRED",
        txIndex: 1,
        error: `DeadlinePassed(deadline: 9, timestamp: ${fork.environment.timestamp})`,
        path: [1],
        condition: condition("deadline", fork.environment.timestamp, 9n),
      },
    }),
  },
  {
    name: "a program that gets less than its minimum, of a token that takes a fee",
    make: async ({ contracts: { feeToken, dollar }, deploy, router, send }) => {
      const executor = await deploy("executor/PushExecutor", router);
      await send(callOf(feeToken, MINT, router, 1_000n));
      const program = encodeProgram(
        {
          recipient: USER,
          tokens: [{ token: feeToken, minimumIn: 1_000n }],
          steps: [{ target: dollar, data: "0x06fdde03" }],
        },
        { executor, livePuller: SOLVER, router },
      );
      return {
        calls: pushed({ executor, program, router }),
        expected: {
          failReason: "TOO_LITTLE_RECEIVED",
          txIndex: 1,
          error: `InsufficientInput(token: ${feeToken}, amount: 990, minimumIn: 1000)`,
          path: [1],
          condition: condition("amount that arrives", 1_000n, 990n, feeToken),
        },
      };
    },
  },
  {
    name: "a step of a program that spends what it was not allowed to",
    make: async ({ contracts: { dollar, vault }, deploy, router }) => {
      const executor = await deploy("executor/PushExecutor", router);
      const step = callOf(vault, "function deposit(uint256 assets, address receiver)", 3n, USER);
      const program = encodeProgram(
        { recipient: USER, tokens: [{ token: dollar }], steps: [{ target: vault, data: step.data }] },
        { executor, livePuller: SOLVER, router },
      );
      return {
        calls: pushed({ executor, program, router }),
        expected: {
          failReason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
          txIndex: 1,
          error: `ERC20InsufficientAllowance(spender: ${vault}, allowance: 0, needed: 3)`,
          path: [1, 1, 1],
          condition: condition(`allowance of ${vault}`, 3n, 0n, dollar),
        },
      };
    },
  },
  {
    name: "a swap whose minimum the pool does not bring",
    make: ({ contracts: { dollar, wrappedNative, uniswapRouter } }) => ({
      amount: 1_000_000n,
      calls: [
        approve(dollar, uniswapRouter),
        callOf(uniswapRouter, SWAP, [dollar, wrappedNative, 3_000, USER, 1_000_000n, 398_799_996_023_965n, 0n]),
      ],
      expected: {
        failReason: "TOO_LITTLE_RECEIVED",
        txIndex: 1,
        error: "Too little received",
        path: [1],
        condition: condition("output of the swap", 398_799_996_023_965n, 398_799_996_023_964n, wrappedNative),
      },
    }),
  },
  {
    name: "a swap without an approval, which the exchange tells in its own words",
    make: ({ contracts: { dollar, wrappedNative, uniswapRouter } }) => ({
      calls: [callOf(uniswapRouter, SWAP, [dollar, wrappedNative, 3_000, USER, 990n, 0n, 0n])],
      expected: {
        failReason: "TRANSFER_FROM_FAILED",
        txIndex: 0,
        error: `ERC20InsufficientAllowance(spender: ${uniswapRouter}, allowance: 0, needed: 990)`,
        path: [0, 0, 2, 0],
        condition: condition(`allowance of ${uniswapRouter}`, 990n, 0n, dollar),
      },
    }),
  },
  {
    name: "a swap that is too old, which the exchange says without numbers",
    make: ({ contracts: { uniswapRouter }, fork }) => ({
      calls: [callOf(uniswapRouter, "function multicall(uint256 deadline, bytes[] data)", 4n, [])],
      expected: {
        failReason: "SIGNATURE_EXPIRED",
        txIndex: 0,
        error: "Transaction too old",
        path: [0],
        condition: condition("deadline", fork.environment.timestamp, 4n),
      },
    }),
  },
  {
    name: "a swap in a pool that is not there",
    make: ({ contracts: { dollar, token, uniswapRouter } }) => ({
      calls: [callOf(uniswapRouter, SWAP, [dollar, token, 3_000, USER, 990n, 0n, 0n])],
      expected: { failReason: "MISSING_REVERT_DATA", txIndex: 0, error: "no revert data", path: [0] },
    }),
  },
  {
    name: "native currency that another call has spent",
    make: ({ router }) => ({
      terms: { currency: zeroAddress },
      amount: 1_000n,
      calls: [rawCall(USER, "0x", 5n), rawCall(USER, "0x", 1_000n)],
      expected: {
        failReason: "INSUFFICIENT_NATIVE_TOKENS_SUPPLIED",
        txIndex: 1,
        error: "insufficient balance for transfer",
        path: [1],
        condition: condition(`balance of ${router}`, 1_000n, 995n, zeroAddress),
      },
    }),
  },
  {
    name: "a contract that refuses native currency, behind the router's cleanup",
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
    name: "an account that refuses the native currency that is left",
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
    name: "a call without bottom",
    make: () => ({
      calls: [rawCall(GAS_EATER.address, GAS_EATEN)],
      expected: { failReason: "SWAP_USES_TOO_MUCH_GAS", txIndex: 0, error: "out of gas", path: [0] },
    }),
  },
  {
    name: "a call without bottom that its caller tells otherwise",
    make: async ({ deploy }) => {
      const target = await deploy("mocks/Target");
      return {
        calls: [callOf(target, RELAY, GAS_EATER.address, GAS_EATEN)],
        expected: { failReason: "SWAP_USES_TOO_MUCH_GAS", txIndex: 0, error: "out of gas", path: [0, 0] },
      };
    },
  },
  {
    name: "a gas limit that is too low, to the unit",
    make: () => ({
      terms: { gas: 1_000_000n },
      calls: [rawCall(GAS_EATER.address, numberToHex(1_000_000n, { size: 32 }))],
      expected: {
        failReason: "QUOTED_GAS_LIMIT_EXCEEDED",
        txIndex: 0,
        error: "out of gas",
        path: [0],
        condition: condition("gas", 2_061_151n, 1_000_000n),
      },
    }),
  },
  {
    name: "an instruction that takes all the gas",
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
    name: "a call that reverts only where gas has a price",
    make: () => ({
      calls: [rawCall(USER, "0x"), rawCall(BLOCK_REVERTER.address, "0x")],
      expected: { failReason: "TRANSACTION_REVERTED", txIndex: 1, error: "no revert data", path: [1] },
    }),
  },
  {
    name: "an error of a contract of the integrator's own",
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
    name: "a contract that says nothing",
    make: async ({ deploy }) => ({
      calls: [callOf(await deploy("mocks/Target"), "function failSilently()")],
      expected: { failReason: "MISSING_REVERT_DATA", txIndex: 0, error: "no revert data", path: [0] },
    }),
  },
  {
    name: "call data that no node takes",
    make: () => ({
      calls: [rawCall(USER, pad("0x01", { size: 131_072 }))],
      expected: {
        failReason: "TRANSACTION_TOO_LARGE",
        txIndex: undefined,
        error: "131492 bytes of call data",
        path: [],
        condition: condition("bytes", 131_492n, 131_072n),
      },
    }),
  },
  {
    name: "a payment that the solver does not hold",
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
          condition: condition(`balance of ${SOLVER}`, 990n, 989n, token),
        },
      };
    },
  },
  {
    name: "a payment that was made before",
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
    name: "a failure behind a call that may fail",
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
        condition: condition(`balance of ${router}`, 1_000n, 990n, dollar),
      },
    }),
  },
];
