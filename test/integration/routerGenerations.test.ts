import { expect } from "chai";
import { erc20Abi, erc4626Abi, type Hex, maxUint256, toEventSelector, zeroAddress } from "viem";
import { readContract } from "viem/actions";

import { planRelease } from "../../scripts/deploy/release.ts";
import { attest } from "../../sdk/src/attestation.ts";
import { callContract, live, planCalls } from "../../sdk/src/calls/index.ts";
import { deploy } from "../../sdk/src/chains/deploy.ts";
import { createServiceClient, executeSteps } from "../../sdk/src/index.ts";
import { getChains } from "../../sdk/src/client/getChains.ts";
import type { Call } from "../../sdk/src/protocol/common/call.ts";
import { LOCAL_ROUTER_VERSIONS, localRouterAddress } from "../../sdk/src/protocol/generations/routers.ts";
import { verifyQuote } from "../../sdk/src/verify/verifyQuote.ts";
import { readArtifact } from "../../src/artifacts.ts";
import { localAccounts } from "../../src/devchain/accounts.ts";
import { chainClient } from "../../src/devchain/chainClient.ts";
import { createUpstream } from "../../src/replay/fork/upstream/upstream.ts";
import { readPastTransaction } from "../../src/replay/past/pastTransaction.ts";
import { preparePast } from "../../src/replay/prepare/preparePast.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { getQuote } from "../support/complete.ts";
import { reader, userWallet } from "./support/parties.ts";

const EVENTS = {
  "3.0": toEventSelector("SolverCallExecuted(address,bytes,uint256)"),
  "3.2": toEventSelector("SolverCallExecuted(address,bytes32,uint256)"),
} as const;

for (const version of LOCAL_ROUTER_VERSIONS) {
  describe(`a network with the ${version} router`, () => {
    const network = useNetwork({ router: version, apiKeys: ["mine"] });

    /** Pays for the calls with native currency, and waits for their fill. */
    async function fillCalls(txs: readonly Call[]) {
      const [origin, destination] = network.chains;
      const client = createServiceClient({ baseUrl: network.url, apiKey: "mine" });
      const request = {
        user: network.accounts.user.address,
        originChainId: origin.id,
        destinationChainId: destination.id,
        originCurrency: zeroAddress,
        destinationCurrency: destination.contracts.dollar,
        tradeType: "EXACT_INPUT" as const,
        amount: "1000000000000000",
        txs: [...txs],
        includeProtocolData: true,
      };
      const quote = await getQuote(client, request);
      expect((await verifyQuote({ request, quote })).verdict).to.equal("bound");
      const wallet = userWallet(network, origin);
      return { quote, ...(await executeSteps(client, { quote, wallet, pollIntervalMs: 25 })) };
    }

    it("lists the router, under its generation, too", async () => {
      const router = localRouterAddress(version);
      for (const { id, contracts } of network.chains) {
        expect(contracts.router).to.equal(router);
        const [chain] = (await getChains(createServiceClient({ baseUrl: network.url }))).filter((one) => one.id === id);
        const pair = { erc20Router: router, approvalProxy: contracts.approvalProxy };
        expect(chain?.contracts).to.deep.equal(
          version === "3.0" ? { v3: { erc20Router: router } } : { ...pair, "v3.2": pair },
        );
      }
    });

    it("fills a plan whose program the executor of the release runs", async () => {
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

    it("fills a plan, and the fill is verified, replayed and attested", async () => {
      const [origin, destination] = network.chains;
      const { dollar, router, vault, vaultProxy } = destination.contracts;
      const { user } = network.accounts;
      const { txs } = planCalls({
        tradeType: "EXACT_INPUT",
        router,
        recipient: user.address,
        destinationCurrency: dollar,
        amount: 1_000_000_000_000_000n,
        actions: [{ kind: "proxy", token: dollar, proxy: vaultProxy, recipient: user.address, deadline: maxUint256 }],
      });
      const shares = { address: vault, abi: erc20Abi, functionName: "balanceOf", args: [user.address] } as const;
      const held = await readContract(reader(destination), shares);
      const { quote, transactions, status } = await fillCalls(txs);
      expect(status.status).to.equal("success");
      expect((await readContract(reader(destination), shares)) > held).to.equal(true);

      const hash = status.txHashes![0] as Hex;
      const { logs } = await reader(destination).getTransactionReceipt({ hash });
      const made = logs.filter(({ topics }) => topics[0] === EVENTS[version]);
      // The first call is the payment of the solver.
      expect(made.length).to.equal(1 + txs.length);

      const { rpcUrl } = destination;
      const upstream = createUpstream({ rpcUrl, timeoutMs: 600_000, signal: new AbortController().signal });
      const past = await readPastTransaction(upstream, hash);
      const { original, findings, fork } = await preparePast({ past, rpcUrl });
      await fork.close();
      expect([original?.isReproduced, findings]).to.deep.equal([true, []]);

      const oracle = createServiceClient({ baseUrl: network.oracle!.url, apiKey: "mine" });
      const { orderData: order, orderSignature } = quote.protocol!.v2;
      const { messages } = await attest(oracle, "depository-deposits/v1", {
        chainId: `local-${origin.id}`,
        transactionId: transactions[0]!.txHash,
      });
      const fill = await attest(oracle, "solver-fills/v1", {
        order,
        orderSignature: orderSignature!,
        inputs: [{ transactionId: transactions[0]!.txHash, onchainId: messages[0]!.result.onchainId, inputIndex: 0 }],
        fill: { transactionId: hash },
      });
      expect(fill.execution?.signatures.length).to.be.greaterThan(0);
    });
  });
}
