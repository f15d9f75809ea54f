import { expect } from "chai";
import { ZeroAddress, parseEther, parseUnits } from "ethers";

import { createFills, fixture } from "../../support/fills.ts";
import { addPool, deployUniswapV3 } from "../../support/protocols/uniswapV3.ts";

/** Both Uniswap routers, with their index for the proxy's constructor. */
const GENERATIONS = [
  { name: "SwapRouter", index: 0 },
  { name: "SwapRouter02", index: 1 },
] as const;

const dollars = (amount: string): bigint => parseUnits(amount, 6);

describe("UniswapV3Proxy with Uniswap's published code", () => {
  /** Creates a chain with pools of dollar, native currency, euro and pound, in this order. */
  const deployPools = fixture(async () => {
    const fills = await createFills();
    const { ethers, deployer, dollar, wrappedNative } = fills;
    const wrapped = await wrappedNative.getAddress();
    const usd = await dollar.getAddress();
    const euro = await ethers.deployContract("LocalDollar");
    const pound = await ethers.deployContract("LocalDollar");
    for (const token of [dollar, euro, pound]) await token.mint(deployer, dollars("4000000"));
    await wrappedNative.deposit({ value: parseEther("2000") });
    const uniswap = await deployUniswapV3(deployer, wrapped);
    const eur = await euro.getAddress();
    const gbp = await pound.getAddress();
    const million = (token: string) => ({ token, amount: dollars("1000000") });
    const thousand = { token: wrapped, amount: parseEther("500") };
    const firstPool = await addPool(deployer, uniswap, 500, [million(usd), thousand]);
    await addPool(deployer, uniswap, 3_000, [thousand, million(eur)]);
    await addPool(deployer, uniswap, 10_000, [million(eur), million(gbp)]);
    return { ...fills, uniswap, firstPool, wrapped, usd, eur, gbp };
  });

  for (const { name, index } of GENERATIONS) {
    describe(`with ${name}`, () => {
      async function deploy(hops: 1 | 2 | 3 = 1) {
        const pools = await deployPools();
        const { ethers, uniswap, wrapped, usd, eur, gbp } = pools;
        const router = index === 0 ? uniswap.swapRouter : uniswap.swapRouter02;
        const tokens = [usd, wrapped, eur, gbp].slice(0, hops + 1);
        const fees = [500, 3_000, 10_000].slice(0, hops);
        const proxy = await ethers.deployContract("UniswapV3Proxy", [router, index, tokens, fees, wrapped, false]);
        /** Returns the output of the same swap without the kit. */
        const quote = async (amount: bigint): Promise<bigint> =>
          (await uniswap.quoter.getFunction("quoteExactInput").staticCall(await proxy.path(), amount)) as bigint;
        const output = await pools.tokenAt(tokens[hops]!);
        return { ...pools, swapRouter: router, proxy, quote, output, tokens };
      }

      for (const hops of [1, 2, 3] as const) {
        for (const amount of [dollars("0.0001"), dollars("1234.567891"), dollars("900000")]) {
          it(`swaps ${amount} through ${hops} pools for the same output as a direct swap`, async () => {
            const { router, user, dollar, usd, swapRouter, proxy, output, tokens, quote, ...fills } =
              await deploy(hops);
            await dollar.mint(router, amount);
            const expected = await quote(amount);
            const calls = await fills.tokenCalls(usd, proxy, user, { minimumIn: amount, minimumOut: expected });
            await expect(fills.fill(calls)).to.emit(proxy, "Executed").withArgs(router, user, amount, expected);
            expect(expected).to.be.greaterThan(0n);
            expect(await output.balanceOf(user)).to.equal(expected);
            await fills.expectEmpty(proxy, swapRouter, ...tokens);
          });
        }

        it(`fails with ${hops} pools if the recipient would receive one unit too little`, async () => {
          const { router, user, dollar, usd, proxy, quote, tokenCalls, fill } = await deploy(hops);
          await dollar.mint(router, dollars("10"));
          const expected = await quote(dollars("10"));
          await expect(fill(await tokenCalls(usd, proxy, user, { minimumOut: expected + 1n })))
            .to.be.revertedWithCustomError(proxy, "InsufficientOutput")
            .withArgs(expected, expected + 1n);
        });
      }

      it("fails if the pool's fee uses up an input of one unit", async () => {
        const { router, user, dollar, usd, proxy, tokenCalls, fill } = await deploy();
        await dollar.mint(router, 1n);
        await expect(fill(await tokenCalls(usd, proxy, user)))
          .to.be.revertedWithCustomError(proxy, "InsufficientOutput")
          .withArgs(0n, 1n);
      });

      it("fails if less arrives than required", async () => {
        const { router, user, dollar, usd, proxy, tokenCalls, fill } = await deploy();
        await dollar.mint(router, 99n);
        await expect(fill(await tokenCalls(usd, proxy, user, { minimumIn: 100n })))
          .to.be.revertedWithCustomError(proxy, "InsufficientInput")
          .withArgs(99n, 100n);
      });

      it("returns to the recipient any input that the pool cannot use", async () => {
        const { router, user, dollar, usd, firstPool, swapRouter, proxy, tokens, ...fills } = await deploy();
        const amount = 1n << 160n;
        await dollar.mint(router, amount);
        const held = await dollar.balanceOf(firstPool);
        await fills.fill(await fills.tokenCalls(usd, proxy, user, { minimumIn: amount }));
        const taken = (await dollar.balanceOf(firstPool)) - held;
        expect(taken).to.be.lessThan(amount);
        expect(await dollar.balanceOf(user)).to.equal(amount - taken);
        await fills.expectEmpty(proxy, swapRouter, ...tokens);
      });

      it("is protected only by its minimum output if a later pool runs out of liquidity", async () => {
        const { ethers, router, user, deployer, dollar, wrappedNative, uniswap, wrapped, ...fills } = await deploy();
        const thin = await ethers.deployContract("LocalDollar");
        const yen = await thin.getAddress();
        await thin.mint(deployer, 10n);
        await addPool(deployer, uniswap, 10_000, [
          { token: wrapped, amount: 10n },
          { token: yen, amount: 10n },
        ]);
        const { swapRouter, usd } = fills;
        const args = [swapRouter, index, [usd, wrapped, yen], [500, 10_000], wrapped, false] as const;
        const proxy = await ethers.deployContract("UniswapV3Proxy", [...args]);
        await dollar.mint(router, dollars("1000000000"));
        await expect(fills.fill(await fills.tokenCalls(usd, proxy, user, { minimumOut: 10n })))
          .to.be.revertedWithCustomError(proxy, "InsufficientOutput")
          .withArgs(9n, 10n);
        await fills.fill(await fills.tokenCalls(usd, proxy, user, { minimumOut: 9n }));
        expect(await wrappedNative.balanceOf(swapRouter)).to.be.greaterThan(0n);
        await fills.expectEmpty(proxy, swapRouter, usd, wrapped, yen);
      });

      it("rejects recipients with a special meaning for the Uniswap router", async () => {
        const { router, dollar, usd, proxy, tokenCalls, fill } = await deploy();
        await dollar.mint(router, dollars("10"));
        for (const alias of [1n, 2n]) {
          const recipient = `0x${alias.toString(16).padStart(40, "0")}`;
          await expect(fill(await tokenCalls(usd, proxy, recipient, { minimumOut: 0n })))
            .to.be.revertedWithCustomError(proxy, "RecipientIsPlaceholder")
            .withArgs(recipient);
        }
      });

      it("swaps native currency", async () => {
        const { ethers, router, user, dollar, wrapped, usd, swapRouter, nativeCalls, fill, expectEmpty } =
          await deploy();
        const args = [swapRouter, index, [wrapped, usd], [500], wrapped, false] as const;
        const proxy = await ethers.deployContract("UniswapV3Proxy", [...args]);
        const calls = await nativeCalls(proxy, user, { minimumIn: parseEther("1"), minimumOut: dollars("1900") });
        await expect(fill(calls, parseEther("1"))).to.emit(proxy, "Executed");
        expect(await dollar.balanceOf(user)).to.be.greaterThan(dollars("1900"));
        expect(await dollar.balanceOf(router)).to.equal(0n);
        await expectEmpty(proxy, swapRouter, wrapped, usd);
      });

      it("pays out native currency if it was deployed with that option", async () => {
        const { ethers, router, user, dollar, wrapped, usd, swapRouter, quote, ...fills } = await deploy();
        const args = [swapRouter, index, [usd, wrapped], [500], wrapped, true] as const;
        const proxy = await ethers.deployContract("UniswapV3Proxy", [...args]);
        expect(await proxy.outputToken()).to.equal(ZeroAddress);
        await dollar.mint(router, dollars("2000"));
        const expected = await quote(dollars("2000"));
        const filled = fills.fill(await fills.tokenCalls(usd, proxy, user, { minimumOut: expected }));
        await expect(filled).to.changeEtherBalance(ethers, user, expected);
        await fills.expectEmpty(proxy, swapRouter, wrapped, usd);
      });

      it("rejects a path without a pool", async () => {
        const { ethers, proxy, usd, gbp, wrapped, swapRouter } = await deploy();
        const args = [swapRouter, index, [usd, wrapped, gbp], [500, 500], wrapped, false] as const;
        await expect(ethers.deployContract("UniswapV3Proxy", [...args]))
          .to.be.revertedWithCustomError(proxy, "PoolMissing")
          .withArgs(wrapped, gbp, 500n);
      });

      it("reverts each fill without a loss if it was deployed for the other Uniswap router", async () => {
        const { ethers, router, user, dollar, usd, wrapped, swapRouter, tokenCalls, fill } = await deploy();
        const args = [swapRouter, 1 - index, [usd, wrapped], [500], wrapped, false] as const;
        const proxy = await ethers.deployContract("UniswapV3Proxy", [...args]);
        await dollar.mint(router, dollars("10"));
        await expect(fill(await tokenCalls(usd, proxy, user))).to.be.revertedWithoutReason(ethers);
        expect(await dollar.balanceOf(router)).to.equal(dollars("10"));
      });
    });
  }
});
