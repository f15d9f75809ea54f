import { expect } from "chai";
import { parseUnits } from "ethers";

import { createFills, fixture } from "../../support/fills.ts";

const dollars = (amount: string): bigint => parseUnits(amount, 6);

const PRICE = dollars("25");

describe("the example that mints NFTs", () => {
  const deploy = fixture(async () => {
    const fills = await createFills();
    const { ethers, deployer, dollar } = fills;
    const sale = await ethers.deployContract("NftSale", [dollar, PRICE, deployer]);
    const proxy = await ethers.deployContract("MintProxy", [sale]);
    return { ...fills, sale, saleAddress: await sale.getAddress(), usd: await dollar.getAddress(), proxy };
  });

  for (const { delivered, count, change } of [
    { delivered: PRICE, count: 1n, change: 0n },
    { delivered: PRICE + 1n, count: 1n, change: 1n },
    { delivered: 3n * PRICE - 1n, count: 2n, change: PRICE - 1n },
  ]) {
    it(`mints ${count} for ${delivered}, and returns the remainder`, async () => {
      const { router, user, deployer, dollar, sale, saleAddress, usd, proxy, ...fills } = await deploy();
      await dollar.mint(router, delivered);
      await expect(fills.fill(await fills.tokenCalls(usd, proxy, user, { minimumIn: PRICE, minimumOut: count })))
        .to.emit(proxy, "Executed")
        .withArgs(router, user, delivered, count);
      expect(await sale.balanceOf(user)).to.equal(count);
      expect(await sale.ownerOf(0n)).to.equal(user.address);
      expect(await dollar.balanceOf(user)).to.equal(change);
      expect(await dollar.balanceOf(deployer)).to.equal(count * PRICE);
      await fills.expectEmpty(proxy, saleAddress, usd);
    });
  }

  it("fails if the amount pays for fewer NFTs than requested", async () => {
    const { router, user, dollar, usd, proxy, tokenCalls, fill } = await deploy();
    await dollar.mint(router, 2n * PRICE - 1n);
    await expect(fill(await tokenCalls(usd, proxy, user, { minimumOut: 2n })))
      .to.be.revertedWithCustomError(proxy, "InsufficientOutput")
      .withArgs(1n, 2n);
  });

  it("reverts if the amount is below the price", async () => {
    const { router, user, dollar, usd, proxy, tokenCalls, fill } = await deploy();
    await dollar.mint(router, PRICE - 1n);
    await expect(fill(await tokenCalls(usd, proxy, user, { minimumOut: 0n })))
      .to.be.revertedWithCustomError(proxy, "PriceNotMet")
      .withArgs(PRICE - 1n, PRICE);
  });

  it("reverts if the recipient is a contract that rejects NFTs", async () => {
    const { ethers, router, dollar, sale, usd, proxy, tokenCalls, fill } = await deploy();
    const vault = await ethers.deployContract("LocalVault", [dollar, "Vault", "VLT"]);
    await dollar.mint(router, PRICE);
    await expect(fill(await tokenCalls(usd, proxy, vault)))
      .to.be.revertedWithCustomError(sale, "ERC721InvalidReceiver")
      .withArgs(vault);
    expect(await dollar.balanceOf(router)).to.equal(PRICE);
  });
});
