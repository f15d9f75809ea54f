import { expect } from "chai";
import { encodeAbiParameters } from "viem";

import { createDeployer, type Deployer } from "./support/deployments.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";
import { serve, type TestServer } from "../support/httpServer.ts";

const CHAIN_ID = 31_530;
const OWNER = "0x1111111111111111111111111111111111111111";
const KEY = "explorer-secret";

/** Request to the explorer API. */
interface ExplorerCall {
  readonly query: Record<string, string>;
  readonly form: Record<string, string>;
}

// Stand-in for a real explorer, written from the documentation of Etherscan's API version 2.
describe("crosscall deploy with an explorer", () => {
  let node: string;
  let server: TestServer;
  let deployer: Deployer;
  const calls: ExplorerCall[] = [];
  let answer: (call: ExplorerCall) => { status: string; result: unknown };

  before(async () => {
    node = (await startAnvil(CHAIN_ID)).ready;
    deployer = await createDeployer({ contracts: [{ contract: "PausePolicy", arguments: { owner: OWNER } }] });
    await deployer.fund(node);
    server = await serve((request, response, body) => {
      const query = Object.fromEntries(new URL(request.url ?? "", "http://localhost").searchParams);
      const form = Object.fromEntries(new URLSearchParams(body));
      const { status, result } = answer({ query, form });
      calls.push({ query, form });
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ status, message: status === "1" ? "OK" : "NOTOK", result }));
    });
  });
  beforeEach(() => {
    calls.length = 0;
  });
  after(async () => {
    await stopPrograms();
    await server.close();
    await deployer.remove();
  });

  function options() {
    const { url } = server;
    return { only: ["PausePolicy"], explorer: { apiKey: KEY, apiUrl: `${url}/v2/api`, url } };
  }
  const source = (text: string) => ({ status: "1", result: [{ SourceCode: text }] });
  const actions = () => calls.map(({ query }) => query.action);

  it("reports the explorer's reason for a rejection, and keeps the deployment", async () => {
    answer = ({ query: { action } }) => {
      if (action === "getsourcecode") return source("");
      if (action === "verifysourcecode") return { status: "1", result: "guid" };
      return { status: "0", result: "Fail - Unable to verify. Bytecode does not match" };
    };
    const refused = await deployer.refused(node, options());
    expect(refused).to.include({ code: "CHAIN_ERROR", chainId: CHAIN_ID });
    expect(refused.message).to.include("Bytecode does not match").and.not.to.include(KEY);
    expect(await deployer.sent(node)).to.equal(1);
    expect(await deployer.record(CHAIN_ID)).to.include("PausePolicy");
  });

  it("submits the compiler's input and the constructor's arguments, and waits for the verification", async () => {
    let polls = 0;
    answer = ({ query: { action } }) => {
      if (action === "getsourcecode") return source("");
      if (action === "verifysourcecode") return { status: "1", result: "guid" };
      polls += 1;
      return polls === 1 ? { status: "0", result: "Pending in queue" } : { status: "1", result: "Pass - Verified" };
    };
    const { contracts, transactions } = await deployer.deploy(node, options());
    expect(transactions).to.deep.equal([]);
    expect(actions()).to.deep.equal(["getsourcecode", "verifysourcecode", "checkverifystatus", "checkverifystatus"]);
    for (const { query } of calls) expect(query).to.include({ chainid: String(CHAIN_ID), apikey: KEY });
    const { form = {} } = calls[1] ?? {};
    expect(form).to.include({
      contractaddress: contracts[0]?.address,
      codeformat: "solidity-standard-json-input",
      contractname: "project/contracts/receiver/policies/PausePolicy.sol:PausePolicy",
      compilerversion: "v0.8.37+commit.f401782d",
      constructorArguments: encodeAbiParameters([{ type: "address" }], [OWNER]).slice(2),
    });
    const input = JSON.parse(form.sourceCode ?? "{}") as { sources: object; settings: { viaIR: boolean } };
    expect(input.sources).to.have.property("project/contracts/receiver/policies/PausePolicy.sol");
    expect(input.settings.viaIR).to.equal(true);
  });

  it("skips contracts that are already verified", async () => {
    answer = () => source("contract PausePolicy {}");
    await deployer.deploy(node, options());
    expect(actions()).to.deep.equal(["getsourcecode"]);
  });
});
