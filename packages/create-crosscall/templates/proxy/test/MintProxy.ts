import { planCalls } from "@crosscall/sdk/calls";
import { expect } from "chai";
import type { Contract } from "ethers";
import { network } from "hardhat";
import type { NetworkConnection } from "hardhat/types/network";
import { type Address, maxUint256, parseUnits } from "viem";

import mintProxy from "../ignition/modules/MintProxy.ts";

const PRICE = dollars("25");

describe("MintProxy", () => {
  it("mints for the delivered amount, and returns the change", async () => {
    const { connection, dollar, sale, seller, user, plan } = await deployLocally();
    const fill = await connection.crosscall.fill(plan, { amount: dollars("99.5") });
    await expect(fill).to.deliver(sale, 3n).to(user);
    await expect(fill).to.deliver(dollar, dollars("24.5")).to(user);
    await expect(fill).to.deliver(dollar, dollars("75")).to(seller);
    await expect(fill).to.leaveNothingBehind();
  });

  it("fills with every sufficient amount", async () => {
    const { connection, sale, user, plan } = await deployLocally();
    for (const amount of [50_000_000n, 50_000_001n, 74_999_999n, 75_000_000n, 250_000_000n]) {
      await expect(connection.crosscall.fill(plan, { amount }))
        .to.deliver(sale, amount / PRICE)
        .to(user)
        .and.to.leaveNothingBehind();
    }
  });

  it("fails if the amount buys too little, so that the service refunds the user", async () => {
    const { connection, plan } = await deployLocally();
    await expect(connection.crosscall.fill(plan, { amount: dollars("49.999999") }))
      .to.failWith("SLIPPAGE")
      .atTx(2);
  });
});

describe("MintProxy on a fork of Base (only with BASE_RPC_URL)", () => {
  before(function () {
    if (process.env.BASE_RPC_URL === undefined) this.skip();
  });

  it("mints for USDC", async () => {
    const connection = await network.create("baseFork");
    const [, user] = await connection.ethers.getSigners();
    // Uses the same module and parameters as `npm run deploy`.
    const { sale, proxy } = await connection.ignition.deploy(mintProxy);
    const usdc: Address = await sale.currency();
    const plan = await planMint(connection, sale, proxy, user);
    await expect(connection.crosscall.fill(plan, { amount: dollars("101") }))
      .to.deliver(sale, 4n)
      .to(user)
      .and.to.deliver(usdc, dollars("1"))
      .to(user)
      .and.to.leaveNothingBehind();
  });
});

async function deployLocally() {
  const connection = await network.create();
  const [seller, user] = await connection.ethers.getSigners();
  const dollar = await connection.ethers.deployContract("LocalDollar");
  const parameters = { MintProxy: { currency: await dollar.getAddress(), price: PRICE } };
  const { sale, proxy } = await connection.ignition.deploy(mintProxy, { parameters });
  return { connection, dollar, sale, seller, user, plan: await planMint(connection, sale, proxy, user) };
}

/** Plans the calls that an app requests: the proxy takes the router's amount and mints at least two NFTs. */
async function planMint(connection: NetworkConnection, sale: Contract, proxy: Contract, user: { address: string }) {
  const token: Address = await sale.currency();
  const recipient = user.address as Address;
  const { router } = await connection.crosscall.placeContracts();
  const order = {
    tradeType: "EXACT_INPUT",
    router,
    destinationCurrency: token,
    recipient,
  } as const;
  const mint = {
    kind: "proxy",
    token,
    proxy: (await proxy.getAddress()) as Address,
    recipient,
    minimumOut: 2n,
    deadline: maxUint256,
  } as const;
  return { ...order, ...planCalls({ ...order, amount: dollars("100"), actions: [mint] }) };
}

function dollars(amount: string): bigint {
  return parseUnits(amount, 6);
}
