import { type Address, getAddress } from "viem";

import { readPublished } from "../../../../packages/crosscall/src/localnet/devchain/published.ts";
import { approve, callOf, type FillFork, MINT, TRANSFER, USER } from "../support/fillFork.ts";
import { type FailureCase, SILENT_TOKEN_CODE } from "./failureCase.ts";

const ERC1967_PROXY = "@openzeppelin/contracts/build/contracts/ERC1967Proxy.json";

const SILENT: Address = getAddress("0x00000000000000000000000000000000000000b6");

function placeBehindProxy({ create }: FillFork, implementation: Address): Promise<Address> {
  // The proxy's constructor requires a call.
  const { data } = callOf(implementation, "function allowance(address owner, address spender)", USER, USER);
  return create(readPublished(ERC1967_PROXY), implementation, data);
}

/** Failures of tokens behind proxies. Explanations name the proxy. */
export const PROXIED_TOKEN_FAILURES: readonly FailureCase[] = [
  {
    name: "a balance that is too low in the middle of a fill, reported only by a panic",
    cause: "balance",
    make: async (world) => {
      const { deploy, router, send } = world;
      const token = await placeBehindProxy(world, await deploy("mocks/StrictToken"));
      await send(callOf(token, MINT, router, 990n));
      return {
        calls: [callOf(token, TRANSFER, USER, 600n), callOf(token, TRANSFER, USER, 391n)],
        expected: {
          failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
          txIndex: 1,
          error: "Panic(0x11): arithmetic overflow",
          path: [1, 0],
          condition: { kind: "balance", account: router, needed: 391n, had: 390n, currency: token },
        },
      };
    },
  },
  {
    name: "an allowance that is too low, reported only by a panic",
    cause: "allowance",
    make: async (world) => {
      const { deploy, router, send } = world;
      const token = await placeBehindProxy(world, await deploy("mocks/StrictToken"));
      await send(callOf(token, MINT, USER, 990n));
      await send(approve(token, router, 200n), USER);
      return {
        calls: [callOf(token, "function transferFrom(address from, address to, uint256 amount)", USER, router, 201n)],
        expected: {
          failReason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
          txIndex: 0,
          error: "Panic(0x11): arithmetic overflow",
          path: [0, 0],
          condition: { kind: "allowance", spender: router, needed: 201n, had: 200n, currency: token },
        },
      };
    },
  },
  {
    name: "an approval that changes a nonzero allowance, with an error",
    cause: "allowance",
    make: async (world) => {
      const { deploy, router, send } = world;
      const token = await placeBehindProxy(world, await deploy("mocks/StrictToken"));
      await send(approve(token, USER, 5n), router);
      return {
        calls: [approve(token, USER, 990n)],
        expected: {
          failReason: "EXECUTION_REVERTED",
          txIndex: 0,
          error: "ApprovalNotZero(current: 5, wanted: 990)",
          path: [0, 0],
          condition: { kind: "nonZeroAllowance", needed: 0n, had: 5n, currency: token },
        },
      };
    },
  },
  {
    name: "an approval that changes a nonzero allowance, without revert data",
    cause: "allowance",
    make: async (world) => {
      await world.fork.request("hardhat_setCode", [SILENT, SILENT_TOKEN_CODE]);
      const token = await placeBehindProxy(world, SILENT);
      return {
        calls: [approve(token, USER, 990n)],
        expected: {
          failReason: "MISSING_REVERT_DATA",
          txIndex: 0,
          error: "no revert data",
          path: [0, 0],
          condition: { kind: "nonZeroAllowance", needed: 0n, had: 5n, currency: token },
        },
      };
    },
  },
];
