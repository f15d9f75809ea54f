import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { type Address, keccak256, parseGwei, zeroAddress } from "viem";
import { readContract, sendTransaction } from "viem/actions";

import { readRelease } from "../../packages/crosscall/src/commands/deploy/release.ts";
import { CREATE2_FACTORY, deploymentData } from "../../packages/protocol/src/chains/create2.ts";
import { AbortedError } from "../../packages/protocol/src/core/errors.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { ChainContracts } from "../../packages/crosscall/src/localnet/devchain/contracts.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/index.ts";
import { until } from "../support/until.ts";
import { askNode, createDeploymentBench } from "./support/deployments.ts";
import { failureOf } from "./support/failureOf.ts";
import { startAnvil } from "./support/processes.ts";

const OWNER: Address = "0x1111111111111111111111111111111111111111";

const PAUSE = { contract: "PausePolicy", name: "pause", arguments: { owner: OWNER } };
const CAP = { contract: "CurrencyCap", arguments: { owner: OWNER } };
/** Names of the three contracts above and of the standard contracts, in deployment order. */
const NAMES = ["PushExecutor", "PushExecutor.LivePuller", "pause", "RequestReceiver", "CurrencyCap"];
const RECEIVER = { contract: "RequestReceiver", arguments: { policy: "pause", permit2: zeroAddress } };

