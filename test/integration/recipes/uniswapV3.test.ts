import { expect } from "chai";
import { parseEther } from "ethers";
import type { Address } from "viem";

import { planRecipe, uniswapV3Swap } from "../../../packages/sdk/src/calls/index.ts";
import { addPool, deployUniswapV3 } from "../../support/protocols/uniswapV3.ts";
import { contractsOf, createPlanFills, DELIVERED, dollars, PLANNED, WAYS } from "../support/planFills.ts";
import { fixture } from "../../support/fills.ts";

describe("recipe plans for exchanges, run through the router", () => {
  describe("with Uniswap v3's published code", () => {
    const deployPools = fixture(async () => {
      const chain = await createPlanFills();
      const { ethers, deployer, dollar, wrappedNative, usd, weth } = chain;
      const euro = await ethers.deployContract("LocalDollar");
      const eur = await chain.addressOf(euro);
      for (const token of [dollar, euro]) await token.mint(deployer, dollars("2000000"));
      await wrappedNative.deposit({ value: parseEther("1000") });
      const uniswap = await deployUniswapV3(deployer, weth);
      const native = { token: weth, amount: parseEther("500") };
      await addPool(deployer, uniswap, 500, [{ token: usd, amount: dollars("1000000") }, native]);
      await addPool(deployer, uniswap, 3_000, [native, { token: eur, amount: dollars("1000000") }]);
      const pathOf = (tokens: readonly string[], fees: readonly number[]) =>
        ethers.solidityPacked(
          ["address", ...fees.flatMap(() => ["uint24", "address"])],
          [tokens[0], ...fees.flatMap((fee, index) => [fee, tokens[index + 1]])],
        );
      const quote = async (tokens: readonly string[], fees: readonly number[], amount: bigint): Promise<bigint> =>
        (await uniswap.quoter.getFunction("quoteExactInput").staticCall(pathOf(tokens, fees), amount)) as bigint;
      return { ...chain, uniswap, eur, quote };
    });

    for (const [index, generation] of (["SwapRouter", "SwapRouter02"] as const).entries()) {
      for (const way of [...WAYS, "fixed"] as const) {
        for (const hops of [1, 2] as const) {
          it(`swap through ${hops} pools with ${generation}, by ${way}`, async () => {
            const chain = await deployPools();
            const { ethers, uniswap, usd, eur, weth, user, base, router, dollar, fill, holds, addressOf } = chain;
            const swapRouter = (index === 0 ? uniswap.swapRouter : uniswap.swapRouter02) as Address;
            const tokens = [usd, weth, eur].slice(0, hops + 1);
            const fees = [500, 3_000].slice(0, hops);
            const proxy = await addressOf(
              await ethers.deployContract("UniswapV3Proxy", [swapRouter, index, tokens, fees, weth, false]),
            );
            const [amount, rest] = way === "fixed" ? [PLANNED, DELIVERED - PLANNED] : [DELIVERED, 0n];
            const minimumOut = await chain.quote(tokens, fees, amount);
            const common = {
              ...base,
              recipe: uniswapV3Swap,
              args: { swapRouter, generation, tokens, fees },
              amount: PLANNED,
              minimumOut,
            } as const;
            await dollar.mint(router, DELIVERED);
            await fill(
              way === "fixed"
                ? planRecipe({ ...common, tradeType: "EXACT_OUTPUT" })
                : planRecipe({ ...common, ...contractsOf(chain, way, proxy), tradeType: "EXACT_INPUT" }),
            );
            const output = tokens.at(-1)!;
            expect([await holds(output, user), await holds(usd, user)]).to.deep.equal([minimumOut, rest]);
            await chain.expectNothingLeft(tokens, { proxies: [proxy], protocols: [swapRouter] });
          });
        }
      }

      for (const way of ["push", "fixed"] as const) {
        it(`swap native currency with ${generation}, by ${way}`, async () => {
          const chain = await deployPools();
          const { uniswap, usd, weth, user, base, programs, quote, fill, holds, expectNothingLeft } = chain;
          const swapRouter = (index === 0 ? uniswap.swapRouter : uniswap.swapRouter02) as Address;
          const value = way === "fixed" ? parseEther("1") : parseEther("0.9");
          const minimumOut = await quote([weth, usd], [500], value);
          const common = {
            ...base,
            recipe: uniswapV3Swap,
            args: { swapRouter, generation, tokens: [weth, usd], fees: [500], takesNative: true },
            amount: parseEther("1"),
            minimumOut,
          } as const;
          await fill(
            way === "fixed"
              ? planRecipe({ ...common, tradeType: "EXACT_OUTPUT" })
              : planRecipe({ ...common, programs, tradeType: "EXACT_INPUT" }),
            value,
          );
          expect(await holds(usd, user)).to.equal(minimumOut);
          await expectNothingLeft([usd, weth], { protocols: [swapRouter] });
        });
      }
    }
  });
});
