import { expect } from "chai";
import { concat } from "ethers";
import { network } from "hardhat";
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  maxUint256,
  size,
  toFunctionSelector,
  toHex,
  zeroAddress,
} from "viem";

import { encodeProgram, type ExecutorContracts, type Program } from "../../packages/sdk/src/calls/index.ts";
import type { ProgramAmount } from "../../packages/sdk/src/calls/program/placeholder.ts";
import { startEdrChain } from "../../packages/crosscall/src/localnet/devchain/edr.ts";
import { inputs } from "../support/inputs.ts";
import { fillAmounts, Random, randomProgram } from "../unit/sdk/calls/program/randomProgram.ts";
import { failureOf } from "./support/failureOf.ts";

const RUNS = inputs(10);
const OTHER = getAddress(`0x${"0b".repeat(20)}`);
const CALLER = getAddress(`0x${"ca".repeat(20)}`);
/**
 * Code that logs its call data and returns sixteen words. The first and last words contain the length of the call
 * data.
 */
const ECHO_CODE = "0x365f6102003736610200a0365f52366101e0526102005ff3";
const ECHOED_WORDS = 16;
/** Token that reports the maximum as every balance. Its other functions return true. */
const RICH_CODE = "0x5f3560e01c6370a08231145f036001175f5260205ff3";

interface RandomBytes {
  readonly bytes: Hex;
  /** Call value, in wei. */
  readonly value: bigint;
}

type Outcome = { readonly calls: Hex[] } | { readonly error: string };

/** Computes a program's expected outcome from its description alone, for targets that echo their input. */
function simulate(program: Program, balances: Map<Address, bigint>): Outcome {
  const units = new Set(program.tokens.flatMap(({ token, keepUnit }) => (keepUnit === true ? [token] : [])));
  const liveOf = (token: Address): bigint => {
    const balance = balances.get(token) ?? 0n;
    return balance > 0n && units.has(token) ? balance - 1n : balance;
  };
  const shares = new Map<Address, { base: bigint; bps: number }>();
  const calls: Hex[] = [];
  for (const step of program.steps) {
    if (!("abi" in step)) throw new Error("the generator creates only function calls");
    const before = calls.at(-1) ?? "0x";
    const drawn = new Map<Address, bigint>();
    const numberOf = (amount: ProgramAmount): bigint => {
      let number = drawn.get("token" in amount ? amount.token : OTHER);
      if ("word" in amount) {
        const echoed = amount.word === 0 || amount.word === ECHOED_WORDS - 1 ? BigInt(size(before)) : 0n;
        number = (echoed * BigInt(amount.shareBps)) / 10_000n;
      } else if (number === undefined) {
        const share = shares.get(amount.token) ?? { base: liveOf(amount.token), bps: 0 };
        const bps = share.bps + amount.shareBps;
        number = bps === 10_000 ? liveOf(amount.token) : (share.base * BigInt(amount.shareBps)) / 10_000n;
        if (bps === 10_000) shares.delete(amount.token);
        else shares.set(amount.token, { base: share.base, bps });
        drawn.set(amount.token, number);
      }
      return number;
    };
    const value = typeof step.value === "object" ? numberOf(step.value) : (step.value ?? 0n);
    const args = fillAmounts(step.args, numberOf) as unknown[];
    const native = balances.get(zeroAddress) ?? 0n;
    if (value > native) return { error: "StepFailed" };
    balances.set(zeroAddress, native - value);
    calls.push(encodeFunctionData({ abi: step.abi, functionName: step.functionName, args }));
  }
  return { calls };
}

