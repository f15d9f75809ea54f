import type { CrosscallConnection } from "./connection.ts";

// Keeps the types of the matchers, which a test run registers.
export type * from "../../src/testing/matcherTypes.ts";

declare module "hardhat/types/network" {
  interface NetworkConnection<
    // Hardhat's parameter must be repeated.
    // oxlint-disable-next-line no-unused-vars
    ChainTypeT extends ChainType | string = DefaultChainType,
  > {
    /** Fills plans on this chain. */
    readonly crosscall: CrosscallConnection;
  }
}
