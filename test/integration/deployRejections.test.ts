import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { type Address, type Hex, keccak256, parseEther, zeroAddress } from "viem";

import {
  CREATE2_FACTORY,
  CREATE2_FACTORY_CODE,
  deploymentAddress,
} from "../../packages/protocol/src/chains/create2.ts";
import { DEPOSITORY_ADDRESS } from "../../packages/protocol/src/chains/serviceAddresses.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { askNode, createDeploymentBench } from "./support/deployments.ts";

const OWNER: Address = "0x1111111111111111111111111111111111111111";
const ELSEWHERE: Address = "0x2222222222222222222222222222222222222222";

const PAUSE = { contract: "PausePolicy", name: "pause", arguments: { owner: OWNER } };
const RECEIVER = { contract: "RequestReceiver", arguments: { policy: "pause", permit2: zeroAddress } };

describe("crosscall deploy rejects, before sending anything,", () => {
  const { startChain, startBareChain, deployerOf, close } = createDeploymentBench();

  let chainA: string;

  before(async () => {
    ({ rpcUrl: chainA } = await startChain(31_501));
  });
  after(close);

  it("a chain other than the selected chain", async () => {
    const deployer = await deployerOf(PAUSE);
    expect(await deployer.refused(chainA, { chainId: 31_502 })).to.include({
      code: "WRONG_CHAIN",
      expectedChainId: 31_502,
      actualChainId: 31_501,
    });
  });

  it("a chain without the factory, or with different code at the factory's address", async () => {
    const rpcUrl = await startBareChain(31_510);
    const deployer = await deployerOf(PAUSE);
    const facts = { code: "FACTORY_MISSING", chainId: 31_510, factory: CREATE2_FACTORY };
    const missing = await deployer.refused(rpcUrl);
    expect(missing).to.include(facts);
    await askNode(rpcUrl, "hardhat_setCode", [CREATE2_FACTORY, `${CREATE2_FACTORY_CODE}00`]);
    const replaced = await deployer.refused(rpcUrl);
    expect(replaced).to.include(facts);
    expect(replaced.hint).not.to.equal(missing.hint);
  });

  it("a deployer with insufficient funds, reporting its balance and the required amount", async () => {
    const { rpcUrl } = await startChain(31_511);
    const deployer = await deployerOf(PAUSE, RECEIVER);
    await deployer.fund(rpcUrl, 1_000n);
    const { needed, ...facts } = await deployer.refused(rpcUrl);
    expect(facts).to.include({ code: "INSUFFICIENT_FUNDS", account: deployer.address, balance: "1000" });
    expect(BigInt(String(needed)) > 1_000n && BigInt(String(needed)) < parseEther("1")).to.equal(true);
    // The reported amount is sufficient.
    await deployer.fund(rpcUrl, BigInt(String(needed)));
    expect((await deployer.deploy(rpcUrl)).transactions).to.have.length(3);
  });

  it("an argument that the constructor rejects, with the constructor's error", async () => {
    const deployer = await deployerOf(PAUSE, {
      contract: "RequestReceiver",
      arguments: { policy: ELSEWHERE, permit2: zeroAddress },
    });
    await deployer.fund(chainA);
    const refused = await deployer.refused(chainA, { only: ["RequestReceiver"] });
    expect(refused).to.include({
      code: "INVALID_INPUT",
      field: "contracts[1].arguments.policy",
      value: JSON.stringify(ELSEWHERE),
    });
    expect(refused.reason).to.include(`DependencyWithoutCode(${ELSEWHERE})`);
  });

  it("the constructor's arguments, printing each in full, if the error names none of them", async () => {
    const deployer = await deployerOf({
      contract: "RequestReceiver",
      arguments: { solver: zeroAddress, permit2: zeroAddress },
    });
    const refused = await deployer.refused(chainA, { only: ["RequestReceiver"] });
    expect(refused).to.include({ code: "INVALID_INPUT", field: "contracts[0].arguments" });
    expect(refused.reason).to.include("SolverIsZero()");
    for (const argument of [`solver ${zeroAddress}`, `depository ${DEPOSITORY_ADDRESS}`, `policy ${zeroAddress}`]) {
      expect(refused.reason).to.include(argument);
    }
  });

  it("an invalid key or URL, without printing it", async () => {
    const deployer = await deployerOf(PAUSE);
    const key = await deployer.refused(chainA, { privateKey: "0xsecret" });
    const url = await deployer.refused("ftp://secret");
    const down = await deployer.refused("http://127.0.0.1:9/secret");
    expect([key.code, key.field]).to.deep.equal(["INVALID_INPUT", "--private-key"]);
    expect([url.code, url.field]).to.deep.equal(["INVALID_INPUT", "--rpc-url"]);
    expect(down.code).to.equal("CHAIN_ERROR");
    expect(JSON.stringify([key, url, down])).not.to.include("secret");
  });

  it("a deployment without a key or a chain", async () => {
    const deployer = await deployerOf({ ...PAUSE, arguments: { owner: ELSEWHERE } });
    const only = ["pause"];
    const withoutKey = await deployer.refused(chainA, { only, privateKey: undefined });
    expect(withoutKey).to.include({ code: "INVALID_INPUT", field: "--private-key" });
    const withoutChain = await deployer.refused(undefined, { only });
    expect(withoutChain).to.include({ code: "INVALID_INPUT", field: "--rpc-url" });
  });

  it("a malformed record, and a record for another chain", async () => {
    const deployer = await deployerOf(PAUSE);
    const path = join(deployer.folder, "31501.json");
    for (const [text, at] of [
      ["{", ""],
      ['{"chainId": 31501}', "factory"],
      [
        JSON.stringify({ chainId: 1, factory: CREATE2_FACTORY, salt: `0x${"00".repeat(32)}`, contracts: {} }),
        "chainId",
      ],
    ] as const) {
      await writeFile(path, text);
      const refused = await deployer.refused(chainA);
      expect(refused).to.include({ code: "MALFORMED_DATA", what: path, path: at });
    }
  });

  it("code that differs from the build, reporting the contract and its address", async () => {
    const { rpcUrl } = await startChain(31_512);
    const deployer = await deployerOf(PAUSE);
    const artifact = readArtifact("receiver/policies/PausePolicy");
    const address = deploymentAddress({ artifact, args: [OWNER] });
    const code: Hex = "0x6001";
    await askNode(rpcUrl, "hardhat_setCode", [address, code]);
    expect(await deployer.refused(rpcUrl, { only: ["pause"] })).to.include({
      code: "FOREIGN_CODE",
      chainId: 31_512,
      contract: "pause",
      address,
      codeHash: keccak256(code),
    });
  });

  it("the build's code with a different immutable value", async () => {
    const { rpcUrl, contracts } = await startChain(31_513);
    const deployer = await deployerOf({ contract: "Erc4626Proxy", arguments: { vault: contracts.vault } });
    const code = (await chainClient(31_513, rpcUrl).getCode({ address: contracts.vaultProxy })) ?? "0x";
    const word = contracts.vault.slice(2).toLowerCase().padStart(64, "0");
    expect(code).to.include(word);
    const other = ELSEWHERE.slice(2).padStart(64, "0");
    await askNode(rpcUrl, "hardhat_setCode", [contracts.vaultProxy, code.replace(word, other)]);
    expect(await deployer.refused(rpcUrl, { only: ["Erc4626Proxy"] })).to.include({
      code: "FOREIGN_CODE",
      address: contracts.vaultProxy,
      offset: (code.indexOf(word) - 2) / 2,
    });
  });
});
