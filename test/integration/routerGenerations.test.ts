import { expect } from "chai";
import { erc20Abi, erc4626Abi, type Hex, maxUint256, toEventSelector, zeroAddress } from "viem";
import { readContract } from "viem/actions";

import { planRelease } from "../../packages/crosscall/src/commands/deploy/release.ts";
import { callContract, live, planCalls } from "../../packages/sdk/src/calls/index.ts";
import { deploy } from "../../packages/protocol/src/chains/deploy.ts";
import { getChains } from "../../packages/sdk/src/client/readEndpoints.ts";
import * as sdk from "../../packages/sdk/src/index.ts";
import { systemTimer } from "../../packages/protocol/src/core/timer.ts";
import { endpointGeneration } from "../../packages/protocol/src/generations/endpoints.ts";
import type { Call } from "../../packages/protocol/src/common/call.ts";
import { LOCAL_ROUTER_VERSIONS, localRouterAddress } from "../../packages/protocol/src/generations/routers.ts";
import { verifyQuote } from "../../packages/sdk/src/verify/verifyQuote.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { createUpstream } from "../../packages/crosscall/src/replay/fork/upstream.ts";
import { readPastTransaction } from "../../packages/crosscall/src/replay/subject/pastTransaction.ts";
import { preparePast } from "../../packages/crosscall/src/replay/prepare/preparePast.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { getQuote } from "../support/complete.ts";
import { attestFill } from "./support/attestFill.ts";
import { failureOf } from "./support/failureOf.ts";
import { appClock, reader, userWallet, vaultedDollarsOf } from "./support/parties.ts";

const EVENTS = {
  "3.0": toEventSelector("SolverCallExecuted(address,bytes,uint256)"),
  "3.2": toEventSelector("SolverCallExecuted(address,bytes32,uint256)"),
} as const;

