import type { ArtifactManager } from "hardhat/types/artifacts";
import type { Abi } from "viem";

import type { Fill } from "../testing/runFill.ts";
import type { FillablePlan } from "../testing/fillablePlan.ts";
import type { ForkFillOptions } from "../testing/forkFill.ts";
import type { PlacedContracts } from "../testing/placeContracts.ts";
import type { TestConnection } from "../testing/testConnection.ts";

/** `connection.crosscall`. */
export interface CrosscallConnection {
  /**
   * Fills a plan on this chain as the solver would; see `forkFill`. The verdict of a failed fill includes the errors of
   * the project's contracts by name.
   *
   * @example const fill = await connection.crosscall.fill(plan, { amount: 990_000n });
   */
  fill(plan: FillablePlan, options: ForkFillOptions): Promise<Fill>;
  /**
   * Places the service's contracts and the CREATE2 factory on a new local chain, at their live addresses. Keeps code
   * that exists, and changes nothing on a fork.
   *
   * @returns their addresses
   */
  placeContracts(): Promise<PlacedContracts>;
}

/** ABIs by project. They are cached, because all tests in a run use the same build. */
const projects = new WeakMap<ArtifactManager, Promise<readonly Abi[]>>();

export function createConnection(connection: TestConnection, artifacts: ArtifactManager): CrosscallConnection {
  return {
    async fill(plan, options) {
      const [{ forkFill }, abis] = await Promise.all([import("../testing/forkFill.ts"), readProjectAbis(artifacts)]);
      return forkFill(connection, plan, { abis, ...options });
    },
    async placeContracts() {
      const { placeContracts } = await import("../testing/placeContracts.ts");
      return placeContracts(connection);
    },
  };
}

function readProjectAbis(artifacts: ArtifactManager): Promise<readonly Abi[]> {
  const known = projects.get(artifacts) ?? readAbis(artifacts);
  projects.set(artifacts, known);
  return known;
}

async function readAbis(artifacts: ArtifactManager): Promise<readonly Abi[]> {
  const names = await artifacts.getAllFullyQualifiedNames();
  const read = await Promise.all([...names].map((name) => artifacts.readArtifact(name)));
  return read.map(({ abi }) => abi as Abi);
}

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
