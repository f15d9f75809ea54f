import type { HookContext, NetworkHooks } from "hardhat/types/hooks";
import type { ChainType, NetworkConnection } from "hardhat/types/network";

import { createConnection } from "./connection.ts";

export function createNetworkHooks(): Promise<Partial<NetworkHooks>> {
  return Promise.resolve({
    // Matches Hardhat's declaration.
    // oxlint-disable-next-line typescript/no-redundant-type-constituents
    async newConnection<Type extends ChainType | string>(
      context: HookContext,
      next: (context: HookContext) => Promise<NetworkConnection<Type>>,
    ) {
      const connection = await next(context);
      // Mocha defines `describe` before tests and hooks connect.
      if ("describe" in globalThis) await registerMatchers();
      return Object.assign(connection, { crosscall: createConnection(connection, context.artifacts) });
    },
  });
}

/** Registers the matchers if the project has Chai. */
async function registerMatchers(): Promise<void> {
  if (hasChai()) await import("../testing/register.ts");
}

function hasChai(): boolean {
  try {
    return import.meta.resolve("chai") !== "";
  } catch {
    return false;
  }
}
