const { expect } = require("chai");
const { ethers } = require("hardhat");
const { describe, it } = require("mocha");

describe("ExitProxy", () => {
  it("forwards only the desk's payment", async () => {
    const [caller, stranger] = await ethers.getSigners();
    const user = ethers.Wallet.createRandom().address;
    const dollar = await ethers.deployContract("LocalDollar");
    const desk = await ethers.deployContract("ExitDesk", [dollar], { value: 1_000n });
    const proxy = await ethers.deployContract("ExitProxy", [desk]);
    await dollar.mint(caller, 100n);
    await dollar.approve(proxy, ethers.MaxUint256);

    await expect(proxy.execute(user, 100n, 100n, ethers.MaxUint256))
      .to.emit(proxy, "Executed")
      .withArgs(caller, user, 100n, 100n);
    expect(await ethers.provider.getBalance(user)).to.equal(100n);
    expect(await ethers.provider.getBalance(proxy)).to.equal(0n);
    await expect(stranger.sendTransaction({ to: proxy, value: 1n }))
      .to.be.revertedWithCustomError(proxy, "NativeNotFromDesk")
      .withArgs(stranger);
  });
});
