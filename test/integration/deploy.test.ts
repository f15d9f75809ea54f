import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { type Address, type Hex, keccak256, parseEther, zeroAddress } from "viem";
import { readContract } from "viem/actions";

import { readArtifact } from "../../src/chains/artifacts.ts";
import { CREATE2_FACTORY, CREATE2_FACTORY_CODE, deploymentAddress } from "../../src/chains/create2.ts";
import { chainClient } from "../../src/localnet/chains/chainClient.ts";
import { type EdrChain, startEdrChain } from "../../src/localnet/chains/edr.ts";
import { type ChainContracts, prepareChain } from "../../src/localnet/chains/prepareChain.ts";
import { askNode, createDeployer, type Deployer } from "./support/deployments.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";

const OWNER: Address = "0x1111111111111111111111111111111111111111";
const ELSEWHERE: Address = "0x2222222222222222222222222222222222222222";

const PAUSE = { contract: "PausePolicy", name: "pause", arguments: { owner: OWNER } };
const CAP = { contract: "CurrencyCap", arguments: { owner: OWNER } };
/** What the three above and the standard contracts are called, in the order of the plan. */
const NAMES = ["PushExecutor", "PushExecutor.LivePuller", "pause", "RequestReceiver", "CurrencyCap"];
const RECEIVER = { contract: "RequestReceiver", arguments: { policy: "pause", permit2: zeroAddress } };

