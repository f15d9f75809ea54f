import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";

import { expect } from "chai";

import { serviceTrust } from "../../../../packages/sdk/src/verify/trust.ts";
import {
  type ConfigurationProblem,
  OracleConfigurationError,
} from "../../../../packages/oracle/src/config/environment.ts";
import { VM_TYPES } from "../../../../packages/protocol/src/vms/vmCodec.ts";
import { vmFamilyOf } from "../../../../packages/oracle/src/vms/vmFamilyOf.ts";
import { loadConfiguration } from "../../../../packages/oracle/src/config/loadConfiguration.ts";

interface ChainEntry {
  readonly id: string;
  readonly vmType: string;
  readonly depository: string;
  readonly additionalDepositories?: readonly string[];
  readonly hubChainId?: number;
}

const SECRET = "s3cr3t-s3cr3t";
const KEY = "ab".repeat(32);
const DEPOSITORY = "0x4cd00e387622c35bddb9b4c962c136462338bc31";
const PROGRAM = "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2";
const ORACLE = "0x795f9464ee05a34fe1e18925ca4e4753dcd60058";

const chain = {
  id: "base",
  vmType: "ethereum-vm",
  httpRpcUrl: "$BASE_RPC_URL",
  depository: DEPOSITORY,
  hubChainId: 8453,
};
const hub = { id: "relay", evmChainId: 5, httpRpcUrl: "$HUB_RPC_URL", oracleAddress: ORACLE, oracleVersion: "2" };
const env = {
  ENVIRONMENT: "test",
  ECDSA_PRIVATE_KEY: KEY,
  BASE_RPC_URL: "https://base.example",
  HUB_RPC_URL: "https://hub.example",
};

