import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { type Address, type Hex, keccak256 } from "viem";

import { readRelease } from "../../packages/crosscall/src/commands/deploy/release.ts";
import type { DeploymentOutcome } from "../../packages/crosscall/src/commands/deploy/runDeployment.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { runCrosscall } from "../support/programs.ts";
import { useFolder } from "../support/useFolder.ts";
import { useNetwork } from "../support/useNetwork.ts";

/** Well-known first account of local nodes. */
const PRIVATE_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

interface RecordJson {
  readonly contracts: Record<string, { readonly address: Address; readonly bytecodeHash: Hex | null }>;
}

describe("crosscall deploy with its defaults", () => {
  const network = useNetwork();
  const folder = useFolder();

  const deploy = (rpcUrl: string, ...args: readonly string[]) =>
    runCrosscall(["deploy", "--json", ...args], {
      cwd: folder,
      env: { CROSSCALL_RPC_URL: rpcUrl, CROSSCALL_PRIVATE_KEY: PRIVATE_KEY },
    });
  const readRecord = async (path: string) => JSON.parse(await readFile(path, "utf8")) as RecordJson;

  it("sends no transaction without a terminal, unless --yes is given", async () => {
    const [{ id, rpcUrl }] = network.chains;
    const client = chainClient(id, rpcUrl);
    const block = await client.getBlockNumber();
    const { exitCode, stdout } = await deploy(rpcUrl, "--chain-id", String(id));
    const { error } = JSON.parse(stdout) as { readonly error: Record<string, unknown> };
    expect([exitCode, error.code, error.field]).to.deep.equal([1, "INVALID_INPUT", "--yes"]);
    expect(await client.getBlockNumber()).to.equal(block);
  });

  it("deploys the standard contracts to the release's addresses on both chains of a local network", async () => {
    for (const { id, rpcUrl } of network.chains) {
      const { exitCode, stdout, stderr } = await deploy(rpcUrl, "--yes");
      expect([exitCode, stderr], stdout).to.deep.equal([0, ""]);
      const { chainId, contracts, notes } = JSON.parse(stdout) as DeploymentOutcome;
      expect({ chainId, notes }).to.deep.equal({ chainId: id, notes: [] });
      const released = (await readRelease(id))?.contracts ?? {};
      const record = await readRecord(join(folder, `.crosscall/deployments/${id}.json`));
      expect(contracts.map(({ name }) => name)).to.have.members(Object.keys(released));
      for (const [name, { address }] of Object.entries(released)) {
        const code = (await chainClient(id, rpcUrl).getCode({ address: address as Address })) ?? "0x";
        expect(record.contracts[name]).to.include({ address, bytecodeHash: keccak256(code) });
      }
    }
  });
});