describe("crosscall deploy", () => {
  const { startChain, deployerOf, close } = createDeploymentBench();
  let contracts: ChainContracts;
  let chainA: string;
  let chainB: string;

  before(async () => {
    ({ rpcUrl: chainA, contracts } = await startChain(31_501));
    ({ rpcUrl: chainB } = await startChain(31_502));
  });
  after(close);

  it("deploys to the same addresses on two chains and a fork, and sends nothing in a second run", async () => {
    const deployer = await deployerOf(PAUSE, RECEIVER, CAP);
    // Fork of a chain without these contracts, created before the deployment.
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

  it("deploys the standard contracts by default to a local chain and a fork of it", async () => {
    const { rpcUrl } = await startChain(31_516);
    const fork = await startAnvil(31_517, "--fork-url", rpcUrl);
    const release = Object.values((await readRelease(10))?.contracts ?? {});
    const deployer = await deployerOf();
    for (const [chainId, url] of [
      [31_516, rpcUrl],
      [31_517, fork.ready],
    ] as const) {
      await deployer.fund(url);
      const { contracts: deployed, notes } = await deployer.deploy(url, { parametersPath: undefined });
      expect(deployed.map(({ address }) => address)).to.have.members(release.map(({ address }) => address));
      expect(new Set(deployed.map(({ state }) => state))).to.deep.equal(new Set(["deployed"]));
      // The release has records for the service's chains and for the default local chain IDs.
      expect(notes).to.have.length(1);
      const { RequestReceiver: receiver } = (JSON.parse(await deployer.record(chainId)) as RecordJson).contracts;
      expect(receiver).to.include({ state: "deployed" });
    }
  });

  it("asks for confirmation before it sends transactions, and sends none if denied", async () => {
    const { rpcUrl } = await startChain(31_518);
    const deployer = await deployerOf(PAUSE);
    await deployer.fund(rpcUrl);
    const questions: string[] = [];
    const no = (question: string) => {
      questions.push(question);
      return Promise.reject(new AbortedError({ what: "the deployment" }));
    };
    const options = { only: ["pause"], confirm: no };
    expect(await deployer.deploy(rpcUrl, { ...options, isDryRun: true })).to.include({ file: undefined });
    expect(questions).to.deep.equal([]);
    expect(await failureOf(deployer.deploy(rpcUrl, options))).to.include({ code: "ABORTED" });
    expect(questions).to.have.length(1);
    for (const fact of ["1 transaction", "chain 31518", deployer.address]) expect(questions[0]).to.include(fact);
    expect(await deployer.sent(rpcUrl)).to.equal(0);
    await deployer.deploy(rpcUrl, { only: ["pause"] });
    // Nothing is missing.
    await deployer.deploy(rpcUrl, options);
    expect(questions).to.have.length(1);
  });

  it("keeps a release's computed addresses in its record, and marks those that are deployed", async () => {
    const { rpcUrl } = await startChain(31_519);
    const deployer = await deployerOf();
    await deployer.fund(rpcUrl);
    const path = join(deployer.folder, "31519.json");
    await writeFile(path, JSON.stringify({ ...(await readRelease(10)), chainId: 31_519 }));
    await deployer.deploy(rpcUrl, { only: ["PushExecutor"] });
    const { contracts: recorded } = JSON.parse(await deployer.record(31_519)) as RecordJson;
    expect(Object.entries(recorded).map(([name, { state }]) => [name, state])).to.deep.equal([
      ["PushExecutor", "deployed"],
      ["PushExecutor.LivePuller", "deployed"],
      ["RequestReceiver", "computed"],
    ]);
  });

  it("accepts existing contracts on a fork of a deployed chain without a key", async () => {
    const deployer = await deployerOf(PAUSE, CAP);
    await deployer.fund(chainA);
    const { contracts: deployed } = await deployer.deploy(chainA, { only: ["pause", "CurrencyCap"] });
    const fork = await startAnvil(31_501, "--fork-url", chainA);
    const stranger = await deployerOf(PAUSE, CAP);
    const outcome = await stranger.deploy(fork.ready, { privateKey: undefined, only: ["pause", "CurrencyCap"] });
    expect(outcome.contracts).to.deep.equal(deployed.map((contract) => ({ ...contract, state: "standing" })));
    // Finds the same block numbers by reading the chain.
    expect(await stranger.record(31_501)).to.equal(await deployer.record(31_501));
  });

  it("records the deployed contracts", async () => {
    const { rpcUrl } = await startChain(31_504);
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
    // Only the record, the parameters and Ignition's journal remain in the folder.
    expect((await readdir(deployer.folder)).toSorted()).to.deep.equal([".ignition", "31504.json", "parameters.json"]);
  });

  it("records a contract deployed by a constructor under the contract's name", async () => {
    const { rpcUrl } = await startChain(31_514);
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

  it("keeps the deployments of other runs in the record while their contracts exist", async () => {
    const { rpcUrl } = await startChain(31_505);
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

  it("deploys again after a local node loses its state, despite the journal", async () => {
    const deployer = await deployerOf(PAUSE, RECEIVER);
    for (let start = 0; start < 2; start += 1) {
      const { rpcUrl } = await startChain(31_506);
      await deployer.fund(rpcUrl);
      const { transactions } = await deployer.deploy(rpcUrl);
      expect(transactions).to.have.length(3);
    }
  });

  it("finds the local network's vault proxy at the address where it would deploy the proxy", async () => {
    const deployer = await deployerOf({ contract: "Erc4626Proxy", arguments: { vault: contracts.vault } });
    const { contracts: found, transactions } = await deployer.deploy(chainA, { only: ["Erc4626Proxy"] });
    expect(found).to.deep.equal([
      { name: "Erc4626Proxy", contract: "Erc4626Proxy", address: contracts.vaultProxy, state: "standing" },
    ]);
    expect(transactions).to.deep.equal([]);
  });

  it("prints the missing deployments in a dry run, without sending or writing anything", async () => {
    const { rpcUrl } = await startChain(31_507);
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

  it("waits for the requested number of confirmations", async () => {
    const node = await startAnvil(31_508, "--block-time", "1");
    const deployer = await deployerOf(PAUSE);
    await deployer.fund(node.ready);
    const { transactions } = await deployer.deploy(node.ready, { only: ["pause"], confirmations: 3 });
    const client = chainClient(31_508, node.ready);
    const { blockNumber } = await client.getTransactionReceipt({ hash: transactions[0] ?? "0x" });
    expect(Number((await client.getBlockNumber()) - blockNumber)).to.be.greaterThanOrEqual(2);
  });

  it("times out, and continues in the next run", async () => {
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

  it("accepts a contract that another transaction deploys first, and deploys the others", async () => {
    const node = await startAnvil(31_515, "--no-mining");
    const deployer = await deployerOf(PAUSE, CAP);
    await deployer.fund(node.ready);
    const run = deployer.deploy(node.ready, { only: ["pause"], confirmations: 1 });
    const rival = chainClient(31_515, node.ready, localAccounts.stranger);
    const isSent = async () =>
      (await rival.getTransactionCount({ address: deployer.address, blockTag: "pending" })) === 1;
    await until(() => isSent());
    await sendTransaction(rival, {
      to: CREATE2_FACTORY,
      data: deploymentData({ artifact: readArtifact("receiver/policies/PausePolicy"), args: [OWNER] }),
      gas: 2_000_000n,
      maxFeePerGas: parseGwei("100"),
      maxPriorityFeePerGas: parseGwei("50"),
    });
    const mining = setInterval(() => void askNode(node.ready, "evm_mine", []), 200);
    try {
      const [hash = "0x"] = (await run).transactions;
      expect((await rival.getTransactionReceipt({ hash })).status).to.equal("reverted");
      const next = await deployer.deploy(node.ready, { only: ["CurrencyCap"], confirmations: 1 });
      expect(next.transactions).to.have.length(1);
    } finally {
      clearInterval(mining);
    }
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
        readonly state: "computed" | "deployed";
        readonly creator: Address;
        readonly block: number;
        readonly arguments: Record<string, unknown>;
        readonly bytecodeHash: string;
        readonly compiler: Record<string, unknown>;
      }
    >
  >;
}