describe("crosscall deploy", () => {
  const chains: EdrChain[] = [];
  const deployers: Deployer[] = [];

  /** A chain as an operator has it: the factory, the service's contracts, and a vault. */
  async function startChain(chainId: number): Promise<string> {
    const rpcUrl = await startBareChain(chainId);
    contracts = await prepareChain(chainId, rpcUrl);
    return rpcUrl;
  }
  async function startBareChain(chainId: number): Promise<string> {
    const chain = await startEdrChain(chainId);
    chains.push(chain);
    return chain.rpcUrl;
  }
  async function deployerOf(...requests: unknown[]): Promise<Deployer> {
    const deployer = await createDeployer({ contracts: requests });
    deployers.push(deployer);
    return deployer;
  }

  let contracts: ChainContracts;
  let chainA: string;
  let chainB: string;

  before(async () => {
    chainA = await startChain(31_501);
    chainB = await startChain(31_502);
  });
  after(async () => {
    // A fork keeps a connection to its chain, which waits for it.
    await stopPrograms();
    await Promise.all(chains.map((chain) => chain.close()));
    await Promise.all(deployers.map((deployer) => deployer.remove()));
  });

  it("gives two chains and a fork the same addresses, twice, and sends nothing the second time", async () => {
    const deployer = await deployerOf(PAUSE, RECEIVER, CAP);
    // A fork of a chain that has none of it, taken before.
    const fork = await startAnvil(31_503, "--fork-url", chainB);
    const addresses: string[][] = [];
    for (const [chainId, rpcUrl] of [
      [31_501, chainA],
      [31_502, chainB],
      [31_503, fork.ready],
    ] as const) {
      await deployer.fund(rpcUrl);
      const first = await deployer.deploy(rpcUrl);
      expect(first.chainId).to.equal(chainId);
      // The executor's constructor deploys the puller.
      expect(first.contracts.map(({ name }) => name)).to.deep.equal(NAMES);
      expect(new Set(first.contracts.map(({ state }) => state))).to.deep.equal(new Set(["deployed"]));
      expect([first.transactions.length, await deployer.sent(rpcUrl)]).to.deep.equal([4, 4]);
      const record = await deployer.record(chainId);

      const second = await deployer.deploy(rpcUrl);
      expect(new Set(second.contracts.map(({ state }) => state))).to.deep.equal(new Set(["standing"]));
      expect([second.transactions, await deployer.sent(rpcUrl)]).to.deep.equal([[], 4]);
      expect(await deployer.record(chainId)).to.equal(record);
      addresses.push(first.contracts.map(({ address }) => address));
    }
    expect(new Set(addresses.map(String)).size).to.equal(1);
  });

  it("takes what stands on a fork of a deployed chain as it is, without a key", async () => {
    const deployer = await deployerOf(PAUSE, CAP);
    await deployer.fund(chainA);
    const { contracts: deployed } = await deployer.deploy(chainA, { only: ["pause", "CurrencyCap"] });
    const fork = await startAnvil(31_501, "--fork-url", chainA);
    const stranger = await deployerOf(PAUSE, CAP);
    const outcome = await stranger.deploy(fork.ready, { privateKey: undefined, only: ["pause", "CurrencyCap"] });
    expect(outcome.contracts).to.deep.equal(deployed.map((contract) => ({ ...contract, state: "standing" })));
    // The same blocks, found by looking at the chain.
    expect(await stranger.record(31_501)).to.equal(await deployer.record(31_501));
  });

  it("records what the chain has", async () => {
    const rpcUrl = await startChain(31_504);
    const deployer = await deployerOf(PAUSE, RECEIVER);
    await deployer.fund(rpcUrl);
    const { contracts: deployed, transactions } = await deployer.deploy(rpcUrl, { only: ["RequestReceiver"] });
    const record = JSON.parse(await deployer.record(31_504)) as RecordJson;
    expect(record).to.include({ chainId: 31_504, factory: CREATE2_FACTORY });
    expect(Object.keys(record.contracts)).to.deep.equal(["RequestReceiver", "pause"]);
    const client = chainClient(31_504, rpcUrl);
    for (const [index, { name, address }] of deployed.entries()) {
      const recorded = record.contracts[name];
      const code = (await client.getCode({ address })) ?? "0x";
      const { blockNumber } = await client.getTransactionReceipt({ hash: transactions[index] ?? "0x" });
      expect(recorded).to.include({ address, block: Number(blockNumber), bytecodeHash: keccak256(code) });
      expect(recorded?.compiler.version).to.match(/^0\.8\.37\+commit\.[0-9a-f]{8}$/u);
      expect(recorded?.compiler).to.include({ evmVersion: "cancun", viaIR: true, optimizerRuns: 1_000_000 });
    }
    expect(record.contracts.RequestReceiver?.arguments).to.deep.equal({
      solver: "0xf70da97812CB96acDF810712Aa562db8dfA3dbEF",
      depository: contracts.depository,
      permit2: zeroAddress,
      policy: record.contracts.pause?.address,
    });
    // Nothing but the record, the parameters and Ignition's journal is left in the folder.
    expect((await readdir(deployer.folder)).toSorted()).to.deep.equal([".ignition", "31504.json", "parameters.json"]);
  });

  it("records what a constructor deployed, under the contract's name", async () => {
    const rpcUrl = await startChain(31_514);
    const deployer = await deployerOf();
    await deployer.fund(rpcUrl);
    const { transactions } = await deployer.deploy(rpcUrl, { only: ["PushExecutor"] });
    expect(transactions).to.have.length(1);
    const { PushExecutor: executor, "PushExecutor.LivePuller": puller } = (
      JSON.parse(await deployer.record(31_514)) as RecordJson
    ).contracts;
    expect([executor?.creator, puller?.creator]).to.deep.equal([CREATE2_FACTORY, executor?.address]);
    expect(puller?.block).to.equal(executor?.block);
    const livePuller = await readContract(chainClient(31_514, rpcUrl), {
      address: executor?.address ?? zeroAddress,
      abi: readArtifact("executor/PushExecutor").abi,
      functionName: "livePuller",
    });
    expect(puller?.address).to.equal(livePuller);
  });

  it("keeps in the record what other runs deployed, as long as it stands", async () => {
    const rpcUrl = await startChain(31_505);
    const deployer = await deployerOf(PAUSE, CAP);
    await deployer.fund(rpcUrl);
    await deployer.deploy(rpcUrl, { only: ["pause"] });
    await deployer.deploy(rpcUrl, { only: ["CurrencyCap"] });
    const names = async () => Object.keys((JSON.parse(await deployer.record(31_505)) as RecordJson).contracts);
    expect(await names()).to.deep.equal(["CurrencyCap", "pause"]);
    const { address = zeroAddress } = (JSON.parse(await deployer.record(31_505)) as RecordJson).contracts.pause ?? {};
    await askNode(rpcUrl, "hardhat_setCode", [address, "0x"]);
    await deployer.deploy(rpcUrl, { only: ["CurrencyCap"] });
    expect(await names()).to.deep.equal(["CurrencyCap"]);
  });

  it("deploys again what a local node lost by a restart, whatever the journal says", async () => {
    const deployer = await deployerOf(PAUSE, RECEIVER);
    for (let start = 0; start < 2; start += 1) {
      const rpcUrl = await startChain(31_506);
      await deployer.fund(rpcUrl);
      const { transactions } = await deployer.deploy(rpcUrl);
      expect(transactions).to.have.length(3);
    }
  });

  it("finds the vault proxy of the local network where it would deploy it itself", async () => {
    const deployer = await deployerOf({ contract: "Erc4626Proxy", arguments: { vault: contracts.vault } });
    const { contracts: found, transactions } = await deployer.deploy(chainA, { only: ["Erc4626Proxy"] });
    expect(found).to.deep.equal([
      { name: "Erc4626Proxy", contract: "Erc4626Proxy", address: contracts.vaultProxy, state: "standing" },
    ]);
    expect(transactions).to.deep.equal([]);
  });

  it("prints in a dry run what is missing, and sends and writes nothing", async () => {
    const rpcUrl = await startChain(31_507);
    const deployer = await deployerOf(PAUSE, RECEIVER);
    await deployer.fund(rpcUrl);
    const block = await chainClient(31_507, rpcUrl).getBlockNumber();
    const dry = await deployer.deploy(rpcUrl, { isDryRun: true, privateKey: undefined });
    expect(dry.contracts).to.have.length(4);
    expect(new Set(dry.contracts.map(({ state }) => state))).to.deep.equal(new Set(["absent"]));
    expect(dry).to.deep.include({ chainId: 31_507, transactions: [], file: undefined });
    expect(await chainClient(31_507, rpcUrl).getBlockNumber()).to.equal(block);
    expect(await readdir(deployer.folder)).to.deep.equal(["parameters.json"]);

    const offline = await deployer.deploy(undefined, { isDryRun: true, privateKey: undefined });
    const real = await deployer.deploy(rpcUrl);
    const addresses = real.contracts.map(({ address }) => address);
    expect(dry.contracts.map(({ address }) => address)).to.deep.equal(addresses);
    expect(offline.contracts.map(({ address, state }) => [address, state])).to.deep.equal(
      addresses.map((address) => [address, "unknown"]),
    );
  });

  it("waits for the confirmations that are asked for", async () => {
    const node = await startAnvil(31_508, "--block-time", "1");
    const deployer = await deployerOf(PAUSE);
    await deployer.fund(node.ready);
    const { transactions } = await deployer.deploy(node.ready, { only: ["pause"], confirmations: 3 });
    const client = chainClient(31_508, node.ready);
    const { blockNumber } = await client.getTransactionReceipt({ hash: transactions[0] ?? "0x" });
    expect(Number((await client.getBlockNumber()) - blockNumber)).to.be.greaterThanOrEqual(2);
  });

  it("gives up when its time is over, and goes on in the next run", async () => {
    const node = await startAnvil(31_509, "--no-mining");
    const deployer = await deployerOf(PAUSE);
    await deployer.fund(node.ready);
    const options = { only: ["pause"], confirmations: 1 };
    expect(await deployer.refused(node.ready, { ...options, timeoutMs: 1_500 })).to.include({ code: "TIMED_OUT" });
    const next = deployer.deploy(node.ready, options);
    const mining = setInterval(() => void askNode(node.ready, "evm_mine", []), 200);
    expect((await next.finally(() => clearInterval(mining))).transactions).to.deep.equal([]);
    expect(await deployer.sent(node.ready)).to.equal(1);
  });

  describe("refuses, before it sends anything,", () => {
    it("another chain than the one that is meant", async () => {
      const deployer = await deployerOf(PAUSE);
      expect(await deployer.refused(chainA, { chainId: 31_502 })).to.include({
        code: "WRONG_CHAIN",
        expectedChainId: 31_502,
        actualChainId: 31_501,
      });
    });

    it("a chain without the factory, and one with other code in its place", async () => {
      const rpcUrl = await startBareChain(31_510);
      const deployer = await deployerOf(PAUSE);
      const facts = { code: "FACTORY_MISSING", chainId: 31_510, factory: CREATE2_FACTORY };
      const missing = await deployer.refused(rpcUrl);
      expect(missing).to.include(facts);
      await askNode(rpcUrl, "hardhat_setCode", [CREATE2_FACTORY, `${CREATE2_FACTORY_CODE}00`]);
      const replaced = await deployer.refused(rpcUrl);
      expect(replaced).to.include(facts);
      expect(replaced.cure).not.to.equal(missing.cure);
    });

    it("a deployer that cannot pay, with what it has and what it needs", async () => {
      const rpcUrl = await startChain(31_511);
      const deployer = await deployerOf(PAUSE, RECEIVER);
      await deployer.fund(rpcUrl, 1_000n);
      const { needed, ...facts } = await deployer.refused(rpcUrl);
      expect(facts).to.include({ code: "INSUFFICIENT_FUNDS", account: deployer.address, balance: "1000" });
      expect(BigInt(String(needed)) > 1_000n && BigInt(String(needed)) < parseEther("1")).to.equal(true);
      // What it asks for is enough.
      await deployer.fund(rpcUrl, BigInt(String(needed)));
      expect((await deployer.deploy(rpcUrl)).transactions).to.have.length(3);
    });

    it("arguments that the constructor refuses, with the constructor's own words", async () => {
      const deployer = await deployerOf(PAUSE, {
        contract: "RequestReceiver",
        arguments: { policy: ELSEWHERE, permit2: zeroAddress },
      });
      await deployer.fund(chainA);
      const refused = await deployer.refused(chainA, { only: ["RequestReceiver"] });
      expect(refused).to.include({ code: "INVALID_INPUT", field: "contracts[1].arguments" });
      expect(refused.reason).to.include(`DependencyWithoutCode(${ELSEWHERE})`);
    });

    it("a key and a URL that are none, and shows neither", async () => {
      const deployer = await deployerOf(PAUSE);
      const key = await deployer.refused(chainA, { privateKey: "0xsecret" });
      const url = await deployer.refused("ftp://secret");
      const down = await deployer.refused("http://127.0.0.1:9/secret");
      expect([key.code, key.field]).to.deep.equal(["INVALID_INPUT", "--private-key"]);
      expect([url.code, url.field]).to.deep.equal(["INVALID_INPUT", "--rpc-url"]);
      expect(down.code).to.equal("CHAIN_ERROR");
      expect(JSON.stringify([key, url, down])).not.to.include("secret");
    });

    it("to deploy without a key, and without a chain", async () => {
      const deployer = await deployerOf({ ...PAUSE, arguments: { owner: ELSEWHERE } });
      const only = ["pause"];
      const withoutKey = await deployer.refused(chainA, { only, privateKey: undefined });
      expect(withoutKey).to.include({ code: "INVALID_INPUT", field: "--private-key" });
      const withoutChain = await deployer.refused(undefined, { only });
      expect(withoutChain).to.include({ code: "INVALID_INPUT", field: "--rpc-url" });
    });

    it("a record that is none, or another chain's", async () => {
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

    it("code that is not the build's, by name and address", async () => {
      const rpcUrl = await startChain(31_512);
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

    it("the build's code with another value of an immutable", async () => {
      const rpcUrl = await startChain(31_513);
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
});

interface RecordJson {
  readonly chainId: number;
  readonly factory: string;
  readonly contracts: Readonly<
    Record<
      string,
      {
        readonly address: Address;
        readonly creator: Address;
        readonly block: number;
        readonly arguments: Record<string, unknown>;
        readonly bytecodeHash: string;
        readonly compiler: Record<string, unknown>;
      }
    >
  >;
}
