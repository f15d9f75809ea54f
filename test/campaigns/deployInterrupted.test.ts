import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { expect } from "chai";
import { type Address, zeroAddress } from "viem";

import type { DeploymentOutcome } from "../../packages/crosscall/src/commands/deploy/runDeployment.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { askNode, createDeployer, type Deployer } from "../integration/support/deployments.ts";
import { startAnvil, stopPrograms } from "../integration/support/processes.ts";
import { type RpcGate, startRpcGate } from "../integration/support/rpcGate.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CHAIN_ID = 31_520;
const OWNER: Address = "0x1111111111111111111111111111111111111111";

/** A policy, a receiver that depends on it, and two independent contracts: four transactions in two batches. */
const PARAMETERS = {
  contracts: [
    { contract: "PausePolicy", arguments: { owner: OWNER } },
    { contract: "CurrencyCap", arguments: { owner: OWNER } },
    { contract: "UserAllowList", arguments: { owner: OWNER } },
    {
      contract: "RequestReceiver",
      arguments: { policy: "PausePolicy", depository: zeroAddress, permit2: zeroAddress },
    },
  ],
};

// The deployments that are killed run in separate processes.
describe("a deployment that is interrupted", () => {
  let node: string;
  let gate: RpcGate;
  let deployer: Deployer;

  beforeEach(async () => {
    node = (await startAnvil(CHAIN_ID)).ready;
    gate = await startRpcGate(node);
    deployer = await createDeployer(PARAMETERS);
    await deployer.fund(node);
  });
  afterEach(async () => {
    await gate.close();
    await stopPrograms();
    await deployer.remove();
  });

  function start() {
    const args = ["packages/crosscall/src/main.ts", "deploy", "--json", "--yes", "--chain-id", String(CHAIN_ID)];
    // Excludes the executor, which is also a standard contract.
    const only = PARAMETERS.contracts.flatMap(({ contract }) => ["--only", contract]);
    const files = [...only, "--parameters", deployer.parametersPath, "--folder", deployer.folder];
    const child = spawn(process.execPath, [...args, ...files], {
      cwd: ROOT,
      env: { ...process.env, CROSSCALL_RPC_URL: gate.url, CROSSCALL_PRIVATE_KEY: deployer.privateKey },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const finished = once(child, "close").then(([exitCode]) => ({
      exitCode: exitCode as number | null,
      output,
      errors,
    }));
    return { child, finished };
  }

  /** Deploys again, in this process. */
  const finish = (): Promise<DeploymentOutcome> =>
    deployer.deploy(gate.url, { chainId: CHAIN_ID, only: PARAMETERS.contracts.map(({ contract }) => contract) });

  async function expectAllStanding({ contracts }: Pick<DeploymentOutcome, "contracts">): Promise<void> {
    expect(contracts.map(({ name }) => name)).to.have.members(PARAMETERS.contracts.map(({ contract }) => contract));
    for (const { address } of contracts) {
      expect(await chainClient(CHAIN_ID, node).getCode({ address })).to.match(/^0x../u);
    }
  }

  for (const { after, isDelivered, left } of [
    { after: 0, isDelivered: false, left: 4 },
    { after: 1, isDelivered: false, left: 3 },
    { after: 1, isDelivered: true, left: 2 },
    { after: 3, isDelivered: false, left: 1 },
    { after: 3, isDelivered: true, left: 0 },
  ]) {
    const fate = isDelivered ? "received by the node" : "lost before it reached the node";
    it(`resumes after a kill at transaction ${after + 1}, ${fate}`, async () => {
      const reached = gate.hold("eth_sendRawTransaction", { after, isDelivered });
      const first = start();
      await reached;
      first.child.kill("SIGKILL");
      await first.finished;
      gate.release();
      const outcome = await finish();
      expect(outcome.transactions).to.have.length(left);
      expect(await deployer.sent(node)).to.equal(4);
      await expectAllStanding(outcome);
      expect((await finish()).transactions).to.deep.equal([]);
    });
  }

  for (const after of [0, 1, 2]) {
    it(`resumes after a kill with pending transactions, ${after} of them acknowledged`, async () => {
      await askNode(node, "evm_setAutomine", [false]);
      const reached = gate.hold("eth_sendRawTransaction", { after, isDelivered: true });
      const first = start();
      await reached;
      const client = chainClient(CHAIN_ID, node);
      const pending = () => client.getTransactionCount({ address: deployer.address, blockTag: "pending" });
      while ((await pending()) < after + 1) await new Promise((resolve) => setTimeout(resolve, 20));
      first.child.kill("SIGKILL");
      await first.finished;
      gate.release();
      const second = start();
      const mining = setInterval(() => void askNode(node, "evm_mine", []), 200);
      const { exitCode, output } = await second.finished.finally(() => clearInterval(mining));
      expect(exitCode, output).to.equal(0);
      await expectAllStanding(JSON.parse(output) as DeploymentOutcome);
      expect(await deployer.sent(node)).to.equal(4);
    });
  }

  it("treats a concurrent deployment of the same contracts as its own", async () => {
    const other = await createDeployer(PARAMETERS);
    await other.fund(node);
    const reached = gate.hold("eth_sendRawTransaction");
    const first = start();
    await reached;
    first.child.kill("SIGKILL");
    await first.finished;
    gate.release();
    await other.deploy(node, { only: ["UserAllowList", "CurrencyCap", "RequestReceiver"] });
    await other.remove();
    const outcome = await finish();
    expect([outcome.transactions, await deployer.sent(node)]).to.deep.equal([[], 0]);
    await expectAllStanding(outcome);
  });

  it("resumes with another private key", async () => {
    const reached = gate.hold("eth_sendRawTransaction", { after: 1 });
    const first = start();
    await reached;
    first.child.kill("SIGKILL");
    await first.finished;
    gate.release();
    const other = await createDeployer(PARAMETERS);
    await other.fund(node);
    const { transactions } = await other.deploy(node, {
      folder: deployer.folder,
      only: ["UserAllowList", "CurrencyCap", "RequestReceiver"],
    });
    await other.remove();
    expect(transactions).to.have.length(3);
    expect((await finish()).transactions).to.deep.equal([]);
  });

  it("stops and prints a report on Ctrl-C, and resumes in the next run", async () => {
    const reached = gate.hold("eth_sendRawTransaction", { after: 2 });
    const first = start();
    await reached;
    first.child.kill("SIGINT");
    const { exitCode, output } = await first.finished;
    // The command did not wait for the node, so the transaction is still pending.
    expect(exitCode).to.equal(130);
    expect(JSON.parse(output)).to.have.nested.property("error.cause.code", "ABORTED");
    gate.release();
    const second = await start().finished;
    expect([second.exitCode, second.errors], second.output).to.deep.equal([0, ""]);
    await expectAllStanding(JSON.parse(second.output) as DeploymentOutcome);
  });
});
