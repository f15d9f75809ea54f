import { readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { encodeDeployData, getContractAddress, type Hex, zeroAddress, zeroHash } from "viem";

import { catalogueEntries, readParameters } from "../../../../../packages/crosscall/src/commands/deploy/catalogue.ts";
import { planDeployment } from "../../../../../packages/crosscall/src/commands/deploy/plan.ts";
import { readArtifact } from "../../../../../packages/crosscall/src/artifacts.ts";
import { factsOf, rejected } from "../../../../support/rejection.ts";

const FACTORY = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
const OWNER = "0x1111111111111111111111111111111111111111";
const VAULT = "0x2222222222222222222222222222222222222222";

describe("planDeployment", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-plan-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function plan(parameters: unknown, only: readonly string[] = []) {
    const path = join(folder, "parameters.json");
    await writeFile(path, typeof parameters === "string" ? parameters : JSON.stringify(parameters));
    return planDeployment(await readParameters(path), only);
  }

  const policy = { contract: "PausePolicy", name: "pause", arguments: { owner: OWNER } };
  const receiver = { contract: "RequestReceiver", arguments: { policy: "pause" } };

  it("computes each address as the factory does with CREATE2 and salt zero", async () => {
    const [contract] = await plan({ contracts: [{ contract: "Erc4626Proxy", arguments: { vault: VAULT } }] }, [
      "Erc4626Proxy",
    ]);
    const { abi, bytecode } = readArtifact("proxies/Erc4626Proxy");
    const code: Hex = encodeDeployData({ abi, bytecode, args: [VAULT, zeroAddress] });
    expect(contract?.address).to.equal(
      getContractAddress({ opcode: "CREATE2", from: FACTORY, salt: zeroHash, bytecode: code }),
    );
    expect(contract?.argumentTexts).to.deep.equal({ vault: VAULT, wrappedNative: zeroAddress });
  });

  it("includes only the standard contracts without parameters", async () => {
    const planned = planDeployment(await readParameters(undefined), []);
    expect(planned.map(({ name }) => name)).to.deep.equal([
      "PushExecutor",
      "PushExecutor.LivePuller",
      "RequestReceiver",
    ]);
  });

  it("includes contracts that a constructor deploys, at the derived address", async () => {
    const executor = { contract: "PushExecutor", name: "second" };
    const [parent, child] = await plan({ contracts: [executor] }, ["second"]);
    expect(child).to.include({ name: "second.LivePuller", contract: "LivePuller", creator: parent?.address });
    expect(child?.address).to.equal(getContractAddress({ from: parent?.address ?? FACTORY, nonce: 1n }));
  });

  it("orders a contract after the contracts that its arguments name, and inserts their addresses", async () => {
    const [first, second] = await plan({ contracts: [receiver, policy] }, ["RequestReceiver"]);
    expect([first?.name, second?.name]).to.deep.equal(["pause", "RequestReceiver"]);
    expect(second?.argumentTexts.policy).to.equal(first?.address);
    expect(second?.needs).to.deep.equal(["pause"]);
  });

  it("includes only the given contract and its dependencies with --only", async () => {
    const cap = { contract: "CurrencyCap", arguments: { owner: OWNER } };
    const names = (await plan({ contracts: [cap, receiver, policy] }, ["RequestReceiver"])).map(({ name }) => name);
    expect(names).to.deep.equal(["pause", "RequestReceiver"]);
  });

  const proxy = (args: unknown) => ({ contracts: [{ contract: "Erc4626Proxy", arguments: args }] });
  const badChecksum = "0xF70da97812CB96acDF810712Aa562db8dfA3dbEF";
  const refusals: Record<string, [unknown, string, string | undefined]> = {
    "a short address": [proxy({ vault: "0x12" }), "contracts[0].arguments.vault", '"0x12"'],
    "an address with a wrong checksum": [
      proxy({ vault: badChecksum }),
      "contracts[0].arguments.vault",
      `"${badChecksum}"`,
    ],
    "an address that is a number": [proxy({ vault: 5 }), "contracts[0].arguments.vault", "5"],
    "a missing argument": [proxy({}), "contracts[0].arguments.vault", undefined],
    "no arguments at all": [proxy(undefined), "contracts[0].arguments.vault", undefined],
    "an argument that the constructor does not have": [
      proxy({ vault: VAULT, owner: OWNER }),
      "contracts[0].arguments.owner",
      `"${OWNER}"`,
    ],
    "the name of a missing contract": [{ contracts: [receiver] }, "contracts[0].arguments.policy", '"pause"'],
    "a contract that depends on itself": [
      { contracts: [{ contract: "RequestReceiver", arguments: { policy: "RequestReceiver" } }] },
      "contracts[0].arguments.policy",
      '"RequestReceiver"',
    ],
    "a contract that is not in the catalog": [
      { contracts: [{ contract: "Erc4626" }] },
      "contracts[0].contract",
      '"Erc4626"',
    ],
    "a name that the journal cannot store": [
      { contracts: [{ ...policy, name: "my pause" }] },
      "contracts[0].name",
      '"my pause"',
    ],
    "two contracts with one name": [{ contracts: [policy, policy] }, "contracts[1].name", '"pause"'],
    "one contract under two names": [{ contracts: [policy, { ...policy, name: "other" }] }, "contracts[1]", '"other"'],
    "a list in place of the object": [[5], "--parameters", "[5]"],
  };
  for (const [name, [parameters, field, value]] of Object.entries(refusals)) {
    it(`rejects ${name}`, async () => {
      expect(factsOf(await rejected(plan(parameters)))).to.deep.equal({ code: "INVALID_INPUT", field, value });
    });
  }

  it("rejects a file that is not JSON, and a missing file", async () => {
    for (const path of ["no.json", "parameters.json"]) {
      await writeFile(join(folder, "parameters.json"), "{");
      const error = await rejected(readParameters(join(folder, path)));
      expect(factsOf(error)).to.include({ code: "INVALID_INPUT", field: "--parameters" });
    }
  });

  it("rejects an unknown name in --only", async () => {
    const error = await rejected(plan({ contracts: [] }, ["pause"]));
    expect(factsOf(error)).to.deep.equal({ code: "INVALID_INPUT", field: "--only", value: '"pause"' });
  });
});

describe("the catalog", () => {
  it("contains every deployable contract of the kit", () => {
    const root = new URL("../../../../../contracts/", import.meta.url);
    const deployable = ["attestation", "executor", "proxies", "receiver"]
      .flatMap((folder) => readFolder(new URL(`${folder}/`, root), folder))
      .filter((source) => readArtifact(source).bytecode !== "0x");
    const listed = catalogueEntries().flatMap(([, { source, children = [] }]) => [source, ...children]);
    expect(listed).to.have.members(deployable);
  });

  it("contains defaults for the constructors' arguments, and for all arguments of a standard contract", () => {
    for (const [name, { source, defaults = {}, isStandard }] of catalogueEntries()) {
      const constructor = readArtifact(source).abi.find((item) => item.type === "constructor");
      const inputs = (constructor?.inputs ?? []).map((input) => input.name?.replace(/_$/u, ""));
      expect(inputs, name).to.include.members(Object.keys(defaults));
      if (isStandard === true) expect(Object.keys(defaults), name).to.deep.equal(inputs);
    }
  });
});

function readFolder(url: URL, path: string): string[] {
  try {
    return readdirSync(url, { recursive: true, encoding: "utf8" }).flatMap((file) =>
      file.endsWith(".sol") ? [`${path}/${file.slice(0, -".sol".length)}`] : [],
    );
  } catch {
    return [];
  }
}
