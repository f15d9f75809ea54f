import type { CrosscallConnection } from "./connection.ts";

// Types of the matchers, which the plugin registers in a test run.
export type * from "../testing/matcherTypes.ts";

declare module "hardhat/types/network" {
  interface NetworkConnection<
    // Matches Hardhat's declaration.
    // oxlint-disable-next-line typescript/no-redundant-type-constituents
    ChainTypeT extends ChainType | string = DefaultChainType,
  > {
    /** Fills plans on this chain. */
    readonly crosscall: CrosscallConnection;
  }
}
