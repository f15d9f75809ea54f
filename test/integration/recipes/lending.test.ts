import { expect } from "chai";
import { ZeroAddress, parseEther } from "ethers";
import type { Address } from "viem";

import { aaveV3Repay, aaveV3Supply, compoundV3Supply, planRecipe } from "../../../packages/sdk/src/calls/index.ts";
import { addReserve, deployAaveV3 } from "../../support/protocols/aaveV3.ts";
import { send } from "../../support/protocols/published.ts";
import { contractsOf, createPlanFills, DELIVERED, dollars, PLANNED, WAYS } from "../support/planFills.ts";
import { fixture } from "../../support/fills.ts";

/** Tolerance for rounded balances and for debts with interest. */
const isAbout =
  (amount: bigint) =>
  (actual: bigint): boolean =>
    actual >= amount - 2n && actual <= amount + 2n;

describe("recipe plans for lending protocols, run through the router", () => {
  describe("with Aave v3's published code", () => {
    const deployMarket = fixture(async () => {
      const chain = await createPlanFills();
      const { ethers, networkHelpers, deployer, dollar, wrappedNative, usd, weth, user, addressOf } = chain;
      const aave = await deployAaveV3(deployer);
      const pool = (await aave.pool.getAddress()) as Address;
      const reserve = await addReserve(deployer, aave, { asset: usd, symbol: "USD", decimals: 6, dollars: 1 });
      await addReserve(deployer, aave, { asset: weth, symbol: "ETH", decimals: 18, dollars: 2_000 });
      await networkHelpers.setBalance(deployer.address, parseEther("20000"));
      await dollar.mint(deployer, dollars("1000000"));
      await dollar.approve(pool, dollars("1000000"));
      await send(aave.pool, "supply", usd, dollars("1000000"), deployer.address, 0);
      await wrappedNative.deposit({ value: parseEther("10") });
      await wrappedNative.approve(pool, parseEther("10"));
      const proxy = await addressOf(
        await ethers.deployContract("AaveV3Proxy", [reserve.aToken, reserve.variableDebtToken, weth]),
      );
      /** Creates dollar debt for the user. */
      const owe = async (amount: bigint): Promise<void> => {
        await send(aave.pool, "supply", weth, parseEther("10"), user, 0);
        await send(aave.pool.connect(chain.signer), "borrow", usd, amount, 2, 0, user);
        await (await chain.tokenAt(usd)).connect(chain.signer).transfer(deployer, amount);
      };
      return { ...chain, pool, aToken: reserve.aToken as Address, debtToken: reserve.variableDebtToken, proxy, owe };
    });

    for (const way of [...WAYS, "fixed"] as const) {
      it(`supply an asset by ${way}`, async () => {
        const chain = await deployMarket();
        const { pool, aToken, proxy, usd, user, base, router, dollar, fill, holds, expectNothingLeft } = chain;
        const common = { ...base, recipe: aaveV3Supply, args: { pool, asset: usd, aToken }, amount: PLANNED } as const;
        await dollar.mint(router, DELIVERED);
        await fill(
          way === "fixed"
            ? planRecipe({ ...common, tradeType: "EXACT_OUTPUT" })
            : planRecipe({
                ...common,
                ...contractsOf(chain, way, proxy),
                tradeType: "EXACT_INPUT",
                minimumOut: PLANNED,
              }),
        );
        const [supplied, rest] = way === "fixed" ? [PLANNED, DELIVERED - PLANNED] : [DELIVERED, 0n];
        expect(await holds(aToken, user)).to.satisfy(isAbout(supplied));
        expect(await holds(usd, user)).to.equal(rest);
        await expectNothingLeft([usd, aToken], { proxies: [proxy], protocols: [pool] });
      });

      it(`repay a debt by ${way}, and return the excess to the user`, async () => {
        const chain = await deployMarket();
        const { pool, aToken, debtToken, proxy, usd, user, base, router, dollar, fill, holds, expectNothingLeft } =
          chain;
        await chain.owe(dollars("600"));
        const common = { ...base, recipe: aaveV3Repay, args: { pool, asset: usd }, amount: PLANNED } as const;
        await dollar.mint(router, DELIVERED);
        await fill(
          way === "fixed"
            ? planRecipe({ ...common, tradeType: "EXACT_OUTPUT" })
            : planRecipe({ ...common, ...contractsOf(chain, way, proxy), tradeType: "EXACT_INPUT" }),
        );
        expect(await holds(debtToken, user)).to.equal(0n);
        expect(await holds(usd, user)).to.satisfy((left: bigint) => {
          const paid = DELIVERED - left;
          return paid >= dollars("600") && paid < dollars("600.01");
        });
        await expectNothingLeft([usd, aToken], { proxies: [proxy], protocols: [pool] });
      });
    }
  });

  describe("with a stand-in for Compound v3", () => {
    for (const way of [...WAYS, "fixed"] as const) {
      it(`supply an asset by ${way}`, async () => {
        const chain = await createPlanFills();
        const { ethers, dollar, weth, usd, user, base, router, addressOf, fill, holds } = chain;
        const market = await ethers.deployContract("CometStandIn", [dollar, weth, parseEther("1000")]);
        const comet = await addressOf(market);
        const proxy = await addressOf(await ethers.deployContract("CompoundV3Proxy", [comet, usd, ZeroAddress]));
        const common = { ...base, recipe: compoundV3Supply, args: { comet, asset: usd }, amount: PLANNED } as const;
        await dollar.mint(router, DELIVERED);
        await fill(
          way === "fixed"
            ? planRecipe({ ...common, tradeType: "EXACT_OUTPUT" })
            : planRecipe({ ...common, ...contractsOf(chain, way, proxy), tradeType: "EXACT_INPUT" }),
        );
        const [supplied, rest] = way === "fixed" ? [PLANNED, DELIVERED - PLANNED] : [DELIVERED, 0n];
        expect([await market.balanceOf(user), await holds(usd, user)]).to.deep.equal([supplied, rest]);
        await chain.expectNothingLeft([usd], { proxies: [proxy], protocols: [comet] });
      });
    }
  });
});
