import { globSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { copySources } from "../../../tools/packages/publishedPackages.ts";
import { COMPILER_VERSIONS, compileOutside, type CompilerVersion } from "../../support/compileOutside.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const PREFIX = "@crosscall/contracts/";

/** Files that require a compiler newer than the oldest supported one, with the first version that compiles them. */
const NEEDS: Partial<Readonly<Record<CompilerVersion, readonly string[]>>> = {
  "0.8.24": [
    "executor/PushExecutor.sol",
    "libraries/ReentryGuard.sol",
    "localnet/LocalApprovalProxy32.sol",
    "localnet/LocalDepository.sol",
    "localnet/LocalHub.sol",
    "localnet/LocalRouter.sol",
    "localnet/LocalRouter32.sol",
    "localnet/LocalVault.sol",
    "localnet/hub/HubAllocator.sol",
    "localnet/hub/HubAllocatorV2.sol",
    "localnet/hub/HubExecutor.sol",
    "localnet/hub/HubPayloads.sol",
    "localnet/tokens/LiveDollar.sol",
    "localnet/tokens/LiveToken.sol",
    "localnet/tokens/LocalDollar.sol",
    "localnet/tokens/LocalToken.sol",
    "proxies/AaveV3Proxy.sol",
    "proxies/CompoundV3Proxy.sol",
    "proxies/DestinationProxy.sol",
    "proxies/Erc4626Proxy.sol",
    "proxies/NativePayer.sol",
    "proxies/NativeProxy.sol",
    "proxies/UniswapV3Proxy.sol",
    "proxies/WrappedNativeProxy.sol",
    "receiver/RequestReceiver.sol",
    "testing/FillTest.sol",
    "testing/NativeGuards.sol",
    "testing/ProxyGuards.sol",
  ],
  // Not meant for import: replays inject the compiled code into calls.
  "0.8.37": ["replay/FillRunner.sol"],
};

/** Compiler's code for its general warning about transient storage. */
const TRANSIENT_STORAGE = "2394";

/** Contracts that the integrator's project deploys, and some contracts that it imports. */
const DEPLOYABLE = [
  ...["ExitDesk", "ExitProxy", "ExitProxyTest", "MintProxy", "NftSale", "ProxyFactory"],
  ...["AaveV3Proxy", "AttestationVerifier", "CompoundV3Proxy", "Erc4626Proxy", "PushExecutor", "RequestReceiver"],
  ...["UniswapV3Proxy", "WrappedNativeProxy"],
];

describe("contracts in an integrator's project", () => {
  let project: string;
  let files: readonly string[];

  before(async () => {
    project = await mkdtemp(join(tmpdir(), "crosscall-outside-"));
    await cp(join(ROOT, "test/support/outside"), project, { recursive: true });
    await cp(join(ROOT, "examples"), join(project, "src"), { recursive: true });
    // Tests both project layouts, npm and Foundry.
    await mkdir(join(project, "lib/openzeppelin-contracts"), { recursive: true });
    await mkdir(join(project, "node_modules/@crosscall"), { recursive: true });
    await copySources(join(project, "lib/crosscall/contracts"));
    const links = {
      [join(project, "lib/crosscall/contracts")]: "node_modules/@crosscall/contracts",
      [join(ROOT, "node_modules/@openzeppelin")]: "node_modules/@openzeppelin",
      [join(ROOT, "node_modules/@openzeppelin/contracts")]: "lib/openzeppelin-contracts/contracts",
    };
    for (const [target, path] of Object.entries(links)) await symlink(target, join(project, path), "junction");
    files = globSync("**/*.sol", { cwd: join(project, "lib/crosscall/contracts") }).sort();
  });

  after(() => rm(project, { recursive: true, force: true }));

  it("are published for these compiler versions", () => {
    for (const file of files) expect(pragmaOf(file), file).to.equal(pragmaFor(firstVersionOf(file)));
    expect(
      Object.values(NEEDS)
        .flat()
        .filter((file) => !files.includes(file)),
    ).to.deep.equal([]);
  });

  for (const version of COMPILER_VERSIONS) {
    it(`compile with solc ${version}`, () => {
      const allowed = files.filter((file) => firstVersionOf(file) <= version);
      const { errors, warnings } = compileOutside(version, {
        sources: allowed.map((file) => PREFIX + file),
        output: "abi",
        read: readInstalled,
      });
      expect(errors).to.deep.equal([]);
      expect(warnings.filter((code) => code !== TRANSIENT_STORAGE)).to.deep.equal([]);
    });
  }

  it("allow every compiler version that compiles them", () => {
    for (const [index, older] of COMPILER_VERSIONS.entries()) {
      const next = COMPILER_VERSIONS[index + 1];
      if (next === undefined || next === "0.8.37") continue;
      for (const name of NEEDS[next] ?? []) {
        const { errors } = compileOutside(older, {
          sources: [PREFIX + name],
          output: "evm.bytecode.object",
          read: readRelaxed,
        });
        expect(errors, name).not.to.deep.equal([]);
      }
    }
  });

  for (const version of COMPILER_VERSIONS.slice(1)) {
    it(`can be inherited and tested in a Foundry project with solc ${version}`, () => {
      const { errors, deployable } = compileOutside(version, {
        sources: globSync(["src/*.sol", "test/*.t.sol"], { cwd: project }),
        output: "evm.bytecode.object",
        remappings: [
          "@crosscall/contracts/=lib/crosscall/contracts/",
          "@openzeppelin/contracts/=lib/openzeppelin-contracts/contracts/",
          "forge-std/=lib/forge-std/src/",
        ],
        read: (path) => readFileSync(join(project, path), "utf8"),
      });
      expect(errors).to.deep.equal([]);
      expect(deployable).to.include.members(DEPLOYABLE);
    });
  }

  function readInstalled(path: string): string {
    return readFileSync(join(project, "node_modules", path), "utf8");
  }

  /** Removes the kit's minimum compiler versions, but keeps its dependencies' minimum versions. */
  function readRelaxed(path: string): string {
    const text = readInstalled(path);
    return path.startsWith(PREFIX) ? text.replace(/^pragma solidity .*;$/mu, "pragma solidity >=0.8.20;") : text;
  }

  function pragmaOf(file: string): string | undefined {
    return /^pragma solidity (.*);$/mu.exec(readInstalled(PREFIX + file))?.[1];
  }
});

function firstVersionOf(file: string): CompilerVersion {
  return COMPILER_VERSIONS.find((version) => NEEDS[version]?.includes(file)) ?? "0.8.20";
}

function pragmaFor(version: CompilerVersion): string {
  return version === "0.8.37" ? version : `^${version}`;
}
