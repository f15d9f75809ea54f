import type { HardhatPlugin } from "hardhat/types/plugins";

/** Where the tests of the contracts are, as the compiler names it. */
const TESTS = "project/test/contracts/";

/**
 * Compiles the tests of the contracts by the old code generator, in a tenth of the time. They deploy what the build of
 * the contracts made (`create` of `test/contracts/support/Test.sol`), so that what is tested is what is deployed.
 */
export const testBuildPlugin: HardhatPlugin = {
  id: "crosscall-test-build",
  hookHandlers: {
    solidity: () =>
      Promise.resolve({
        default: () =>
          Promise.resolve({
            preprocessSolcInputBeforeBuilding: (context, solcInput, next) => {
              if (!Object.keys(solcInput.sources).some((name) => name.startsWith(TESTS))) {
                return next(context, solcInput);
              }
              const settings = { ...solcInput.settings, viaIR: false, optimizer: { enabled: false } };
              return next(context, { ...solcInput, settings });
            },
          }),
      }),
  },
};