describe("random push executor programs", () => {
  async function deploy() {
    const { ethers } = await network.create();
    const [signer] = await ethers.getSigners();
    const router = await ethers.deployContract("LocalRouter");
    const executor = await ethers.deployContract("PushExecutor");
    const tokens = [await ethers.deployContract("LocalDollar"), await ethers.deployContract("LocalDollar")];
    const echo = getAddress(`0x${"ec".repeat(20)}`);
    await ethers.provider.send("hardhat_setCode", [echo, ECHO_CODE]);
    const addresses = await Promise.all([executor, router, ...tokens].map((contract) => contract.getAddress()));
    const [executorAddress, routerAddress, ...tokenAddresses] = addresses as [Address, Address, ...Address[]];
    const contracts: ExecutorContracts = {
      executor: executorAddress,
      livePuller: (await executor.livePuller()) as Address,
      router: routerAddress,
    };
    const parameters = { tokens: tokenAddresses, targets: [echo] };
    const withFallback = {
      ...parameters,
      // The executor checks the entire encoding before the first step, and with this policy a failed step does not
      // revert.
      policy: { kind: "fallBack", recipient: OTHER, stepsGas: 1_000_000, reserveGas: 1_000_000 },
    } as const;
    const programOf = (random: Random): RandomBytes => {
      const program = randomProgram(random, withFallback);
      const isNativeDeclared = program.tokens.some(({ token }) => token === "native");
      return { bytes: encodeProgram(program, contracts), value: isNativeDeclared ? maxUint256 : 0n };
    };
    // The fallback does not apply to a minimum input, so each balance is set to the largest minimum.
    const meetEveryMinimum = async (): Promise<void> => {
      for (const token of tokens) await token.mint(contracts.executor, maxUint256);
      await ethers.provider.send("hardhat_setBalance", [signer!.address, toHex(maxUint256)]);
    };
    const callOf = (program: string, value: bigint) => ({
      to: executorAddress,
      data: concat([executor.interface.encodeFunctionData("execute"), program]),
      value,
    });
    const tryProgram = (program: string, value: bigint) => signer!.call({ ...callOf(program, value), gasPrice: 0 });
    const execute = (program: string, value: bigint) => signer!.sendTransaction(callOf(program, value));
    return {
      ethers,
      executor,
      tryProgram,
      execute,
      contracts,
      tokens,
      tokenAddresses,
      echo,
      parameters,
      programOf,
      meetEveryMinimum,
    };
  }

  it("call their targets with the described data and the live amounts", async () => {
    const { ethers, executor, execute, contracts, tokens, tokenAddresses, echo, parameters } = await deploy();
    let ran = 0;
    for (let run = 0; run < RUNS; run++) {
      const random = new Random(run);
      const program = randomProgram(random, { ...parameters, hasBounds: false });
      const bytes = encodeProgram(program, contracts);
      const balances = new Map<Address, bigint>();
      for (const [index, token] of tokens.entries()) {
        await token.mint(contracts.executor, random.bits(120));
        balances.set(tokenAddresses[index]!, await token.balanceOf(contracts.executor));
      }
      const value = program.tokens.some(({ token }) => token === "native") ? random.bits(60) : 0n;
      balances.set(zeroAddress, value + (await ethers.provider.getBalance(contracts.executor)));

      const outcome = simulate(program, balances);
      if ("error" in outcome) {
        const failure = expect(execute(bytes, value), `seed ${run}`);
        await failure.to.be.revertedWithCustomError(executor, outcome.error);
        continue;
      }
      const receipt = await (await execute(bytes, value)).wait();
      const calls = receipt?.logs.filter(({ address }) => address === echo).map(({ data }) => data);
      expect(calls, `seed ${run}`).to.deep.equal(outcome.calls);
      ran += outcome.calls.length;
    }
    // If most generated programs failed, the test would prove nothing.
    expect(ran).to.be.above(RUNS);
  });

  it("are accepted if they are well-formed, with random contents", async () => {
    const { tryProgram, programOf, meetEveryMinimum } = await deploy();
    await meetEveryMinimum();
    for (let run = 0; run < RUNS; run++) {
      const { bytes, value } = programOf(new Random(run));
      await tryProgram(bytes, value).catch((cause: unknown) => {
        throw new Error(`seed ${run} is rejected: ${bytes}`, { cause });
      });
    }
  });

  it("are rejected if bytes are missing or a byte is added", async () => {
    const { ethers, executor, tryProgram, programOf, meetEveryMinimum } = await deploy();
    await meetEveryMinimum();
    for (let run = 0; run < RUNS; run++) {
      const random = new Random(run);
      const { bytes, value } = programOf(random);
      const length = size(bytes);
      const cut = bytes.slice(0, 2 + 2 * random.below(length));
      await expect(tryProgram(cut, value), `seed ${run}`).to.revert(ethers);
      await expect(tryProgram(`${bytes}00`, value), `seed ${run}`)
        .to.be.revertedWithCustomError(executor, "TrailingBytes")
        .withArgs(length + 1, length);
    }
  });

  it("are rejected at every shorter length", async () => {
    const { ethers, contracts, tokenAddresses, programOf } = await deploy();
    const { bytes, value } = programOf(new Random(3));
    // Uses a node without artifacts, because a node with artifacts searches for the source lines of each reverted
    // call.
    const chain = await startEdrChain(31_337);
    try {
      const code = await ethers.provider.getCode(contracts.executor);
      await chain.request("hardhat_setCode", [contracts.executor, code]);
      for (const token of tokenAddresses) await chain.request("hardhat_setCode", [token, RICH_CODE]);
      await chain.request("hardhat_setBalance", [CALLER, toHex(maxUint256)]);
      const call = (program: string): Promise<unknown> => {
        const data = concat([toFunctionSelector("function execute()"), program]);
        const transaction = { from: CALLER, to: contracts.executor, data, value: toHex(value), gasPrice: "0x0" };
        return chain.request("eth_call", [transaction]);
      };
      expect(await call(bytes)).to.equal("0x");
      for (let end = 2; end < bytes.length; end += 2) {
        const failure = await failureOf(call(bytes.slice(0, end)));
        expect(String(failure), `${end / 2 - 1} bytes`).to.include("revert");
      }
    } finally {
      await chain.close();
    }
  });
});
