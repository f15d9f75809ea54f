import { expect } from "chai";
import { network } from "hardhat";
import { type Address, maxUint256, parseEther, parseUnits, zeroAddress } from "viem";

import { buildPlan } from "../../../packages/crosscall/src/commands/plan/buildPlan.ts";
import { toPlanFile } from "../../../packages/crosscall/src/commands/plan/run.ts";
import {
  approve,
  cleanupNative,
  erc4626Deposit,
  planCalls,
  planRecipe,
} from "../../../packages/sdk/src/calls/index.ts";
import { SOLVER_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import {
  LOCAL_ROUTER_VERSIONS,
  localRouterAddress,
  ROUTER_ADDRESS,
} from "../../../packages/protocol/src/generations/routers.ts";
import { type FillablePlan, forkFill } from "../../../packages/crosscall/src/testing/index.ts";
import "../../../packages/crosscall/src/testing/register.ts";
import { WrappedNativeProxy__factory } from "../../../typechain-types/index.js";
import { deployWrappedNative } from "../../support/protocols/wrappedNative.ts";
import { failureOf } from "../support/failureOf.ts";

const dollars = (amount: string): bigint => parseUnits(amount, 6);

/** The quoted amount. */
const PLANNED = dollars("1000");

/** Amount that the solver delivers. */
const DELIVERED = dollars("990.000001");

const addressOf = async (contract: { getAddress(): Promise<string> }) => (await contract.getAddress()) as Address;

/** Creates a chain on the default network with a vault, its proxy, and a plan that deposits the received amount. */
async function deploy(router = ROUTER_ADDRESS) {
  const connection = await network.create();
  const { ethers, provider } = connection;
  const [deployer, user] = await ethers.getSigners();
  if (deployer === undefined || user === undefined) throw new Error("too few accounts");
  const dollar = await ethers.deployContract("LocalDollar");
  const vault = await ethers.deployContract("LocalVault", [dollar, "Vault", "v"]);
  const proxy = await ethers.deployContract("Erc4626Proxy", [vault, zeroAddress]);
  const [usd, proxyAddress, recipient] = [await addressOf(dollar), await addressOf(proxy), user.address as Address];
  const base = { tradeType: "EXACT_INPUT", router, recipient, amount: PLANNED } as const;
  const planOf = (minimumIn: bigint) => ({
    ...planCalls({
      ...base,
      destinationCurrency: usd,
      actions: [{ kind: "proxy", token: usd, proxy: proxyAddress, recipient, minimumIn, deadline: maxUint256 }],
    }),
    destinationCurrency: dollar,
    recipient: user,
  });
  const state = async () => [await ethers.provider.getBlock("latest"), await vault.totalSupply()] as const;
  return { connection, ethers, provider, deployer, user, dollar, vault, proxy, proxyAddress, usd, base, planOf, state };
}

describe("forkFill on a local network", () => {
  for (const version of LOCAL_ROUTER_VERSIONS) {
    it(`delivers the amount through the ${version} router, and reverts the chain afterwards`, async () => {
      const router = localRouterAddress(version);
      const { connection, ethers, user, dollar, vault, proxy, planOf, state } = await deploy(router);
      const before = await state();
      const fill = await forkFill(connection, planOf(1n), { amount: DELIVERED });
      await expect(fill).to.deliver(vault, DELIVERED).to(user).and.to.leaveNothingBehind();
      await expect(fill).to.deliver(dollar, { atLeast: 0n }).to(user);
      expect(fill.verdict).to.deep.equal({ outcome: "success" });
      expect(fill.receipt.status).to.equal("success");
      expect(fill.trace.gasUsed).to.equal(fill.receipt.gasUsed);
      expect(fill.proxies).to.deep.equal([await proxy.getAddress()]);
      expect(await state()).to.deep.equal(before);
      expect([await ethers.provider.getCode(router), await ethers.provider.getBalance(SOLVER_ADDRESS)]).to.deep.equal([
        "0x",
        0n,
      ]);
    });
  }

  it("keeps the fill on the chain if requested, with the order id appended", async () => {
    const { connection, ethers, user, vault, proxy, dollar, planOf } = await deploy();
    const { plan, receipt } = await forkFill(connection, planOf(1n), { amount: DELIVERED, keep: true });
    expect(await vault.balanceOf(user)).to.equal(DELIVERED);
    expect(await dollar.balanceOf(ROUTER_ADDRESS)).to.equal(0n);
    const transaction = await ethers.provider.getTransaction(receipt.transactionHash);
    expect(transaction?.from).to.equal(SOLVER_ADDRESS);
    expect(transaction?.data.slice(-64)).to.equal(plan.orderId.slice(2));
    await expect(transaction).to.emit(proxy, "Executed").withArgs(ROUTER_ADDRESS, user.address, DELIVERED, DELIVERED);
  });

  it("reports the reason why a fill fails, and the failing call", async () => {
    const { connection, vault, user, planOf, state } = await deploy();
    const before = await state();
    const fill = await forkFill(connection, planOf(PLANNED), { amount: DELIVERED });
    await expect(fill).to.failWith("TOO_LITTLE_RECEIVED").atTx(2);
    await expect(fill).not.to.failWith("SLIPPAGE");
    expect(fill.receipt.status).to.equal("reverted");
    for (const statement of [
      expect(fill).to.deliver(vault, DELIVERED).to(user),
      expect(fill).to.leaveNothingBehind(),
      expect(fill).to.failWith("TOO_LITTLE_RECEIVED").atTx(0),
    ]) {
      expect(await failureOf(statement)).to.have.property("name", "AssertionError");
    }
    expect(await state()).to.deep.equal(before);
  });

  it("keeps a failed fill on the chain if requested", async () => {
    const { connection, ethers, planOf } = await deploy();
    const { receipt } = await forkFill(connection, planOf(PLANNED), { amount: DELIVERED, keep: true });
    expect(await ethers.provider.getTransactionReceipt(receipt.transactionHash)).to.include({ status: 0 });
  });

  it("delivers native currency, and accepts TypeChain contracts", async () => {
    const { connection, deployer, user, base } = await deploy();
    const weth = (await deployWrappedNative(deployer)) as Address;
    const proxy = await new WrappedNativeProxy__factory(deployer).deploy(weth);
    const plan = planCalls({
      ...base,
      destinationCurrency: zeroAddress,
      actions: [
        {
          kind: "proxy",
          functionName: "executeNative",
          proxy: await addressOf(proxy),
          recipient: base.recipient,
          minimumIn: parseEther("1"),
          deadline: maxUint256,
        },
      ],
    });
    const native = { ...plan, destinationCurrency: zeroAddress, recipient: user };
    const amount = parseEther("1.5");
    const fill = forkFill(connection, native, { amount });
    await expect(fill).to.deliver(weth, amount).to(user).and.to.leaveNothingBehind();
    await expect(fill).to.deliver(zeroAddress, 0n).to(user);
    expect((await fill).proxies).to.deep.equal([await proxy.getAddress()]);
    const short = await forkFill(connection, native, { amount: parseEther("0.5") });
    await expect(short).to.failWith("TOO_LITTLE_RECEIVED").atTx(1);
  });

  it("sends leftover native currency to the recipient", async () => {
    const { connection, user, base, proxy } = await deploy();
    const takeBack = cleanupNative({ router: ROUTER_ADDRESS, recipient: base.recipient });
    const plan = { txs: [takeBack], destinationCurrency: zeroAddress, recipient: base.recipient };
    const fill = await forkFill(connection, plan, { amount: 7n });
    await expect(fill).to.deliver(zeroAddress, 7n).to(user).and.to.deliver(zeroAddress, 0n).to(proxy);
    const paid = fill.balances.filter(
      ({ account, currency }) => account === SOLVER_ADDRESS && currency === zeroAddress,
    );
    // The gas cost is not an effect of the fill.
    expect(paid.map(({ before, after }) => after - before)).to.deep.equal([-7n]);
  });

  for (const by of ["push", "pull"] as const) {
    it(`checks a program's executor with ${by}`, async () => {
      const { connection, ethers, user, usd, vault, base } = await deploy();
      const executor = await ethers.deployContract("PushExecutor");
      const programs = {
        executor: await addressOf(executor),
        livePuller: (await executor.livePuller()) as Address,
        by,
      };
      const planned = planRecipe({
        ...base,
        recipe: erc4626Deposit,
        args: { vault: await addressOf(vault), asset: usd },
        programs,
      });
      const fill = await forkFill(connection, { ...planned, recipient: user }, { amount: DELIVERED });
      await expect(fill).to.deliver(vault, DELIVERED).to(user).and.to.leaveNothingBehind();
      expect(fill.proxies).to.deep.equal(
        by === "push" ? [programs.executor] : [programs.executor, programs.livePuller],
      );
    });
  }

  it("counts NFTs and the change", async () => {
    const { connection, ethers, deployer, dollar, user, base, usd } = await deploy();
    const sale = await ethers.deployContract("NftSale", [dollar, dollars("25"), deployer]);
    const proxy = await addressOf(await ethers.deployContract("MintProxy", [sale]));
    const plan = planCalls({
      ...base,
      destinationCurrency: usd,
      actions: [{ kind: "proxy", token: usd, proxy, recipient: base.recipient, deadline: maxUint256 }],
    });
    const fill = forkFill(connection, { ...plan, destinationCurrency: usd, user }, { amount: dollars("74") });
    await expect(fill).to.deliver(sale, 2n).to(user).and.to.deliver(dollar, dollars("24")).to(user);
    await expect(fill).to.deliver(dollar, dollars("50")).to(deployer).and.to.leaveNothingBehind();
  });

  it("reads the balances of the given tokens and accounts if there are no events", async () => {
    const { connection, ethers, user, dollar, deployer } = await deploy();
    const silent = await ethers.deployContract("RebasingToken");
    const mint = async (to: string) => ({
      to: await silent.getAddress(),
      data: silent.interface.encodeFunctionData("mint", [to, 5n]),
      value: "0",
    });
    const txs = [await mint(user.address), await mint(deployer.address)];
    const plan = { txs, destinationCurrency: dollar, recipient: user };
    await expect(forkFill(connection, plan, { amount: 1n }))
      .to.deliver(silent, 0n)
      .to(user);
    const options = { amount: 1n, tokens: [silent], accounts: [deployer] };
    const fill = await forkFill(connection, plan, options);
    await expect(fill).to.deliver(silent, 5n).to(user).and.to.deliver(silent, 5n).to(deployer);
  });

  it("delivers by a transfer from a holder if no storage slot contains the balance", async () => {
    const { connection, ethers, user, deployer } = await deploy();
    const token = await ethers.deployContract("MaskedToken");
    await token.mint(deployer, 100n);
    const data = token.interface.encodeFunctionData("transfer", [user.address, 60n]);
    const txs = [{ to: await token.getAddress(), data, value: "0" }];
    const plan = { txs, destinationCurrency: token, recipient: user };
    const options = { amount: 60n, holders: [deployer] };
    await expect(forkFill(connection, plan, options))
      .to.deliver(token, 60n)
      .to(user)
      .and.to.leaveNothingBehind();
    const refused = await failureOf(forkFill(connection, plan, { amount: 60n }));
    expect(refused).to.include({ code: "BALANCE_UNWRITABLE" });
  });

  describe("with leftovers", () => {
    it("reports the tokens and the allowance that a plan without cleanups leaves", async () => {
      const { connection, usd, proxyAddress, user } = await deploy();
      const plan: FillablePlan = {
        txs: [approve({ token: usd, spender: proxyAddress, amount: 5n })],
        destinationCurrency: usd,
        recipient: user,
      };
      const fill = await forkFill(connection, plan, { amount: 9n });
      await expect(fill).not.to.leaveNothingBehind();
      expect(fill.leftovers.map(({ code, left }) => [code, left])).to.deep.equal([
        ["LEFT_TOKENS", { account: ROUTER_ADDRESS, currency: usd, amount: 9n }],
        ["LEFT_ALLOWANCE", { account: ROUTER_ADDRESS, currency: usd, amount: 5n }],
      ]);
    });

    it("finds the balances that the plan's contracts and the test's own contracts hold", async () => {
      const { connection, usd, deployer, user, dollar } = await deploy();
      const txs = [
        {
          to: usd,
          data: dollar.interface.encodeFunctionData("transfer", [deployer.address, 4n]) as `0x${string}`,
          value: "0",
        },
        {
          to: usd,
          data: dollar.interface.encodeFunctionData("transfer", [user.address, 5n]) as `0x${string}`,
          value: "0",
        },
      ];
      const plan = { txs, destinationCurrency: usd, recipient: user };
      await expect(forkFill(connection, plan, { amount: 9n })).to.leaveNothingBehind();
      await expect(forkFill(connection, plan, { amount: 9n, proxies: [deployer] })).not.to.leaveNothingBehind();
      const contracts = { proxies: [{ address: deployer.address as Address }] };
      await expect(forkFill(connection, { ...plan, contracts }, { amount: 9n })).not.to.leaveNothingBehind();
    });
  });

  it("runs concurrent fills on one chain one after another", async () => {
    const { connection, user, vault, planOf } = await deploy();
    const amounts = [DELIVERED, 1n, PLANNED];
    const fills = amounts.map((amount) => forkFill(connection, planOf(1n), { amount }));
    for (const [index, fill] of fills.entries()) {
      await expect(fill)
        .to.deliver(vault, amounts[index] ?? 0n)
        .to(user);
    }
  });

  it("fills on a chain with manual mining", async () => {
    const { connection, provider, user, vault, planOf } = await deploy();
    await provider.request({ method: "evm_setAutomine", params: [false] });
    await expect(forkFill(connection, planOf(1n), { amount: DELIVERED }))
      .to.deliver(vault, DELIVERED)
      .to(user);
    await expect(forkFill(connection, planOf(PLANNED), { amount: 1n })).to.failWith("TOO_LITTLE_RECEIVED");
  });

  it("accepts a plan file from the command line", async () => {
    const { connection, user, vault, usd, proxyAddress, base } = await deploy();
    const finished = buildPlan({
      recipe: "erc4626Deposit",
      args: { vault: await vault.getAddress(), asset: usd },
      proxy: proxyAddress,
      tradeType: "EXACT_INPUT",
      amount: "5000000",
      user: base.recipient,
    });
    const plan = JSON.parse(JSON.stringify(toPlanFile(finished))) as FillablePlan;
    const fill = await forkFill(connection, plan, { amount: DELIVERED });
    await expect(fill).to.deliver(vault, DELIVERED).to(user).and.to.leaveNothingBehind();
  });

  it("accepts a plan from a replay, with a gas limit", async () => {
    const { connection, planOf } = await deploy();
    const { plan } = await forkFill(connection, planOf(1n), { amount: DELIVERED });
    await expect(forkFill(connection, { ...plan, gas: 120_000n }, { amount: DELIVERED })).to.failWith(
      "QUOTED_GAS_LIMIT_EXCEEDED",
    );
  });

  describe("rejects", () => {
    const refused = async (change: object, amount = 1n): Promise<unknown> => {
      const { connection, planOf } = await deploy();
      return failureOf(forkFill(connection, { ...planOf(1n), ...change }, { amount }));
    };

    it("a plan without final calls or a recipient, and an invalid amount", async () => {
      const invalid = { code: "INVALID_INPUT" };
      expect(await refused({ txs: undefined })).to.include({ ...invalid, field: "txs" });
      expect(await refused({ recipient: undefined })).to.include({ ...invalid, field: "recipient" });
      expect(await refused({ destinationCurrency: "0x12" })).to.include({
        ...invalid,
        field: "destinationCurrency",
      });
      expect(await refused({ txs: [{ to: zeroAddress, data: "0x", value: "-1" }] })).to.include({
        ...invalid,
        field: "txs[0].value",
      });
      expect(await refused({ txs: [] })).to.include({ code: "NOTHING_TO_REPLAY" });
      expect(await refused({}, -1n)).to.include({ ...invalid, field: "amount" });
    });

    it("missing arguments from JavaScript callers", async () => {
      const { connection, planOf } = await deploy();
      const fill = forkFill as (...args: readonly unknown[]) => Promise<unknown>;
      for (const [args, field] of [
        [[], "connection"],
        [[{}, planOf(1n), { amount: 1n }], "connection.provider"],
        [[connection], "plan"],
        [[connection, planOf(1n)], "options"],
        [[connection, planOf(1n), {}], "amount"],
        [[connection, { ...planOf(1n), destinationCurrency: undefined }, { amount: 1n }], "destinationCurrency"],
      ] as const) {
        expect(await failureOf(fill(...args))).to.include({ code: "INVALID_INPUT", field });
      }
    });

    it("a router without code", async () => {
      expect(await refused({ router: SOLVER_ADDRESS })).to.include({ code: "INVALID_STATE" });
    });

    it("a token whose balance cannot be set", async () => {
      expect(await refused({ destinationCurrency: SOLVER_ADDRESS })).to.include({ code: "BALANCE_UNWRITABLE" });
    });
  });
});
