import { expect } from "chai";
import { MaxUint256, ZeroAddress, ZeroHash, parseUnits } from "ethers";
import { network } from "hardhat";

import { sendToEachRouter } from "../support/eachRouter.ts";

/** One dollar in its smallest unit. */
const DOLLAR = parseUnits("1", 6);

describe("Erc4626Proxy through the router", () => {
  async function deploy() {
    const connection = await network.create();
    const { ethers } = connection;
    const [user, stranger] = await ethers.getSigners();
    if (user === undefined || stranger === undefined) throw new Error("the chain has no accounts");
    const router = await ethers.deployContract("LocalRouter");
    const dollar = await ethers.deployContract("LocalDollar");
    const vault = await ethers.deployContract("LocalVault", [dollar, "Vault", "v"]);
    const proxy = await ethers.deployContract("Erc4626Proxy", [vault, ZeroAddress]);
    const [routerAddress, dollarAddress, proxyAddress] = await Promise.all([
      router.getAddress(),
      dollar.getAddress(),
      proxy.getAddress(),
    ]);
    const call = (target: string, callData: string) => ({ target, allowFailure: false, value: 0n, callData });
    const approve = (amount: bigint) =>
      call(dollarAddress, dollar.interface.encodeFunctionData("approve", [proxyAddress, amount]));
    const execute = (recipient: string, minimumIn: bigint, minimumOut: bigint) =>
      call(proxyAddress, proxy.interface.encodeFunctionData("execute", [recipient, minimumIn, minimumOut, MaxUint256]));
    const fill = (calls: ReturnType<typeof call>[]) =>
      sendToEachRouter(connection, routerAddress, () => router.multicall(calls, user, user, ZeroHash));
    return { user, stranger, router, routerAddress, dollar, vault, proxy, proxyAddress, approve, execute, fill };
  }

  it("deposits the router's entire balance, and holds nothing afterwards", async () => {
    const { user, routerAddress, dollar, vault, proxy, proxyAddress, approve, execute, fill } = await deploy();
    await dollar.mint(routerAddress, 123n * DOLLAR + 7n);
    await expect(fill([approve(MaxUint256), execute(user.address, 1n, 1n), approve(0n)]))
      .to.emit(proxy, "Executed")
      .withArgs(routerAddress, user.address, 123n * DOLLAR + 7n, 123n * DOLLAR + 7n);
    expect(await vault.balanceOf(user)).to.equal(123n * DOLLAR + 7n);
    expect(await dollar.balanceOf(routerAddress)).to.equal(0n);
    expect(await dollar.balanceOf(proxyAddress)).to.equal(0n);
    expect(await dollar.allowance(routerAddress, proxyAddress)).to.equal(0n);
    expect(await dollar.allowance(proxyAddress, vault)).to.equal(MaxUint256);
  });

  it("reverts the multicall with the proxy's own error if too little arrived", async () => {
    const { user, routerAddress, dollar, proxy, approve, execute, fill } = await deploy();
    await dollar.mint(routerAddress, DOLLAR);
    await expect(fill([approve(MaxUint256), execute(user.address, 2n * DOLLAR, 1n)]))
      .to.be.revertedWithCustomError(proxy, "InsufficientInput")
      .withArgs(DOLLAR, 2n * DOLLAR);
  });

  it("takes nothing from the router when a stranger calls the proxy directly", async () => {
    const { stranger, routerAddress, dollar, proxy, approve, fill } = await deploy();
    await fill([approve(MaxUint256)]);
    await dollar.mint(routerAddress, DOLLAR);
    await expect(proxy.connect(stranger).execute(stranger.address, 1n, 1n, MaxUint256))
      .to.be.revertedWithCustomError(proxy, "InsufficientInput")
      .withArgs(0n, 1n);
    expect(await dollar.balanceOf(routerAddress)).to.equal(DOLLAR);
  });
});
