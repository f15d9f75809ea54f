// Runs Solidity tests with replaced contracts, in a separate process, so that endless tests can be stopped. Exchanges
// requests and responses with the parent as messages.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import {
  type Artifact,
  EdrContext,
  FsAccessPermission,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1SolidityTestRunnerFactory,
  TestStatus,
} from "@nomicfoundation/edr";

/** Bytecode by source name and contract. */
export type Code = Readonly<Record<string, { readonly bytecode: string; readonly deployedBytecode: string }>>;

export interface TestRequest {
  readonly code: Code;
  /** Path prefixes of test files, in running order. */
  readonly tests: readonly string[];
  /** Tests to skip. */
  readonly excluded: string;
}

/** Names of the failed tests in the first file with failures. */
export interface TestResponse {
  readonly failed: readonly string[];
}

const RANDOM = /\.(?:fuzz|invariant)\.t\.sol$/u;

const HARDFORK = "cancun";

const root = fileURLToPath(new URL("../../", import.meta.url));

const artifacts = loadArtifacts();
const context = new EdrContext();
await context.registerSolidityTestRunnerFactory(L1_CHAIN_TYPE, l1SolidityTestRunnerFactory());
process.on("message", (request: TestRequest) => {
  void runTests(request).then((response) => process.send?.(response));
});
process.send?.("ready");

async function runTests({ code, tests, excluded }: TestRequest): Promise<TestResponse> {
  const replaced = artifacts.map((artifact) => {
    const found = code[`${artifact.id.source}:${artifact.id.name}`];
    return found === undefined ? artifact : { ...artifact, contract: { ...artifact.contract, ...found } };
  });
  const seen = new Set<string>();
  // Tests with random inputs run last, because they are slow.
  const rounds = [false, true].flatMap((isRandom) => tests.map((prefix) => ({ prefix, isRandom })));
  for (const { prefix, isRandom } of rounds) {
    const suites = artifacts
      .filter(({ id }) => id.source.startsWith(`project/${prefix}`) && id.source.endsWith(".t.sol"))
      .filter(({ id }) => RANDOM.test(id.source) === isRandom)
      .filter(({ id }) => !seen.has(`${id.source}:${id.name}`) && !id.source.endsWith(".gas.t.sol"))
      .filter(isSuite);
    for (const { id } of suites) seen.add(`${id.source}:${id.name}`);
    if (suites.length === 0) continue;
    const failed: string[] = [];
    // Waits, because a run can end before its last suite is reported.
    const reported = Promise.withResolvers<undefined>();
    let left = suites.length;
    await context.runSolidityTests(
      L1_CHAIN_TYPE,
      replaced,
      suites.map(({ id }) => id),
      {
        projectRoot: root,
        hardfork: HARDFORK,
        localPredeploys: l1GenesisState(l1HardforkFromString(HARDFORK)),
        fsPermissions: ["test/vectors", "node_modules/@uniswap/v4-periphery/foundry-out/DeployPermit2.sol"].map(
          (path) => ({ access: FsAccessPermission.ReadDirectory, path }),
        ),
        disableBlockGasLimit: true,
        disableTransactionGasCap: true,
        fuzz: { runs: 32, seed: "0x63726f737363616c6c" },
        invariant: { runs: 2, depth: 25 },
        excludeTestPattern: excluded,
      },
      { buildInfos: [], ignoreContracts: false },
      ({ testResults, id }) => {
        failed.push(
          ...testResults.filter(({ status }) => status === TestStatus.Failure).map(({ name }) => `${id.name}.${name}`),
        );
        left -= 1;
        if (left === 0) reported.resolve(undefined);
      },
    );
    await reported.promise;
    if (failed.length > 0) return { failed };
  }
  return { failed: [] };
}

function isSuite({ contract }: Artifact): boolean {
  const abi = JSON.parse(contract.abi) as readonly { readonly type: string; readonly name?: string }[];
  return (
    contract.bytecode !== undefined &&
    contract.bytecode !== "0x" &&
    abi.some(({ type, name = "" }) => type === "function" && /^(?:test|invariant)/u.test(name))
  );
}

function loadArtifacts(): readonly Artifact[] {
  const paths = globSync(["artifacts/{contracts,examples}/**/*.json", "cache/test-artifacts/test/**/*.json"], {
    cwd: root,
  });
  return paths.map((path) => {
    const artifact = JSON.parse(readFileSync(`${root}${path}`, "utf8")) as {
      readonly abi: unknown;
      readonly contractName: string;
      readonly sourceName: string;
      readonly inputSourceName?: string;
      readonly bytecode: string;
      readonly linkReferences: NonNullable<Artifact["contract"]["linkReferences"]>;
      readonly deployedBytecode: string;
      readonly deployedLinkReferences: NonNullable<Artifact["contract"]["deployedLinkReferences"]>;
    };
    return {
      id: {
        name: artifact.contractName,
        solcVersion: "0.8.37",
        source: artifact.inputSourceName ?? artifact.sourceName,
      },
      contract: {
        abi: JSON.stringify(artifact.abi),
        bytecode: artifact.bytecode,
        linkReferences: artifact.linkReferences,
        deployedBytecode: artifact.deployedBytecode,
        deployedLinkReferences: artifact.deployedLinkReferences,
      },
    };
  });
}
