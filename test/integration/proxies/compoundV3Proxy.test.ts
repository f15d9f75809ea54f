import { expect } from "chai";
import { ZeroAddress, parseEther, parseUnits } from "ethers";

import { createFills, fixture } from "../../support/fills.ts";

const dollars = (amount: string): bigint => parseUnits(amount, 6);

/** Indexes of the market after interest has accrued. */
const SUPPLY_INDEX = 1_234_567_890_123_457n;
const BORROW_INDEX = 1_345_678_901_234_567n;
const INDEX_SCALE = 10n ** 15n;

const CAP = parseEther("1000");

describe("CompoundV3Proxy with the stand-in for Compound", () => {
  /** Creates a dollar market with native currency as collateral. */
  const deploy = fixture(async () => {
    const fills = await createFills();
    const { ethers, networkHelpers, deployer, dollar, wrappedNative } = fills;
    await networkHelpers.setBalance(deployer.address, parseEther("10000"));
    const comet = await ethers.deployContract("CometStandIn", [dollar, wrappedNative, CAP]);
    const market = await comet.getAddress();
    const usd = await dollar.getAddress();
    const wrapped = await wrappedNative.getAddress();
    await dollar.mint(comet, dollars("1000000"));
    const baseProxy = await ethers.deployContract("CompoundV3Proxy", [comet, dollar, ZeroAddress]);
    const collateralProxy = await ethers.deployContract("CompoundV3Proxy", [comet, wrappedNative, wrappedNative]);
    return { ...fills, comet, market, usd, wrapped, baseProxy, collateralProxy };
  });

  for (const amount of [1n, dollars("1234.567891"), dollars("900000000000")]) {
    it(`supplies ${amount} of the base asset for the recipient`, async () => {
      const { router, user, dollar, comet, market, usd, baseProxy, tokenCalls, fill, expectEmpty } = await deploy();
      await dollar.mint(router, amount);
      await expect(fill(await tokenCalls(usd, baseProxy, user, { minimumIn: amount, minimumOut: amount })))
        .to.emit(baseProxy, "Executed")
        .withArgs(router, user, amount, amount);
      expect(await comet.balanceOf(user)).to.equal(amount);
      await expectEmpty(baseProxy, market, usd);
    });
  }

  it("counts the supplied amount after rounding", async () => {
    const { router, user, dollar, comet, usd, baseProxy, tokenCalls, fill } = await deploy();
    await comet.setIndexes(SUPPLY_INDEX, BORROW_INDEX);
    await dollar.mint(router, 100n);
    const gained = (((100n * INDEX_SCALE) / SUPPLY_INDEX) * SUPPLY_INDEX) / INDEX_SCALE;
    expect(gained).to.be.lessThan(100n);
    await expect(fill(await tokenCalls(usd, baseProxy, user, { minimumOut: 100n })))
      .to.be.revertedWithCustomError(baseProxy, "InsufficientOutput")
      .withArgs(gained, 100n);
    await fill(await tokenCalls(usd, baseProxy, user, { minimumOut: gained }));
    expect(await comet.balanceOf(user)).to.equal(gained);
  });

  it("repays a borrower's debt, and counts the reduction as output", async () => {
    const { router, user, dollar, comet, market, usd, baseProxy, tokenCalls, fill, expectEmpty } = await deploy();
    await comet.lend(user, dollars("500"));
    await dollar.mint(router, dollars("200"));
    await expect(fill(await tokenCalls(usd, baseProxy, user, { minimumOut: dollars("200") })))
      .to.emit(baseProxy, "Executed")
      .withArgs(router, user, dollars("200"), dollars("200"));
    expect(await comet.borrowBalanceOf(user)).to.equal(dollars("300"));
    expect(await comet.balanceOf(user)).to.equal(0n);
    expect(await dollar.balanceOf(user)).to.equal(dollars("500"));
    await expectEmpty(baseProxy, market, usd);
  });

  it("repays a borrower's entire debt, and supplies the remainder", async () => {
    const { router, user, dollar, comet, market, usd, baseProxy, tokenCalls, fill, expectEmpty } = await deploy();
    await comet.lend(user, dollars("500"));
    await dollar.mint(router, dollars("700"));
    await expect(fill(await tokenCalls(usd, baseProxy, user, { minimumOut: dollars("700") })))
      .to.emit(baseProxy, "Executed")
      .withArgs(router, user, dollars("700"), dollars("700"));
    expect(await comet.borrowBalanceOf(user)).to.equal(0n);
    expect(await comet.balanceOf(user)).to.equal(dollars("200"));
    await expectEmpty(baseProxy, market, usd);
  });

  for (const amount of [1n, parseEther("1000")]) {
    it(`supplies ${amount} of a collateral`, async () => {
      const { router, user, comet, market, wrapped, collateralProxy, ...fills } = await deploy();
      await fills.deliverWrapped(amount);
      const calls = await fills.tokenCalls(wrapped, collateralProxy, user, { minimumIn: amount, minimumOut: amount });
      await expect(fills.fill(calls)).to.emit(collateralProxy, "Executed").withArgs(router, user, amount, amount);
      expect(await comet.collateralBalanceOf(user, wrapped)).to.equal(amount);
      await fills.expectEmpty(collateralProxy, market, wrapped);
    });

    it(`supplies ${amount} of native currency as collateral`, async () => {
      const { router, user, comet, market, wrapped, collateralProxy, nativeCalls, fill, expectEmpty } = await deploy();
      const calls = await nativeCalls(collateralProxy, user, { minimumIn: amount, minimumOut: amount });
      await expect(fill(calls, amount)).to.emit(collateralProxy, "Executed").withArgs(router, user, amount, amount);
      expect(await comet.collateralBalanceOf(user, wrapped)).to.equal(amount);
      await expectEmpty(collateralProxy, market, wrapped);
    });
  }

  it("fails with the market's own error above the supply cap", async () => {
    const { user, comet, wrapped, collateralProxy, tokenCalls, fill, deliverWrapped } = await deploy();
    await deliverWrapped(CAP + 1n);
    await expect(fill(await tokenCalls(wrapped, collateralProxy, user))).to.be.revertedWithCustomError(
      comet,
      "SupplyCapExceeded",
    );
  });

  it("fails with the market's own error while supply is paused", async () => {
    const { router, user, dollar, comet, usd, baseProxy, tokenCalls, fill } = await deploy();
    await comet.pause(true);
    await dollar.mint(router, 100n);
    await expect(fill(await tokenCalls(usd, baseProxy, user))).to.be.revertedWithCustomError(comet, "Paused");
  });

  it("rejects an asset that the market does not support", async () => {
    const { ethers, comet } = await deploy();
    const other = await ethers.deployContract("LocalDollar");
    await expect(ethers.deployContract("CompoundV3Proxy", [comet, other, ZeroAddress])).to.be.revertedWithCustomError(
      comet,
      "BadAsset",
    );
  });
});
