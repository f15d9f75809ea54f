import { use } from "chai";
import type { HardhatPlugin } from "hardhat/types/plugins";

/**
 * Gives tests Chai's own `deep.equal` back. That of the matchers, which the first connection adds, takes `"5"` for `5n`,
 * and describes both values where they are equal too.
 */
export const strictEqualityPlugin: HardhatPlugin = {
  id: "crosscall-strict-equality",
  dependencies: () => [import("@nomicfoundation/hardhat-ethers-chai-matchers")],
  hookHandlers: {
    network: () =>
      Promise.resolve({
        default: () =>
          Promise.resolve({
            newConnection: async (context, next) => {
              const connection = await next(context);
              // Once: Chai knows by the function what it has.
              use(compareStrictly);
              return connection;
            },
          }),
      }),
  },
};

const compareStrictly: Chai.ChaiPlugin = ({ Assertion }, utilities) => {
  for (const name of ["equal", "equals", "eq"]) {
    Assertion.overwriteMethod(
      name,
      (inherited: (...parameters: unknown[]) => void) =>
        function (this: Chai.AssertionPrototype & Chai.Assertion, ...parameters: [value: unknown, message?: string]) {
          if (utilities.flag(this, "deep") === true) this.eql(...parameters);
          else inherited.apply(this, parameters);
        },
    );
  }
};
