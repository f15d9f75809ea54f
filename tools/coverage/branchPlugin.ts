import type { HardhatPlugin } from "hardhat/types/plugins";

import { RECORDER_SOURCE, recordBranches, recorder } from "./recordBranches.ts";

const COVERAGE_SOURCE = /^(__\w+Coverage)-[\w-]+\.sol$/;

/** With `--coverage`, records the outcomes of conditions in files whose statements Hardhat records. */
export const branchPlugin: HardhatPlugin = {
  id: "crosscall-branches",
  hookHandlers: {
    solidity: () =>
      Promise.resolve({
        default: () =>
          Promise.resolve({
            preprocessProjectFileBeforeBuilding: async (context, sourceName, path, text, version, next) => {
              const written = await next(context, sourceName, path, text, version);
              return written === text ? text : recordBranches(sourceName, written);
            },
            preprocessSolcInputBeforeBuilding: async (context, solcInput, next) => {
              const input = await next(context, solcInput);
              const match = Object.keys(input.sources)
                .map((name) => COVERAGE_SOURCE.exec(name))
                .find((found) => found !== null);
              if (match?.[1] === undefined) return input;
              const content = recorder(match[0], match[1]);
              return { ...input, sources: { ...input.sources, [RECORDER_SOURCE]: { content } } };
            },
          }),
      }),
  },
};