describe("loadConfiguration", () => {
  let folder: string;
  const write = async (chains: unknown, hubFile: unknown = hub): Promise<void> => {
    await writeFile(join(folder, "chains.test.json"), typeof chains === "string" ? chains : JSON.stringify(chains));
    await writeFile(join(folder, "chains.hub.test.json"), JSON.stringify(hubFile));
  };
  const problemsOf = async (variables: Record<string, string | undefined>): Promise<OracleConfigurationError> => {
    try {
      await loadConfiguration(variables, folder);
    } catch (error) {
      if (error instanceof OracleConfigurationError) return error;
      throw error;
    }
    throw new Error("the configuration was accepted");
  };
  const placesOf = async (variables: Record<string, string | undefined>): Promise<string[]> =>
    (await problemsOf(variables)).problems.map(({ at }) => at);

  const problemListOf = async (
    variables: Record<string, string | undefined>,
  ): Promise<readonly ConfigurationProblem[]> => {
    try {
      await loadConfiguration(variables, folder);
    } catch (error) {
      if (error instanceof OracleConfigurationError) return error.problems;
      throw error;
    }
    return [];
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-oracle-"));
  });
  beforeEach(() => write([chain]));
  after(() => rm(folder, { recursive: true }));

  it("applies a default for every optional variable", async () => {
    expect(await loadConfiguration(env, folder)).to.deep.equal({
      settings: {
        environment: "test",
        signing: { module: "raw-private-key", privateKey: `0x${KEY}` },
        apiKeys: undefined,
        peers: [],
        peerTimeoutMs: 5000,
        signers: undefined,
        signersThreshold: 0,
        port: 3000,
        workers: 1,
        rateLimit: { max: 2, windowMs: 1000 },
        version: undefined,
      },
      chains: [{ ...chain, httpRpcUrl: "https://base.example", additionalData: {} }],
      hub: { ...hub, httpRpcUrl: "https://hub.example" },
      disabledChains: {},
      warnings: [],
    });
  });

  const warningsOf = async (variables: Record<string, string | undefined>): Promise<string[]> =>
    ((await loadConfiguration(variables, folder)).warnings ?? []).map(({ at }) => at);

  it("reports invalid URLs by field", async () => {
    const additionalData = { rpcUrls: ["https://ok.example", "http://a b"], explorerApiUrl: "garbage" };
    await write(
      [
        { ...chain, httpRpcUrl: "http://" },
        { ...chain, id: "second", hubChainId: 2, additionalData },
        { ...chain, id: "third", hubChainId: 3, httpRpcUrl: "$EMPTY_HOST" },
        { ...chain, id: "fourth", hubChainId: 4, additionalData: { rpcUrls: ["https://:80"] } },
      ],
      { ...hub, httpRpcUrl: "https://" },
    );
    expect(await placesOf({ ...env, EMPTY_HOST: "https://user:secret@" })).to.deep.equal([
      "chains.test.json [0].httpRpcUrl",
      "chains.test.json [1].additionalData.explorerApiUrl",
      "chains.test.json [2].httpRpcUrl",
      "chains.test.json [3].additionalData.rpcUrls.0",
      "chains.hub.test.json hub.httpRpcUrl",
    ]);
  });

  it("excludes chains and settings with unset variables, and warns about them", async () => {
    const additionalData = { rpcUrls: ["$SECOND"], rpcAgreement: 2 };
    await write(
      [
        chain,
        { ...chain, id: "first", httpRpcUrl: "$UNSET" },
        { ...chain, id: "second", additionalData },
        { ...chain, id: "third", hubChainId: 3, additionalData: { rpcApiKey: "$UNSET" } },
      ],
      { ...hub, auroraHttpRpcUrl: "$UNSET" },
    );
    const { chains, hub: taken, disabledChains, warnings } = await loadConfiguration({ ...env, SECOND: "" }, folder);
    expect(chains.map(({ id, additionalData: data }) => [id, data])).to.deep.equal([
      ["base", {}],
      ["third", {}],
    ]);
    expect(taken).not.to.have.property("auroraHttpRpcUrl");
    // A chain with fewer endpoints than must agree could never be read.
    expect(disabledChains).to.deep.equal({ first: ["UNSET"], second: ["SECOND"] });
    expect(warnings).to.deep.include({
      at: "chains.test.json [1].httpRpcUrl",
      reason: "the variable UNSET is not set",
      hint: "Set UNSET.",
    });
    expect(warnings?.map(({ at }) => at)).to.deep.equal([
      "chains.test.json [1].httpRpcUrl",
      "chains.test.json [2].additionalData.rpcUrls[0]",
      "chains.test.json [3].additionalData.rpcApiKey",
      "chains.hub.test.json hub.auroraHttpRpcUrl",
    ]);
    expect(await placesOf({ ...env, HUB_RPC_URL: "" })).to.deep.equal(["chains.hub.test.json hub.httpRpcUrl"]);
  });

  it("excludes chains without an RPC URL, and starts only if a chain remains", async () => {
    const bare = { id: "bare", vmType: "ethereum-vm" };
    const problem = {
      at: "chains.test.json [1].httpRpcUrl",
      reason: "chain bare has no RPC URL",
      hint: "Add its RPC URL, or a variable such as $MY_RPC_URL: the oracle has no default endpoints.",
    };
    await write([chain, bare]);
    const { chains, disabledChains, warnings } = await loadConfiguration(env, folder);
    expect(chains.map(({ id }) => id)).to.deep.equal(["base"]);
    expect([disabledChains, warnings]).to.deep.equal([{ bare: ["httpRpcUrl"] }, [problem]]);
    // The error names every incomplete chain.
    await write([{ ...chain, httpRpcUrl: "$UNSET" }, bare]);
    const { problems } = await problemsOf(env);
    expect(problems).to.deep.equal([
      { at: "chains.test.json [0].httpRpcUrl", reason: "the variable UNSET is not set", hint: "Set UNSET." },
      problem,
    ]);
  });

  it("starts with the public oracle's configuration", async () => {
    const ENVIRONMENT = "mainnets.prod";
    await writeFile(join(folder, `chains.${ENVIRONMENT}.json`), JSON.stringify([{ ...chain, hubChainId: "8453" }]));
    await writeFile(join(folder, `hub.${ENVIRONMENT}.json`), JSON.stringify({ ...hub, evmChainId: "537713" }));
    const variables = {
      SIGNING_MODULE: "aws-kms",
      AWS_KMS_SIGNER_KEY_ID: "id",
      AWS_KMS_SIGNER_KEY_REGION: "eu-west-1",
    };
    const empty = { API_KEYS: "", PEERS: "", PEER_REQUEST_TIMEOUT_MS: "", ORACLE_SIGNERS: "", PORT: "", IMAGE_TAG: "" };
    const { settings, hub: taken } = await loadConfiguration({ ...env, ...variables, ...empty, ENVIRONMENT }, folder);
    expect(settings).to.deep.include({
      signing: { module: "cloud-kms", keyId: "id", region: "eu-west-1" },
      ...{
        apiKeys: undefined,
        peers: [],
        peerTimeoutMs: 5000,
        signers: undefined,
        port: 3000,
        workers: 1,
        version: undefined,
      },
    });
    expect(taken.evmChainId).to.equal(537_713);
  });

  it("reads the number of processes that share the port", async () => {
    const workersOf = async (WORKERS: string) =>
      (await loadConfiguration({ ...env, WORKERS }, folder)).settings.workers;
    expect([await workersOf("3"), await workersOf("auto"), await workersOf("")]).to.deep.equal([
      3,
      availableParallelism(),
      1,
    ]);
    for (const WORKERS of ["0", "-1", "1.5", "many"]) {
      expect(await placesOf({ ...env, WORKERS })).to.deep.equal(["WORKERS"]);
    }
  });

  it("reads every variable", async () => {
    const { settings } = await loadConfiguration(
      {
        ...env,
        SIGNING_MODULE: "cloud-kms",
        CLOUD_KMS_SIGNER_KEY_ID: "id",
        CLOUD_KMS_SIGNER_KEY_REGION: "eu-west-1",
        API_KEYS: "k1:solver;k2:other: one",
        PEERS: "https://a.example/|pk;http://b:1|pass-through",
        PEER_REQUEST_TIMEOUT_MS: "70",
        ORACLE_SIGNERS: ORACLE.toUpperCase().replace("0X", "0x"),
        ORACLE_SIGNERS_THRESHOLD: "1",
        UNAUTHENTICATED_RATE_LIMIT_MAX: "9",
        UNAUTHENTICATED_RATE_LIMIT_WINDOW_MS: "-1",
        IMAGE_TAG: "v1.2",
      },
      folder,
    );
    expect(settings).to.deep.include({
      signing: { module: "cloud-kms", keyId: "id", region: "eu-west-1" },
      apiKeys: [
        { key: "k1", label: "solver" },
        { key: "k2", label: "other: one" },
      ],
      peers: [
        { baseUrl: "https://a.example", apiKey: "pk" },
        { baseUrl: "http://b:1", apiKey: undefined },
      ],
      peerTimeoutMs: 70,
      signers: [ORACLE],
      signersThreshold: 1,
      rateLimit: { max: 9, windowMs: 1000 },
      version: "v1.2",
    });
  });

  it("lists each signer once", async () => {
    const ORACLE_SIGNERS = `${ORACLE};${DEPOSITORY};0x${ORACLE.slice(2).toUpperCase()}`;
    const { settings } = await loadConfiguration({ ...env, ORACLE_SIGNERS }, folder);
    expect(settings.signers).to.deep.equal([ORACLE, DEPOSITORY]);
  });

  it("prefers HTTP_PORT over PORT", async () => {
    const portOf = async (ports: Record<string, string>) =>
      (await loadConfiguration({ ...env, ...ports }, folder)).settings.port;
    expect(await portOf({ HTTP_PORT: "1", PORT: "2" })).to.equal(1);
    expect(await portOf({ PORT: "2" })).to.equal(2);
    expect(await placesOf({ ...env, HTTP_PORT: "x", PORT: "2" })).to.deep.equal(["HTTP_PORT"]);
  });

  it("replaces placeholders with variables at every depth", async () => {
    const additionalData = { blockstreamClientSecret: "$SECRET", rpcUrls: ["$SECOND"], rpcAgreement: 2 };
    await write([{ ...chain, additionalData }]);
    const { chains } = await loadConfiguration({ ...env, SECRET, SECOND: "http://second.example" }, folder);
    expect(chains[0]?.additionalData).to.deep.equal({
      blockstreamClientSecret: SECRET,
      rpcUrls: ["http://second.example"],
      rpcAgreement: 2,
    });
  });

  it("lists all errors together, and each location once", async () => {
    await write(
      [
        { ...chain, httpRpcUrl: "ftp://a" },
        { ...chain, vmType: "other-vm" },
        { ...chain, depository: "0x12" },
        { ...chain, id: "tron", vmType: "tron-vm", additionalDepositories: [DEPOSITORY] },
        { ...chain, id: "b", additionalData: { rpcAgreement: 2, fastMode: { finalityTiers: { x: [{}] } } } },
        { ...chain, id: "c", hubChainId: 3, additionalData: { rpcAgreement: 2 } },
        chain,
      ],
      { ...hub, oracleAddress: "0x", evmChainId: "five" },
    );
    const broken = {
      ...env,
      ECDSA_PRIVATE_KEY: "0".repeat(64),
      API_KEYS: ";",
      PEERS: `ftp://a|${SECRET}`,
      PEER_REQUEST_TIMEOUT_MS: "0",
      ORACLE_SIGNERS: SECRET,
    };
    expect(await placesOf(broken)).to.deep.equal([
      "ECDSA_PRIVATE_KEY",
      "API_KEYS",
      "PEERS, entry 1",
      "PEER_REQUEST_TIMEOUT_MS",
      "ORACLE_SIGNERS, entry 1",
      "chains.test.json [0].httpRpcUrl",
      "chains.test.json [1].vmType",
      "chains.test.json [2].depository",
      "chains.test.json [3].depository",
      "chains.test.json [3].additionalDepositories[0]",
      "chains.test.json [4].additionalData.fastMode.finalityTiers.x.0",
      "chains.test.json [4].additionalData.fastMode.finalityTiers",
      "chains.test.json [5].additionalData.rpcAgreement",
      "chains.test.json [6].id",
      "chains.hub.test.json hub.evmChainId",
      "chains.hub.test.json hub.oracleAddress",
    ]);
  });

  it("rejects numbers that are not whole, and reads null as unset", async () => {
    for (const value of ["", true, 1.9, "1.9", "1e1", "0x10", "ten", -1]) {
      await write([{ ...chain, additionalData: { finalizationBlocks: value } }]);
      const [problem] = await problemListOf(env);
      expect([value, problem?.at]).to.deep.equal([value, "chains.test.json [0].additionalData.finalizationBlocks"]);
    }
    await write([{ ...chain, hubChainId: 1.5 }]);
    expect((await problemListOf(env)).map(({ at }) => at)).to.deep.equal(["chains.test.json [0].hubChainId"]);
    await write([{ ...chain, depository: null, additionalData: { finalizationBlocks: null, finalizationTime: "12" } }]);
    const { chains } = await loadConfiguration(env, folder);
    expect(chains[0]?.additionalData).to.deep.equal({ finalizationTime: 12 });
    expect(chains[0]).not.to.have.property("depository");
  });

  it("warns about unknown fields, and reads files with a byte order mark", async () => {
    const finalityTiers = { [DEPOSITORY]: [{ maxAmount: "1", finalizationBlock: 5 }] };
    const additionalData = { finalisationBlocks: 100, fastMode: { finalityTiers } };
    await write(`\uFEFF${JSON.stringify([{ ...chain, finalizationTime: 60, additionalData }])}`);
    expect(await warningsOf(env)).to.deep.equal([
      "chains.test.json [0].finalizationTime",
      "chains.test.json [0].additionalData.finalisationBlocks",
      `chains.test.json [0].additionalData.fastMode.finalityTiers.${DEPOSITORY}[0].finalizationBlock`,
    ]);
  });

  it("rejects an EVM chain with two names", async () => {
    await write([chain, { ...chain, id: "second", hubChainId: "8453" }, { ...chain, id: "third", hubChainId: 10 }]);
    expect(await placesOf(env)).to.deep.equal(["chains.test.json [1].hubChainId"]);
  });

  it("rejects a depository that is listed twice", async () => {
    const depository = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    await write([{ ...chain, vmType: "bitcoin-vm", depository, additionalDepositories: [depository.toUpperCase()] }]);
    expect(await placesOf(env)).to.deep.equal(["chains.test.json [0].additionalDepositories[0]"]);
  });

  it("warns about an EVM chain whose endpoints cannot be checked", async () => {
    const { hubChainId: _, ...unchecked } = chain;
    await write([
      chain,
      { ...unchecked, id: "second" },
      { ...unchecked, id: "third", vmType: "tron-vm", depository: "TXtEs6t2oUWQsNos7m68gbHdE9Q5n6x2oN" },
    ]);
    expect(await warningsOf(env)).to.deep.equal(["chains.test.json [1].hubChainId"]);
  });

  it("checks each VM family's settings", async () => {
    const fastMode = { finalityTiers: {} };
    const solana = { ...chain, id: "solana", vmType: "solana-vm", depository: PROGRAM };
    const bitcoin = { ...chain, vmType: "bitcoin-vm", depository: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" };
    const esploraCompatibleApiUrl = "https://explorer.example/api";
    const client = { blockstreamClientId: SECRET, blockstreamClientSecret: SECRET };
    const lighter = { ...chain, vmType: "lighter-vm", depository: "460491" };
    const twice = { rpcUrls: [esploraCompatibleApiUrl], esploraCompatibleApiUrl };
    await write([
      solana,
      { ...solana, id: "a", additionalData: { fastMode } },
      { ...solana, id: "b", depository: DEPOSITORY },
      { ...bitcoin, id: "c", additionalData: { fastMode, maestroApiKey: SECRET, rpcAgreement: 2 } },
      { ...bitcoin, id: "d", additionalData: { blockstreamClientId: SECRET, esploraCompatibleApiUrl } },
      { ...bitcoin, id: "e", additionalData: { blockstreamClientSecret: SECRET, esploraCompatibleApiUrl } },
      { ...bitcoin, id: "f", additionalData: { ...client, maestroApiKey: SECRET, esploraCompatibleApiUrl } },
      { ...bitcoin, id: "g", additionalData: { ...client, rpcAgreement: 2, esploraCompatibleApiUrl } },
      { ...chain, id: "h", vmType: "hyperliquid-vm", additionalData: { proxyApiKey: SECRET } },
      { ...lighter, id: "i", additionalData: { fastMode } },
      { ...lighter, id: "j", depository: DEPOSITORY },
    ]);
    expect(await placesOf(env)).to.deep.equal([
      "chains.test.json [1].additionalData.fastMode",
      "chains.test.json [2].depository",
      "chains.test.json [3].additionalData.rpcAgreement",
      "chains.test.json [3].additionalData.fastMode",
      "chains.test.json [9].additionalData.fastMode",
      "chains.test.json [10].depository",
      "chains.hub.test.json hub.genericMappingAddress",
    ]);
    await write([{ ...bitcoin, httpRpcUrl: esploraCompatibleApiUrl, additionalData: { ...twice, rpcAgreement: 2 } }]);
    expect(await placesOf(env)).to.deep.equal(["chains.test.json [0].additionalData.rpcAgreement"]);
  });

  it("rejects a duplicate provider if several endpoints must agree, and names both settings", async () => {
    const bitcoin = { ...chain, vmType: "bitcoin-vm", depository: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" };
    const pairs: readonly (readonly [string, string])[] = [
      ["https://rpc.example", "https://rpc.example/"],
      ["https://rpc.example", "https://RPC.Example./v2/other-key?x=1"],
      ["https://rpc.example:443/a", "https://user:password@rpc.example/b"],
      ["http://rpc.example:80", "https://rpc.example"],
      ["http://localhost:8545", "http://127.0.0.1:8545"],
      ["http://[::1]:8545", "http://node.localhost:8545"],
      ["http://0x7f.1:8545", "http://[::ffff:127.0.0.1]:8545"],
      ["http://0.0.0.0:8545", "http://[::]:8545"],
      ["http://10.0.0.1:8545", "http://[::ffff:10.0.0.1]:8545"],
    ];
    const at = "chains.test.json [0].additionalData.rpcAgreement";
    for (const [httpRpcUrl, second] of pairs) {
      const data = { rpcUrls: ["https://third.example", second], rpcAgreement: 2 };
      await write([{ ...chain, httpRpcUrl, additionalData: data }]);
      const [problem, ...others] = await problemListOf(env);
      expect([problem?.at, others, problem?.reason.includes(second)]).to.deep.equal([at, [], false]);
      expect(problem?.reason).to.include("httpRpcUrl").and.include("additionalData.rpcUrls[1]");
      // If no agreement is required, a second key for the same provider is a fallback.
      await write([{ ...chain, httpRpcUrl, additionalData: { ...data, rpcAgreement: 1 } }]);
      expect(await problemListOf(env)).to.deep.equal([]);
    }
    for (const [httpRpcUrl, second] of [
      ["http://127.0.0.1:8545", "http://127.0.0.1:8546"],
      ["https://a.rpc.example", "https://b.rpc.example"],
    ] as const) {
      await write([{ ...chain, httpRpcUrl, additionalData: { rpcUrls: [second], rpcAgreement: 2 } }]);
      expect(await problemListOf(env)).to.deep.equal([]);
    }
    const esploraCompatibleApiUrl = "https://node.example/esplora";
    const explorer = { esploraCompatibleApiUrl, rpcAgreement: 2 };
    await write([{ ...bitcoin, httpRpcUrl: "https://node.example", additionalData: explorer }]);
    expect((await problemListOf(env))[0]?.reason).to.include("additionalData.esploraCompatibleApiUrl");
    // The explorer can also be the RPC endpoint, but counts only once.
    const twice = { ...explorer, rpcUrls: ["https://other.example"] };
    await write([{ ...bitcoin, httpRpcUrl: `${esploraCompatibleApiUrl}/`, additionalData: twice }]);
    expect(await problemListOf(env)).to.deep.equal([]);
    const exchange = { ...chain, vmType: "hyperliquid-vm", httpRpcUrl: "https://api.exchange.example" };
    const rpcUrls = ["https://rpc.exchange.example"];
    await write([{ ...exchange, additionalData: { rpcUrls, rpcAgreement: 2 } }], {
      ...hub,
      genericMappingAddress: DEPOSITORY,
    });
    expect((await problemListOf(env))[0]?.at).to.equal(at);
  });

  it("warns about settings that have no effect, and about invalid keys that have no label", async () => {
    const bitcoin = { ...chain, vmType: "bitcoin-vm", depository: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" };
    const esploraCompatibleApiUrl = "https://explorer.example/api";
    const client = { blockstreamClientId: SECRET, blockstreamClientSecret: SECRET };
    const hyperliquid = { vmType: "hyperliquid-vm", depository: DEPOSITORY };
    await write(
      [
        { ...bitcoin, id: "a", additionalData: { maestroApiKey: SECRET } },
        { ...bitcoin, id: "b", additionalData: { blockstreamClientId: SECRET, esploraCompatibleApiUrl } },
        { ...bitcoin, id: "c", additionalData: { blockstreamClientSecret: SECRET, esploraCompatibleApiUrl } },
        { ...bitcoin, id: "d", additionalData: { ...client, maestroApiKey: SECRET, esploraCompatibleApiUrl } },
        { ...chain, ...hyperliquid, id: "e", additionalData: { proxyApiKey: SECRET } },
      ],
      { ...hub, genericMappingAddress: ORACLE },
    );
    const variables = { ...env, API_KEYS: `${SECRET};a:;k:solver` };
    expect(await warningsOf(variables)).to.deep.equal([
      "API_KEYS, entry 1",
      "API_KEYS, entry 2",
      "chains.test.json [0].additionalData.maestroApiKey",
      "chains.test.json [1].additionalData.blockstreamClientId",
      "chains.test.json [2].additionalData.blockstreamClientSecret",
      "chains.test.json [3].additionalData.blockstreamClientId",
      "chains.test.json [4].additionalData.proxyApiKey",
    ]);
    const { settings, warnings } = await loadConfiguration(variables, folder);
    expect(settings.apiKeys).to.deep.equal([{ key: "k", label: "solver" }]);
    expect(JSON.stringify(warnings)).not.to.include(SECRET);
  });

  it("never prints a value", async () => {
    await write([{ ...chain, httpRpcUrl: `ftp://${SECRET}` }], { ...hub, httpRpcUrl: SECRET, oracleAddress: SECRET });
    const broken = {
      ...env,
      ECDSA_PRIVATE_KEY: SECRET,
      API_KEYS: SECRET,
      PEERS: SECRET,
      PORT: SECRET,
      SIGNING_MODULE: SECRET,
    };
    const error = await problemsOf(broken);
    expect(error.problems).to.have.length.above(5);
    expect(inspect(error) + JSON.stringify(error)).not.to.include(SECRET);
  });

  for (const [what, chains, place] of [
    ["no JSON", "{", "chains.test.json"],
    ["no list", {}, "chains.test.json"],
    ["an empty list", [], "chains.test.json"],
  ] as const) {
    it(`rejects a chain file that is ${what}`, async () => {
      await write(chains);
      expect(await placesOf(env)).to.deep.equal([place]);
    });
  }

  it("reports missing files, and an environment without files", async () => {
    const places = ["chains.none.json", "chains.hub.none.json"];
    expect(await placesOf({ ...env, ENVIRONMENT: "none" })).to.deep.equal(places);
    for (const ENVIRONMENT of [undefined, "", "../test"]) {
      expect(await placesOf({ ...env, ENVIRONMENT })).to.deep.equal(["ENVIRONMENT"]);
    }
  });

  it("requires the configured signer's settings", async () => {
    expect(await placesOf({ ...env, ECDSA_PRIVATE_KEY: undefined })).to.deep.equal(["ECDSA_PRIVATE_KEY"]);
    expect(await placesOf({ ...env, SIGNING_MODULE: "cloud-kms" })).to.deep.equal([
      "CLOUD_KMS_SIGNER_KEY_ID",
      "CLOUD_KMS_SIGNER_KEY_REGION",
    ]);
    expect(await placesOf({ ...env, SIGNING_MODULE: "other" })).to.deep.equal(["SIGNING_MODULE"]);
  });

  it("includes an environment for the local network", async () => {
    const folderOfConfigs = new URL("../../../../configs/", import.meta.url).pathname;
    const { chains } = await loadConfiguration(
      {
        ENVIRONMENT: "localnet",
        ECDSA_PRIVATE_KEY: KEY,
        LOCAL_31337_RPC_URL: "http://127.0.0.1:1",
        LOCAL_31338_RPC_URL: "http://127.0.0.1:2",
      },
      folderOfConfigs,
    );
    expect(chains.map(({ id }) => id)).to.deep.equal(["local-31337", "local-31338"]);
  });

  describe("in the published folder", () => {
    const folder = new URL("../../../../configs/", import.meta.url).pathname;
    const families = VM_TYPES.filter((family) => vmFamilyOf(family) !== undefined);

    /** Returns a value for each variable that the two files of an environment name. */
    async function variablesOf(environment: string): Promise<Record<string, string>> {
      const files = [`chains.${environment}.json`, `chains.hub.${environment}.json`];
      const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
      const names = texts.flatMap((text) => [...text.matchAll(/"\$(\w+)"/gu)].map(([, name = ""]) => name));
      const depositories: Readonly<Record<string, string>> = {
        TRON_DEPOSITORY: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        SOLANA_DEPOSITORY: PROGRAM,
        BITCOIN_DEPOSITORY: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        HYPERLIQUID_DEPOSITORY: DEPOSITORY,
        LIGHTER_DEPOSITORY: "7",
      };
      const valueOf = (name: string): string => {
        if (name.endsWith("_URL")) return "https://node.example";
        if (name.endsWith("_ID")) return "4321";
        return depositories[name] ?? (name.startsWith("HUB_") ? ORACLE : SECRET);
      };
      return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
    }

    for (const environment of ["mainnet", "testnet"]) {
      it(`includes every family that an oracle supports in ${environment}, and disables chains without an endpoint`, async () => {
        const required = { ENVIRONMENT: environment, ECDSA_PRIVATE_KEY: KEY };
        const variables = await variablesOf(environment);
        const whole = await loadConfiguration({ ...required, ...variables }, folder);
        expect([...new Set(whole.chains.map(({ vmType }) => vmType))]).to.have.members(families);
        expect([whole.warnings ?? [], whole.disabledChains ?? {}]).to.deep.equal([[], {}]);
        const isKept = (name: string): boolean => /^(?:HUB|SEPOLIA|ETHEREUM)_/u.test(name);
        const few = Object.fromEntries(Object.entries(variables).filter(([name]) => isKept(name)));
        const { chains } = await loadConfiguration({ ...required, ...few }, folder);
        expect(chains.map(({ id }) => id)).to.deep.equal([environment === "mainnet" ? "ethereum" : "sepolia"]);
      });
    }

    it("includes the chains, names and depositories of the mainnet registry", async () => {
      const text = await readFile(join(folder, "chains.mainnet.json"), "utf8");
      const listed = (JSON.parse(text) as ChainEntry[]).map(
        ({ id, depository, additionalDepositories = [], hubChainId }) => [
          id,
          [depository, ...additionalDepositories].join(),
          hubChainId,
        ],
      );
      const registry = Object.entries(serviceTrust)
        .filter(([, { name }]) => !/^local|sepolia$/u.test(name))
        .map(([chainId, { name, depositories }]) => {
          const entry = (JSON.parse(text) as ChainEntry[]).find(({ id }) => id === name);
          return [name, depositories.join(), entry?.vmType === "ethereum-vm" ? Number(chainId) : undefined];
        });
      expect(listed).to.have.deep.members(registry);
    });
  });
});