for (const version of LOCAL_ROUTER_VERSIONS) {
  describe(`a network with the ${version} router`, () => {
    let now = Date.now();
    const serviceClock = { now: () => now };
    const network = useNetwork({ router: version, apiKeys: ["mine"], clock: serviceClock, keepsRetired: false });
    const clock = { now: () => appClock(network).now() };

    /** Returns a request that deposits into the vault on the destination chain. */
    const vaultRequest = () => {
      const [origin, destination] = network.chains;
      const { dollar, router, vaultProxy } = destination.contracts;
      const { user } = network.accounts;
      const { txs } = planCalls({
        tradeType: "EXACT_INPUT",
        router,
        recipient: user.address,
        destinationCurrency: dollar,
        amount: 1_000_000_000_000_000n,
        actions: [{ kind: "proxy", token: dollar, proxy: vaultProxy, recipient: user.address, deadline: maxUint256 }],
      });
      return {
        user: user.address,
        originChainId: origin.id,
        destinationChainId: destination.id,
        originCurrency: zeroAddress,
        destinationCurrency: dollar,
        tradeType: "EXACT_INPUT" as const,
        amount: "1000000000000000",
        txs: [...txs],
        includeProtocolData: true,
      };
    };

    it("lists the router by default and by its version", async () => {
      const router = localRouterAddress(version);
      for (const { id, contracts } of network.chains) {
        expect(contracts.router).to.equal(router);
        const [chain] = (await getChains(sdk.createServiceClient({ baseUrl: network.url }))).filter(
          (one) => one.id === id,
        );
        const pair = { erc20Router: router, approvalProxy: contracts.approvalProxy };
        expect(chain?.contracts).to.deep.equal(
          version === "3.0" ? { v3: { erc20Router: router } } : { ...pair, "v3.2": pair },
        );
      }
    });

    /** Pays for the calls with native currency, and waits for the fill. */
    const fillCalls = async (txs: readonly Call[]) => {
      const client = sdk.createServiceClient({ baseUrl: network.url, apiKey: "mine" });
      const request = { ...vaultRequest(), txs: [...txs] };
      const quote = await getQuote(client, request);
      expect((await verifyQuote({ request, quote, clock })).verdict).to.equal("bound");
      const wallet = userWallet(network, network.chains[0]);
      return { quote, ...(await sdk.executeSteps(client, { quote, wallet, pollIntervalMs: 25, clock })) };
    };

    it("fills a plan with a program that runs on the release's executor", async () => {
      const [, destination] = network.chains;
      const { dollar, router, vault } = destination.contracts;
      const recipient = network.accounts.user.address;
      const deployer = chainClient(destination.id, destination.rpcUrl, localAccounts.deployer);
      const executor = await deploy(deployer, { artifact: readArtifact("executor/PushExecutor") });
      const [planned, puller] = planRelease(31_337);
      expect(executor).to.equal(planned?.address);
      const { txs } = planCalls({
        tradeType: "EXACT_INPUT",
        router,
        recipient,
        destinationCurrency: dollar,
        amount: 1_000_000_000_000_000n,
        programs: { executor, livePuller: puller!.address },
        actions: [
          callContract({
            address: vault,
            abi: erc4626Abi,
            functionName: "deposit",
            args: [live(dollar, { approve: "target" }), recipient],
            checks: [{ token: vault, minimumOut: 2n }],
          }),
        ],
      });
      expect((await fillCalls(txs)).status.status).to.equal("success");
      const shares = { address: vault, abi: erc20Abi, functionName: "balanceOf", args: [recipient] } as const;
      expect((await readContract(reader(destination), shares)) > 1n).to.equal(true);
    });

    it("fills a plan, so that the fill can be verified, replayed and attested", async () => {
      const [, destination] = network.chains;
      const { vault } = destination.contracts;
      const { user } = network.accounts;
      const { txs } = vaultRequest();
      const { quote, transactions, status } = await fillCalls(txs);
      expect(status.status).to.equal("success");
      const shares = { address: vault, abi: erc20Abi, functionName: "balanceOf", args: [user.address] } as const;
      expect(await readContract(reader(destination), shares)).to.be.greaterThan(0n);

      const hash = status.txHashes![0] as Hex;
      const { logs } = await reader(destination).getTransactionReceipt({ hash });
      const made = logs.filter(({ topics }) => topics[0] === EVENTS[version]);
      // The first call is the solver's payment.
      expect(made.length).to.equal(1 + txs.length);

      const { rpcUrl } = destination;
      const upstream = createUpstream({ rpcUrl, timeoutMs: 600_000, signal: new AbortController().signal });
      const past = await readPastTransaction(upstream, hash);
      const { original, findings, fork } = await preparePast({ past, rpcUrl });
      await fork.close();
      expect([original?.isReproduced, findings]).to.deep.equal([true, []]);

      const fill = await attestFill(network, { quote, deposit: transactions[0]!.txHash, fill: hash });
      expect(fill.execution?.signatures.length).to.be.greaterThan(0);
    });

    describe("runs the same app", () => {
      const { endsOn } = endpointGeneration("/quote/v2");
      const serverClient = () => clientWith({ apiKey: "mine" });
      const clients = {
        "quote v2": () => clientWith({}),
        "quote v3 with an API key": serverClient,
        "quote v3 with an access token": () =>
          clientWith({ accessToken: async () => (await sdk.createAccessToken(serverClient())).token }),
      };
      const clientWith = (credentials: Pick<sdk.ServiceClientOptions, "apiKey" | "accessToken">) =>
        sdk.createServiceClient({
          baseUrl: network.url,
          timer: { ...systemTimer, now: serviceClock.now },
          ...credentials,
        });

      /** Runs an app that does not depend on quote versions, credentials and routers. */
      const app = async (client: sdk.ServiceClient) => {
        const request = vaultRequest();
        const quote = await getQuote(client, request);
        const { trust } = network;
        const { verdict } = await verifyQuote({ request, quote, trust, clock });
        const wallet = userWallet(network, network.chains[0]);
        const { requestId, status } = await sdk.executeSteps(client, {
          quote,
          request,
          wallet,
          trust,
          pollIntervalMs: 25,
          clock,
        });
        return { requestId, outcome: [verdict, status.status] };
      };

      const statusesOf = async (requestId: string) => {
        const older = (await sdk.listRequestsV2(clients["quote v2"](), { id: requestId })).requests[0];
        return [(await sdk.getRequest(serverClient(), { requestId })).status, older?.status];
      };

      for (const [name, client] of Object.entries(clients)) {
        it(`while all endpoints work: ${name}`, async () => {
          now = Date.parse(endpointGeneration("/requests/v2").endsOn) - 1_000;
          const before = await vaultedDollarsOf(network.chains[1], network.accounts.user.address);
          const { requestId, outcome } = await app(client());
          expect(outcome).to.deep.equal(["bound", "success"]);
          expect(Number(await vaultedDollarsOf(network.chains[1], network.accounts.user.address))).to.be.above(
            Number(before),
          );
          expect(await statusesOf(requestId)).to.deep.equal(["success", "success"]);
        });
      }

      for (const name of ["quote v3 with an API key", "quote v3 with an access token"] as const) {
        it(`after the older endpoints end: ${name}`, async () => {
          now = Date.parse(endsOn);
          const { requestId, outcome } = await app(clients[name]());
          expect(outcome).to.deep.equal(["bound", "success"]);
          expect((await sdk.getRequest(serverClient(), { requestId })).status).to.equal("success");
          expect(await failureOf(statusesOf(requestId))).to.be.instanceOf(sdk.EndpointRetiredError);
        });
      }

      it("until quote v2 ends, then rejects with a hint", async () => {
        now = Date.parse(endsOn) - 1;
        expect((await app(clients["quote v2"]())).outcome).to.deep.equal(["bound", "success"]);
        now = Date.parse(endsOn);
        const refused = await failureOf(app(clients["quote v2"]()));
        expect(refused).to.be.instanceOf(sdk.ServiceError).and.to.include({
          status: 410,
          hint: "Pass apiKey or accessToken to the client, which then requests v3 quotes.",
        });
      });
    });
  });
}
