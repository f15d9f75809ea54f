import { expect } from "chai";
import { ZeroAddress, parseEther } from "ethers";
import { erc4626Abi } from "viem";

import {
  callContract,
  erc4626Deposit,
  live,
  planCalls,
  planRecipe,
  unwrapNative,
  wrapNative,
} from "../../../packages/sdk/src/calls/index.ts";
import { contractsOf, createPlanFills, DELIVERED, PLANNED, WAYS } from "../support/planFills.ts";
import { fixture } from "../../support/fills.ts";

describe("recipe plans for token standards, run through the router", () => {
  describe("with ERC-4626", () => {
    const deployVaults = fixture(async () => {
      const chain = await createPlanFills();
      const { ethers, dollar, wrappedNative, addressOf, weth } = chain;
      const vault = await addressOf(await ethers.deployContract("LocalVault", [dollar, "Vault", "V"]));
      const wethVault = await addressOf(await ethers.deployContract("LocalVault", [wrappedNative, "Vault", "W"]));
      const proxy = await addressOf(await ethers.deployContract("Erc4626Proxy", [vault, ZeroAddress]));
      const wethProxy = await addressOf(await ethers.deployContract("Erc4626Proxy", [wethVault, weth]));
      return { ...chain, vault, wethVault, proxy, wethProxy };
    });

    for (const way of WAYS) {
      it(`deposit the delivered amount by ${way}`, async () => {
        const chain = await deployVaults();
        const { vault, proxy, usd, user, base, fill, holds, expectNothingLeft } = chain;
        await chain.dollar.mint(chain.router, DELIVERED);
        const plan = planRecipe({
          ...base,
          ...contractsOf(chain, way, proxy),
          recipe: erc4626Deposit,
          args: { vault, asset: usd },
          tradeType: "EXACT_INPUT",
          amount: PLANNED,
          minimumIn: PLANNED,
          minimumOut: PLANNED,
        });
        await fill(plan);
        expect([await holds(vault, user), await holds(usd, user)]).to.deep.equal([DELIVERED, 0n]);
        await expectNothingLeft([usd, vault], { proxies: [proxy], protocols: [vault] });
      });
    }

    it("deposit a fixed amount, and return the remainder to the user", async () => {
      const { vault, usd, user, base, router, dollar, fill, holds, expectNothingLeft } = await deployVaults();
      await dollar.mint(router, PLANNED + 7n);
      await fill(
        planRecipe({
          ...base,
          recipe: erc4626Deposit,
          args: { vault, asset: usd },
          tradeType: "EXACT_OUTPUT",
          amount: PLANNED,
        }),
      );
      expect([await holds(vault, user), await holds(usd, user)]).to.deep.equal([PLANNED, 7n]);
      await expectNothingLeft([usd, vault], { protocols: [vault] });
    });

    for (const way of ["proxy", "push", "fixed"] as const) {
      it(`deposit native currency that the plan wraps, by ${way}`, async () => {
        const { wethVault, wethProxy, programs, weth, user, base, fill, holds, expectNothingLeft } =
          await deployVaults();
        const common = {
          ...base,
          recipe: erc4626Deposit,
          args: { vault: wethVault, asset: weth },
          amount: parseEther("1"),
          wraps: weth,
        } as const;
        const plan =
          way === "fixed"
            ? planRecipe({ ...common, tradeType: "EXACT_OUTPUT" })
            : planRecipe({
                ...common,
                tradeType: "EXACT_INPUT",
                ...(way === "proxy" ? { proxy: wethProxy } : { programs }),
              });
        const value = way === "fixed" ? parseEther("1") : parseEther("0.987");
        await fill(plan, value);
        expect(await holds(wethVault, user)).to.equal(value);
        await expectNothingLeft([weth, wethVault], { proxies: [wethProxy], protocols: [wethVault] });
      });
    }

    it("deposit the output of a contract call with a live amount", async () => {
      const { vault, usd, user, base, programs, router, dollar, fill, holds, expectNothingLeft } = await deployVaults();
      await dollar.mint(router, DELIVERED);
      await fill(
        planCalls({
          ...base,
          programs,
          tradeType: "EXACT_INPUT",
          destinationCurrency: usd,
          amount: PLANNED,
          actions: [
            callContract({
              address: vault,
              abi: erc4626Abi,
              functionName: "deposit",
              args: [live(usd, { approve: "target" }), user],
            }),
          ],
        }),
      );
      expect(await holds(vault, user)).to.equal(DELIVERED);
      await expectNothingLeft([usd, vault], { protocols: [vault] });
    });
  });

  describe("with wrapped native currency", () => {
    for (const way of ["proxy", "call", "fixed"] as const) {
      it(`wrap native currency by ${way}`, async () => {
        const { ethers, weth, user, base, addressOf, fill, holds, expectNothingLeft } = await createPlanFills();
        const proxy = await addressOf(await ethers.deployContract("WrappedNativeProxy", [weth]));
        const common = { ...base, recipe: wrapNative, args: { wrappedNative: weth }, amount: 1_000n } as const;
        const plan =
          way === "fixed"
            ? planRecipe({ ...common, tradeType: "EXACT_OUTPUT" })
            : planRecipe({ ...common, tradeType: "EXACT_INPUT", ...(way === "proxy" ? { proxy } : {}) });
        const value = way === "fixed" ? 1_000n : 987n;
        await fill(plan, value);
        expect(await holds(weth, user)).to.equal(value);
        await expectNothingLeft([weth], { proxies: [proxy] });
      });
    }

    for (const way of ["proxy", "fixed"] as const) {
      it(`unwrap native currency by ${way}`, async () => {
        const { ethers, weth, user, base, addressOf, deliverWrapped, fill, holds, expectNothingLeft } =
          await createPlanFills();
        const proxy = await addressOf(await ethers.deployContract("WrappedNativeProxy", [weth]));
        const common = { ...base, recipe: unwrapNative, args: { wrappedNative: weth }, amount: 1_000n } as const;
        const plan =
          way === "fixed"
            ? planRecipe({ ...common, tradeType: "EXACT_OUTPUT" })
            : planRecipe({ ...common, tradeType: "EXACT_INPUT", proxy });
        await deliverWrapped(1_007n);
        const before = await ethers.provider.getBalance(user);
        await fill(plan);
        const gained = (await ethers.provider.getBalance(user)) - before;
        expect([gained, await holds(weth, user)]).to.deep.equal(way === "fixed" ? [1_000n, 7n] : [1_007n, 0n]);
        await expectNothingLeft([weth], { proxies: [proxy] });
      });
    }
  });
});
