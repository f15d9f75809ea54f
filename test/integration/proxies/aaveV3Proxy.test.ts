import { expect } from "chai";
import { type AddressLike, MaxUint256, parseEther, parseUnits } from "ethers";

import { createFills, fixture } from "../../support/fills.ts";
import { type ReserveTokens, addReserve, deployAaveV3 } from "../../support/protocols/aaveV3.ts";
import { send } from "../../support/protocols/published.ts";

const RAY = 10n ** 27n;
const YEAR = 365 * 24 * 60 * 60;

const dollars = (amount: string): bigint => parseUnits(amount, 6);

/** Maximum rounding difference of debt and aTokens, in units. */
const about =
  (amount: bigint) =>
  (actual: bigint): boolean =>
    actual >= amount - 1n && actual <= amount + 1n;

describe("AaveV3Proxy with Aave's published code", () => {
  /** Creates a market for dollars and native currency, with one million of each available to borrow. */
  const deploy = fixture(async () => {
    const fills = await createFills();
    const { ethers, networkHelpers, deployer, dollar, wrappedNative } = fills;
    const aave = await deployAaveV3(deployer);
    const pool = await aave.pool.getAddress();
    const wrapped = await wrappedNative.getAddress();
    const usd = await dollar.getAddress();
    const usdReserve = await addReserve(deployer, aave, { asset: usd, symbol: "USD", decimals: 6, dollars: 1 });
    const ethReserve = await addReserve(deployer, aave, {
      asset: wrapped,
      symbol: "ETH",
      decimals: 18,
      dollars: 2_000,
    });
    await networkHelpers.setBalance(deployer.address, parseEther("2000000"));
    await dollar.mint(deployer, dollars("1000000"));
    await wrappedNative.deposit({ value: parseEther("1000000") });
    for (const [token, asset, amount] of [
      [dollar, usd, dollars("1000000")],
      [wrappedNative, wrapped, parseEther("1000000")],
    ] as const) {
      await token.approve(pool, MaxUint256);
      await send(aave.pool, "supply", asset, amount, deployer.address, 0);
    }
    const deployProxy = ({ aToken, variableDebtToken }: ReserveTokens) =>
      ethers.deployContract("AaveV3Proxy", [aToken, variableDebtToken, wrapped]);
    const borrower = fills.stranger;
    /** Creates debt for the borrower, with the deployer's funds as collateral. */
    const owe = async (asset: string, amount: bigint): Promise<void> => {
      const [collateral, backing] = asset === usd ? [wrapped, parseEther("1000")] : [usd, dollars("100000")];
      if (collateral === wrapped) await wrappedNative.deposit({ value: backing });
      else await dollar.mint(deployer, backing);
      await send(aave.pool, "supply", collateral, backing, borrower.address, 0);
      await send(aave.pool.connect(borrower), "borrow", asset, amount, 2, 0, borrower.address);
      await (await fills.tokenAt(asset)).connect(borrower).transfer(deployer, amount);
    };
    const balanceOf = async (token: string, holder: AddressLike) => (await fills.tokenAt(token)).balanceOf(holder);
    const usdProxy = await deployProxy(usdReserve);
    const ethProxy = await deployProxy(ethReserve);
    return { ...fills, aave, pool, wrapped, usd, usdReserve, ethReserve, usdProxy, ethProxy, borrower, owe, balanceOf };
  });

  describe("execute", () => {
    for (const amount of [1n, dollars("1234.567891"), dollars("900000000000")]) {
      it(`supplies ${amount} for the recipient`, async () => {
        const { router, user, dollar, pool, usd, usdReserve, usdProxy, ...fills } = await deploy();
        await dollar.mint(router, amount);
        const calls = await fills.tokenCalls(usd, usdProxy, user, { minimumIn: amount, minimumOut: amount });
        await expect(fills.fill(calls)).to.emit(usdProxy, "Executed").withArgs(router, user, amount, amount);
        expect(await fills.balanceOf(usdReserve.aToken, user)).to.equal(amount);
        await fills.expectEmpty(usdProxy, pool, usd, usdReserve.aToken);
      });
    }

    it("supplies native currency", async () => {
      const { router, user, pool, wrapped, ethReserve, ethProxy, ...fills } = await deploy();
      const amount = parseEther("3") + 1n;
      const calls = await fills.nativeCalls(ethProxy, user, { minimumIn: amount, minimumOut: amount });
      await expect(fills.fill(calls, amount)).to.emit(ethProxy, "Executed").withArgs(router, user, amount, amount);
      expect(await fills.balanceOf(ethReserve.aToken, user)).to.equal(amount);
      await fills.expectEmpty(ethProxy, pool, wrapped, ethReserve.aToken);
    });

    it("credits the amount computed from the index, with a difference of at most one unit", async () => {
      const { ethers, networkHelpers, router, dollar, aave, usd, usdProxy, owe, tokenCalls, fill } = await deploy();
      await owe(usd, dollars("900000"));
      await networkHelpers.time.increase(2 * YEAR);
      const differences = new Set<bigint>();
      for (let amount = 1n; amount <= 40n; amount++) {
        const recipient = ethers.Wallet.createRandom();
        await dollar.mint(router, amount);
        const filled = fill(await tokenCalls(usd, usdProxy, recipient));
        await filled;
        const { liquidityIndex } = (await aave.pool.getFunction("getReserveData").staticCall(usd)) as {
          liquidityIndex: bigint;
        };
        const scaled = (amount * RAY + liquidityIndex / 2n) / liquidityIndex;
        const gained = (scaled * liquidityIndex + RAY / 2n) / RAY;
        await expect(filled).to.emit(usdProxy, "Executed").withArgs(router, recipient, amount, gained);
        differences.add(gained - amount);
      }
      expect([...differences].sort(), "differences").to.deep.equal([-1n, 0n, 1n]);
    });

    it("fails with the pool's own error if the amount is worth less than a unit of the aToken", async () => {
      const { networkHelpers, router, user, dollar, usd, usdProxy, owe, tokenCalls, fill } = await deploy();
      await owe(usd, dollars("900000"));
      await networkHelpers.time.increase(20 * YEAR);
      await dollar.mint(router, 1n);
      await expect(fill(await tokenCalls(usd, usdProxy, user))).to.be.revertedWith("24");
    });

    it("fails if the recipient would receive too little", async () => {
      const { router, user, dollar, usd, usdProxy, tokenCalls, fill } = await deploy();
      await dollar.mint(router, 100n);
      await expect(fill(await tokenCalls(usd, usdProxy, user, { minimumOut: 101n })))
        .to.be.revertedWithCustomError(usdProxy, "InsufficientOutput")
        .withArgs(100n, 101n);
    });

    it("fails with the pool's own error if the reserve is paused", async () => {
      const { router, user, dollar, aave, usd, usdProxy, tokenCalls, fill } = await deploy();
      await send(aave.configurator, "setReservePause", usd, true);
      await dollar.mint(router, 100n);
      await expect(fill(await tokenCalls(usd, usdProxy, user))).to.be.revertedWith("29");
      expect(await dollar.balanceOf(router)).to.equal(100n);
    });
  });

  describe("repay", () => {
    for (const amount of [1n, dollars("1234.567891")]) {
      it(`repays part of the debt with ${amount}`, async () => {
        const { router, borrower, dollar, pool, usd, usdReserve, usdProxy, ...fills } = await deploy();
        await fills.owe(usd, dollars("5000"));
        await dollar.mint(router, amount);
        const held = await fills.balanceOf(usd, usdReserve.aToken);
        const limits = { minimumIn: amount, minimumOut: amount - 1n };
        await expect(fills.fill(await fills.tokenCalls(usd, usdProxy, borrower, limits, "repay")))
          .to.emit(usdProxy, "Repaid")
          .withArgs(router, borrower, amount, about(amount));
        expect(await fills.balanceOf(usd, usdReserve.aToken)).to.equal(held + amount);
        expect(await fills.balanceOf(usd, borrower)).to.equal(0n);
        await fills.expectEmpty(usdProxy, pool, usd, usdReserve.aToken);
      });
    }

    it("repays the entire debt with interest, and returns the remainder to the borrower", async () => {
      const { networkHelpers, router, borrower, dollar, pool, usd, usdReserve, usdProxy, ...fills } = await deploy();
      await fills.owe(usd, dollars("5000"));
      await networkHelpers.time.increase(YEAR);
      await dollar.mint(router, dollars("900000000"));
      const held = await fills.balanceOf(usd, usdReserve.aToken);
      const limits = { minimumIn: dollars("900000000"), minimumOut: dollars("5000") };
      const filled = fills.fill(await fills.tokenCalls(usd, usdProxy, borrower, limits, "repay"));
      await filled;
      const repaid = (await fills.balanceOf(usd, usdReserve.aToken)) - held;
      await expect(filled).to.emit(usdProxy, "Repaid").withArgs(router, borrower, dollars("900000000"), repaid);
      expect(repaid).to.be.greaterThan(dollars("5000"));
      expect(await fills.balanceOf(usdReserve.variableDebtToken, borrower)).to.equal(0n);
      expect(await fills.balanceOf(usd, borrower)).to.equal(dollars("900000000") - repaid);
      await fills.expectEmpty(usdProxy, pool, usd, usdReserve.aToken);
    });

    it("repays with native currency, and returns the remainder as wrapped native currency", async () => {
      const { router, borrower, pool, wrapped, ethReserve, ethProxy, ...fills } = await deploy();
      await fills.owe(wrapped, parseEther("2"));
      const held = await fills.balanceOf(wrapped, ethReserve.aToken);
      const limits = { minimumIn: parseEther("3"), minimumOut: parseEther("2") };
      const filled = fills.fill(await fills.nativeCalls(ethProxy, borrower, limits, "repayNative"), parseEther("3"));
      await filled;
      const repaid = (await fills.balanceOf(wrapped, ethReserve.aToken)) - held;
      await expect(filled).to.emit(ethProxy, "Repaid").withArgs(router, borrower, parseEther("3"), repaid);
      expect(await fills.balanceOf(ethReserve.variableDebtToken, borrower)).to.equal(0n);
      expect(await fills.balanceOf(wrapped, borrower)).to.equal(parseEther("3") - repaid);
      await fills.expectEmpty(ethProxy, pool, wrapped, ethReserve.aToken);
    });

    it("reverts if the debt is smaller than minimumRepaid", async () => {
      const { router, borrower, dollar, usd, usdProxy, owe, tokenCalls, fill } = await deploy();
      await owe(usd, dollars("5"));
      await dollar.mint(router, dollars("10"));
      await expect(fill(await tokenCalls(usd, usdProxy, borrower, { minimumOut: dollars("6") }, "repay")))
        .to.be.revertedWithCustomError(usdProxy, "InsufficientOutput")
        .withArgs(about(dollars("5")), dollars("6"));
    });

    it("reverts with the pool's own error if there is no debt", async () => {
      const { router, user, dollar, usd, usdProxy, tokenCalls, fill } = await deploy();
      await dollar.mint(router, 100n);
      await expect(fill(await tokenCalls(usd, usdProxy, user, {}, "repay"))).to.be.revertedWith("39");
      expect(await dollar.balanceOf(router)).to.equal(100n);
    });

    it("fails with the pool's own error if the reserve is paused", async () => {
      const { router, borrower, dollar, aave, usd, usdProxy, owe, tokenCalls, fill } = await deploy();
      await owe(usd, dollars("5"));
      await send(aave.configurator, "setReservePause", usd, true);
      await dollar.mint(router, 100n);
      await expect(fill(await tokenCalls(usd, usdProxy, borrower, {}, "repay"))).to.be.revertedWith("29");
    });
  });

  describe("deployment", () => {
    it("rejects a debt token that is not the variable debt token", async () => {
      const { ethers, usdReserve, ethReserve, usdProxy, wrapped } = await deploy();
      for (const wrong of [usdReserve.stableDebtToken, ethReserve.variableDebtToken, usdReserve.aToken]) {
        await expect(ethers.deployContract("AaveV3Proxy", [usdReserve.aToken, wrong, wrapped]))
          .to.be.revertedWithCustomError(usdProxy, "ReserveTokenMismatch")
          .withArgs(wrong, usdReserve.variableDebtToken);
      }
    });

    it("rejects an invalid aToken", async () => {
      const { ethers, usdReserve, usdProxy, wrapped } = await deploy();
      const { aToken, variableDebtToken } = usdReserve;
      await expect(ethers.deployContract("AaveV3Proxy", [variableDebtToken, aToken, wrapped]))
        .to.be.revertedWithCustomError(usdProxy, "ReserveTokenMismatch")
        .withArgs(variableDebtToken, aToken);
    });
  });

  it("cannot be drained by a flash loan on its behalf, despite its standing allowance", async () => {
    const { ethers, stranger, aave, pool, dollar, usd, usdProxy } = await deploy();
    await send(aave.configurator, "setReserveFlashLoaning", usd, true);
    await dollar.mint(usdProxy, 100n);
    expect(await dollar.allowance(usdProxy, pool)).to.equal(MaxUint256);
    const lender = aave.pool.connect(stranger);
    await expect(send(lender, "flashLoanSimple", usdProxy, usd, 1n, "0x", 0)).to.be.revertedWithoutReason(ethers);
    expect(await dollar.balanceOf(usdProxy)).to.equal(100n);
  });
});
