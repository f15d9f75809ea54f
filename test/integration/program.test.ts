import { expect } from "chai";
import { type Signer, ZeroHash } from "ethers";
import { network } from "hardhat";
import { type Address, concat, erc4626Abi, getAddress, parseAbi, parseEther, toFunctionSelector } from "viem";

import {
  callFunction,
  encodeProgram,
  live,
  type Program,
  pullAndExecute,
  pushAndExecute,
  returned,
} from "../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../packages/protocol/src/common/call.ts";
import { sendToEachRouter } from "../support/eachRouter.ts";

const targetAbi = parseAbi([
  "function record(uint256 argument) payable returns (uint256)",
  "function fail(uint256 argument) payable",
  "function narrow(uint128 argument)",
]);
const USER = getAddress(`0x${"0a".repeat(20)}`);
const OTHER = getAddress(`0x${"0b".repeat(20)}`);

describe("push executor programs, run through the router", () => {
  async function deploy() {
    const connection = await network.create();
    const { ethers } = connection;
    const deployed = async (contract: { getAddress(): Promise<string> }) => (await contract.getAddress()) as Address;
    const router = await ethers.deployContract("LocalRouter");
    const routerAddress = await deployed(router);
    const dollar = await ethers.deployContract("LocalDollar");
    const dollarAddress = await deployed(dollar);
    const vaults = await Promise.all(
      ["A", "B", "C"].map((name) => ethers.deployContract("LocalVault", [dollarAddress, name, name])),
    );
    const target = await ethers.deployContract("Target");
    const executor = await ethers.deployContract("PushExecutor");
    const contracts = {
      executor: await deployed(executor),
      livePuller: (await executor.livePuller()) as Address,
      router: routerAddress,
    };
    const fill = (txs: readonly Call[], value = 0n) => {
      const calls = txs.map(({ to, data }) => ({ target: to, allowFailure: false, value: 0n, callData: data }));
      return sendToEachRouter(connection, routerAddress, () =>
        router.multicall(calls, OTHER, OTHER, ZeroHash, { value }),
      );
    };
    const push = (program: Program) => pushAndExecute({ ...contracts, program: encodeProgram(program, contracts) });
    const [vaultAddress = USER, ...vaultAddresses] = await Promise.all(vaults.map(deployed));
    return {
      ethers,
      router,
      dollar,
      dollarAddress,
      vaults,
      vaultAddresses: [vaultAddress, ...vaultAddresses],
      vaultAddress,
      target,
      targetAddress: await deployed(target),
      executor,
      contracts,
      fill,
      push,
    };
  }

  /** Returns a step that deposits a share of the dollars into a vault. */
  const deposit = (vault: Address, dollar: Address, shareBps: number, receiver = USER) =>
    callFunction({
      target: vault,
      abi: erc4626Abi,
      functionName: "deposit",
      args: [live(dollar, { shareBps, approve: "target" }), receiver],
    });

  it("deposit the router's entire balance, and leave nothing on the router or the executor", async () => {
    const { router, dollar, dollarAddress, vaults, vaultAddress, contracts, fill, push } = await deploy();
    await dollar.mint(router, 123_000_007n);
    await fill(
      push({
        recipient: USER,
        tokens: [{ token: dollarAddress, minimumIn: 123_000_007n }],
        checks: [{ token: vaultAddress, minimumOut: 123_000_007n }],
        steps: [deposit(vaultAddress, dollarAddress, 10_000)],
      }),
    );
    expect(await vaults[0]!.balanceOf(USER)).to.equal(123_000_007n);
    expect(await dollar.balanceOf(router)).to.equal(0n);
    expect(await dollar.balanceOf(contracts.executor)).to.equal(0n);
    expect(await dollar.allowance(contracts.executor, vaultAddress)).to.equal(0n);
  });

  it("split an amount over vaults, with the remainder in the last vault", async () => {
    const { router, dollar, dollarAddress, vaults, vaultAddresses, fill, push } = await deploy();
    await dollar.mint(router, 1_000_009n);
    const shares = [3_000, 3_000, 4_000];
    await fill(
      push({
        recipient: USER,
        tokens: [{ token: dollarAddress }],
        steps: vaultAddresses.map((vault, index) => deposit(vault, dollarAddress, shares[index]!)),
      }),
    );
    // Twice 30% of 1,000,009, rounded down.
    expect(await Promise.all(vaults.map((vault) => vault.balanceOf(USER)))).to.deep.equal([
      300_002n,
      300_002n,
      400_005n,
    ]);
  });

  it("send the router's native currency as the value, and write its amount into the call", async () => {
    const { ethers, target, targetAddress, contracts, fill, push } = await deploy();
    const half = live("native", { shareBps: 5_000 });
    const txs = push({
      recipient: USER,
      tokens: [{ token: "native" }],
      steps: [
        callFunction({ target: targetAddress, abi: targetAbi, functionName: "record", args: [half], value: half }),
      ],
    });
    await expect(fill(txs, parseEther("3") + 1n))
      .to.emit(target, "Recorded")
      .withArgs(contracts.executor, parseEther("1.5"), parseEther("1.5"));
    expect(await ethers.provider.getBalance(USER)).to.equal(parseEther("1.5") + 1n);
  });

  it("send a fixed value", async () => {
    const { ethers, target, targetAddress, contracts, fill, push } = await deploy();
    const txs = push({
      recipient: USER,
      tokens: [{ token: "native", minimumIn: 10n }],
      steps: [callFunction({ target: targetAddress, abi: targetAbi, functionName: "record", args: [5n], value: 4n })],
    });
    await expect(fill(txs, 10n)).to.emit(target, "Recorded").withArgs(contracts.executor, 4n, 5n);
    expect(await ethers.provider.getBalance(USER)).to.equal(6n);
  });

  it("use a word that the previous step returned", async () => {
    const { router, dollar, dollarAddress, vaults, vaultAddress, target, targetAddress, contracts, fill, push } =
      await deploy();
    await dollar.mint(router, 1_000n);
    await expect(
      fill(
        push({
          recipient: USER,
          tokens: [{ token: dollarAddress }],
          steps: [
            deposit(vaultAddress, dollarAddress, 10_000),
            callFunction({
              target: targetAddress,
              abi: targetAbi,
              functionName: "record",
              args: [returned(0, { shareBps: 2_500 })],
            }),
          ],
        }),
      ),
    )
      .to.emit(target, "Recorded")
      .withArgs(contracts.executor, 0n, 250n);
    expect(await vaults[0]!.balanceOf(USER)).to.equal(1_000n);
  });

  it("revert their steps and pay the fallback recipient if a step fails", async () => {
    const { router, dollar, dollarAddress, vaults, vaultAddress, targetAddress, executor, fill, push } = await deploy();
    await dollar.mint(router, 1_000n);
    const reason = executor.interface.getError("StepFailed")!.selector;
    const txs = push({
      recipient: USER,
      policy: { kind: "fallBack", recipient: OTHER, stepsGas: 500_000, reserveGas: 200_000 },
      tokens: [{ token: dollarAddress }],
      steps: [
        deposit(vaultAddress, dollarAddress, 5_000),
        callFunction({
          target: targetAddress,
          abi: targetAbi,
          functionName: "fail",
          args: [live(dollarAddress, { shareBps: 5_000 })],
        }),
      ],
    });
    await expect(fill(txs)).to.emit(executor, "FellBack").withArgs(router, OTHER, reason);
    expect(await dollar.balanceOf(OTHER)).to.equal(1_000n);
    expect(await vaults[0]!.balanceOf(USER)).to.equal(0n);
  });

  it("revert if less than their minimum input arrives, even with a fallback", async () => {
    const { router, dollar, dollarAddress, vaultAddress, executor, fill, push } = await deploy();
    const txs = push({
      recipient: USER,
      policy: { kind: "fallBack", recipient: OTHER, stepsGas: 500_000, reserveGas: 200_000 },
      tokens: [{ token: dollarAddress, minimumIn: 1_000n }],
      steps: [deposit(vaultAddress, dollarAddress, 10_000)],
    });
    await dollar.mint(router, 999n);
    await expect(fill(txs))
      .to.be.revertedWithCustomError(executor, "InsufficientInput")
      .withArgs(dollarAddress, 999n, 1_000n);
    expect(await dollar.balanceOf(OTHER)).to.equal(0n);
  });

  it("require the gas for their steps plus the nesting overhead, which is added only once", async () => {
    const { dollar, dollarAddress, vaultAddress, executor, contracts } = await deploy();
    const policy = { kind: "fallBack", recipient: OTHER, stepsGas: 12_000_000, reserveGas: 200_000 } as const;
    const tokens = [{ token: dollarAddress }];
    const steps = [deposit(vaultAddress, dollarAddress, 10_000)];
    await dollar.mint(executor, 1_000n);
    const program = encodeProgram({ recipient: USER, policy, tokens, steps }, contracts);
    const data = concat([toFunctionSelector("function execute()"), program]);
    // A call reserves 1/64 of the gas, and the steps must leave 1/8.
    const needed = (BigInt(policy.stepsGas) * 64n * 8n) / (63n * 7n) + 1n + BigInt(policy.reserveGas);
    const send = async (gasLimit: bigint) =>
      (executor.runner as Signer).call({ to: contracts.executor, data, gasLimit });
    await expect(send(needed))
      .to.be.revertedWithCustomError(executor, "InsufficientGas")
      .withArgs((available: bigint) => available < needed, needed);
    expect(await send(needed + 150_000n)).to.equal("0x");
  });

  it("revert with the error of the failed step", async () => {
    const { router, dollar, dollarAddress, target, targetAddress, executor, contracts, fill, push } = await deploy();
    await dollar.mint(router, 1_000n);
    const txs = push({
      recipient: USER,
      tokens: [{ token: dollarAddress }],
      steps: [
        callFunction({ target: targetAddress, abi: targetAbi, functionName: "fail", args: [live(dollarAddress)] }),
      ],
    });
    await expect(fill(txs))
      .to.be.revertedWithCustomError(executor, "StepFailed")
      .withArgs(0n, targetAddress, target.interface.encodeErrorResult("Failed", [contracts.executor, 1_000n]));
  });

  it("reject an amount that is too large for a narrow argument, and write an amount that fits", async () => {
    const { router, dollar, dollarAddress, targetAddress, executor, fill, push } = await deploy();
    const txs = push({
      recipient: USER,
      tokens: [{ token: dollarAddress }],
      steps: [
        callFunction({ target: targetAddress, abi: targetAbi, functionName: "narrow", args: [live(dollarAddress)] }),
      ],
    });
    await dollar.mint(router, 2n ** 128n - 1n);
    // The call then fails because the target has no such function, which shows that the amount was written.
    await expect(fill(txs)).to.be.revertedWithCustomError(executor, "StepFailed").withArgs(0n, targetAddress, "0x");
    await dollar.mint(router, 1n);
    await expect(fill(txs))
      .to.be.revertedWithCustomError(executor, "AmountTooWide")
      .withArgs(0n, 2n ** 128n, 16n);
  });

  it("reject amounts below their minimum input and output", async () => {
    const { router, dollar, dollarAddress, vaultAddress, executor, fill, push } = await deploy();
    const program: Program = {
      recipient: USER,
      tokens: [{ token: dollarAddress }],
      checks: [{ token: vaultAddress, minimumOut: 1_001n }],
      steps: [deposit(vaultAddress, dollarAddress, 10_000)],
    };
    await expect(fill(push(program)))
      .to.be.revertedWithCustomError(executor, "InsufficientInput")
      .withArgs(dollarAddress, 0n, 1n);
    await dollar.mint(router, 1_000n);
    await expect(fill(push(program)))
      .to.be.revertedWithCustomError(executor, "InsufficientOutput")
      .withArgs(vaultAddress, 1_000n, 1_001n);
  });

  it("run on the tokens that the executor pulls", async () => {
    const { router, dollar, dollarAddress, vaults, vaultAddress, contracts, fill } = await deploy();
    await dollar.mint(router, 1_000n);
    const program = encodeProgram(
      {
        recipient: USER,
        tokens: [{ token: dollarAddress, minimumIn: 1_000n }],
        steps: [deposit(vaultAddress, dollarAddress, 10_000)],
      },
      contracts,
    );
    await fill(pullAndExecute({ ...contracts, token: dollarAddress, program }));
    expect(await vaults[0]!.balanceOf(USER)).to.equal(1_000n);
    expect(await dollar.balanceOf(router)).to.equal(0n);
    expect(await dollar.balanceOf(contracts.livePuller)).to.equal(0n);
  });
});
