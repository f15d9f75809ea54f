import { use } from "chai";
import type { HardhatPlugin } from "hardhat/types/plugins";

/**
 * Restores Chai's own `deep.equal`. Hardhat's matchers replace it with an assertion that accepts `"5"` for `5n` and
 * formats both values even if they are equal.
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
              // Creates a new function, because Chai applies a plugin function only once.
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
