import type { HardhatPlugin } from "hardhat/types/plugins";

import { asLondon } from "./asLondon.ts";

export const londonPlugin: HardhatPlugin = {
  id: "crosscall-london",
  hookHandlers: {
    solidity: () =>
      Promise.resolve({
        default: () =>
          Promise.resolve({
            preprocessSolcInputBeforeBuilding: (context, solcInput, next) => {
              const sources = Object.entries(solcInput.sources).map(
                ([name, { content }]) => [name, { content: asLondon(name, content) }] as const,
              );
              return next(context, { ...solcInput, sources: Object.fromEntries(sources) });
            },
          }),
      }),
  },
};
