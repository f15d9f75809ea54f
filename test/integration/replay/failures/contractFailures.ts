import type { Address, Hex } from "viem";

import { pushAndExecute } from "../../../../packages/sdk/src/calls/program/pushAndExecute.ts";
import { encodeProgram } from "../../../../packages/sdk/src/calls/program/encodeProgram.ts";
import type { FillCall } from "../../../../packages/crosscall/src/replay/fillPlan.ts";
import { approve, callOf, execute, MINT, rawCall, SOLVER, USER } from "../support/fillFork.ts";
import type { FailureCase } from "./failureCase.ts";

const SWAP =
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable returns (uint256 amountOut)";

/** Returns calls that push the router's balance to the executor and run a program. */
function pushed(parameters: Parameters<typeof pushAndExecute>[0]): FillCall[] {
  return pushAndExecute(parameters).map(({ to, data }) => rawCall(to as Address, data as Hex));
}

/** Failures of the kit's proxies, the executor and lending markets. */
export const CONTRACT_FAILURES: readonly FailureCase[] = [
  {
    name: "a proxy that receives less than its minimum",
    cause: "slippage",
    make: ({ contracts: { dollar, vaultProxy } }) => ({
      calls: [approve(dollar, vaultProxy), execute(vaultProxy, { minimumIn: 1_000n })],
      expected: {
        failReason: "TOO_LITTLE_RECEIVED",
        txIndex: 1,
        error: "InsufficientInput(amountIn: 990, minimumIn: 1000)",
        path: [1],
        condition: { kind: "input", needed: 1_000n, had: 990n, currency: dollar },
      },
    }),
  },
  {
    name: "a proxy that returns less than its minimum",
    cause: "slippage",
    make: ({ contracts: { dollar, vault, vaultProxy } }) => ({
      calls: [approve(dollar, vaultProxy), execute(vaultProxy, { minimumOut: 991n })],
      expected: {
        failReason: "SLIPPAGE",
        txIndex: 1,
        error: "InsufficientOutput(amountOut: 990, minimumOut: 991)",
        path: [1],
        condition: { kind: "output", needed: 991n, had: 990n, currency: vault },
      },
    }),
  },
  {
    name: "a proxy after its deadline",
    cause: "deadline",
    make: ({ contracts: { dollar, vaultProxy }, fork }) => ({
      calls: [approve(dollar, vaultProxy), execute(vaultProxy, { deadline: 9n })],
      expected: {
        failReason: "SIGNATURE_EXPIRED",
        txIndex: 1,
        error: `DeadlinePassed(deadline: 9, timestamp: ${fork.environment.timestamp})`,
        path: [1],
        condition: { kind: "deadline", needed: fork.environment.timestamp, had: 9n },
      },
    }),
  },
  {
    name: "a program that receives less than its minimum because a token charges a fee",
    cause: "slippage",
    make: async ({ contracts: { feeToken, dollar }, deploy, router, send }) => {
      const executor = await deploy("executor/PushExecutor");
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
          condition: { kind: "input", needed: 1_000n, had: 990n, currency: feeToken },
        },
      };
    },
  },
  {
    name: "a program step that spends more than its allowance",
    cause: "allowance",
    make: async ({ contracts: { dollar, vault }, deploy, router }) => {
      const executor = await deploy("executor/PushExecutor");
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
          condition: { kind: "allowance", spender: vault, needed: 3n, had: 0n, currency: dollar },
        },
      };
    },
  },
  {
    name: "a swap with an output below its minimum",
    cause: "slippage",
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
        condition: {
          kind: "swapOutput",
          needed: 398_799_996_023_965n,
          had: 398_799_996_023_964n,
          currency: wrappedNative,
        },
      },
    }),
  },
  {
    name: "a swap without an approval, with the exchange's own error",
    cause: "allowance",
    make: ({ contracts: { dollar, wrappedNative, uniswapRouter } }) => ({
      calls: [callOf(uniswapRouter, SWAP, [dollar, wrappedNative, 3_000, USER, 990n, 0n, 0n])],
      expected: {
        failReason: "TRANSFER_FROM_FAILED",
        txIndex: 0,
        error: `ERC20InsufficientAllowance(spender: ${uniswapRouter}, allowance: 0, needed: 990)`,
        path: [0, 0, 2, 0],
        condition: { kind: "allowance", spender: uniswapRouter, needed: 990n, had: 0n, currency: dollar },
      },
    }),
  },
  {
    name: "a swap after its deadline, with an error without numbers",
    cause: "deadline",
    make: ({ contracts: { uniswapRouter }, fork }) => ({
      calls: [callOf(uniswapRouter, "function multicall(uint256 deadline, bytes[] data)", 4n, [])],
      expected: {
        failReason: "SIGNATURE_EXPIRED",
        txIndex: 0,
        error: "Transaction too old",
        path: [0],
        condition: { kind: "deadline", needed: fork.environment.timestamp, had: 4n },
      },
    }),
  },
  {
    name: "a swap in a pool that does not exist",
    cause: "missing",
    make: ({ contracts: { dollar, token, uniswapRouter } }) => ({
      calls: [callOf(uniswapRouter, SWAP, [dollar, token, 3_000, USER, 990n, 0n, 0n])],
      expected: { failReason: "MISSING_REVERT_DATA", txIndex: 0, error: "no revert data", path: [0] },
    }),
  },
];
