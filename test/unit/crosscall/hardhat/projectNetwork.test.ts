import { expect } from "chai";
import type { NetworkUserConfig } from "hardhat/types/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import { privateKeyToAddress } from "viem/accounts";

import {
  firstKeyOf,
  forkableUrl,
  lastingUrl,
  requireNetwork,
} from "../../../../packages/crosscall/src/hardhat/projectNetwork.ts";
import { caught, rejected } from "../../../support/rejection.ts";

const KEY = `0x${"12".repeat(32)}`;
const URL = "http://127.0.0.1:8545";
const MNEMONIC = "test test test test test test test test test test test junk";

const networks: Record<string, NetworkUserConfig> = {
  keys: { type: "http", url: URL, accounts: [KEY] },
  mnemonic: { type: "http", url: URL, accounts: { mnemonic: MNEMONIC, initialIndex: 1 } },
  phrase: { type: "http", url: URL, accounts: { mnemonic: MNEMONIC, passphrase: "more" } },
  remote: { type: "http", url: URL },
  fork: { type: "edr-simulated", forking: { url: URL } },
  local: { type: "edr-simulated" },
};

describe("a task's network", () => {
  const open = (network: string | undefined): Promise<HardhatRuntimeEnvironment> =>
    createHardhatRuntimeEnvironment({ networks }, network === undefined ? {} : { network });
  const networkOf = async (name: string) => requireNetwork(await open(name));

  it("must be one of the project's networks", async () => {
    expect((await networkOf("keys")).name).to.equal("keys");
    for (const name of [undefined, "toString", "other"]) {
      const hre = await open(name);
      expect(caught(() => requireNetwork(hre))).to.include({ code: "INVALID_INPUT", field: "--network" });
    }
  });

  it("is forked from its endpoint, or from the endpoint that it forks", async () => {
    expect(await forkableUrl(await networkOf("keys"))).to.equal(URL);
    expect(await forkableUrl(await networkOf("fork"))).to.equal(URL);
    expect(await rejected(forkableUrl(await networkOf("local")))).to.include({ field: "--network" });
  });

  it("must be persistent for a deployment", async () => {
    expect(await lastingUrl(await networkOf("remote"))).to.equal(URL);
    for (const name of ["fork", "local"]) {
      expect(await rejected(lastingUrl(await networkOf(name)))).to.include({ field: "--network" });
    }
  });

  it("provides the key of its first account", async () => {
    expect(await firstKeyOf(await networkOf("keys"))).to.equal(KEY);
    for (const [name, address] of [
      ["mnemonic", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],
      ["phrase", "0xEd112058eaA14e8dcdDb444CeaC0409a996759eB"],
    ] as const) {
      expect(privateKeyToAddress((await firstKeyOf(await networkOf(name))) as `0x${string}`)).to.equal(address);
    }
    for (const name of ["remote", "local"]) expect(await firstKeyOf(await networkOf(name))).to.equal(undefined);
  });
});
