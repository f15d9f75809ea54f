import { expect } from "chai";
import { type Hex, parseEther, toHex, zeroAddress } from "viem";

import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import { relayerAccount } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { getQuote } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { reader } from "../support/parties.ts";
import { startAnvil, stopPrograms } from "../support/processes.ts";
import { onNode, requestIdOf, watchToEnd } from "../support/requests.ts";
import { post } from "../support/serviceCalls.ts";
import { authorize, callsOf, signBatch } from "./batches.ts";

const API_KEY = "crosscall-local";
const GWEI = 10n ** 9n;

// Anvil keeps transactions that cannot be mined yet, as live nodes do.
describe("a stuck call that the service sends for a user", () => {
  const network = useNetwork(async () => {
    const nodes = await Promise.all([startAnvil(31_337), startAnvil(31_338)]);
    return {
      chains: nodes.map(({ ready }, index) => ({ id: 31_337 + index, rpcUrl: ready })),
      sponsoringApiKeys: [API_KEY],
      oracle: false,
    };
  });
  let origin: LocalnetChain;

  before(() => {
    [origin] = network.chains;
  });
  after(stopPrograms);

  it("is sent again with higher fees, the same nonce and its authorization while the base fee rises above its fees", async () => {
    const user = network.accounts.user;
    const quote = await getQuote(createServiceClient({ baseUrl: network.url, apiKey: API_KEY }), {
      user: user.address,
      originChainId: origin.id,
      destinationChainId: network.chains[1].id,
      originCurrency: zeroAddress,
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      amount: parseEther("1").toString(),
      originGasOverhead: 80_000,
    });
    const requestId = requestIdOf(quote);
    const data = await signBatch(user, origin, callsOf(quote));
    const authorizationList = [await authorize(user, origin)];
    await onNode(origin, "evm_setAutomine", false);
    const answer = await post(
      network,
      "/execute",
      {
        executionKind: "rawCalls",
        data: { chainId: origin.id, to: user.address, data, value: "0", authorizationList },
        requestId,
      },
      { "x-api-key": API_KEY },
    );
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const first = await until(pendingHash);
    await onNode(origin, "anvil_setNextBlockBaseFeePerGas", toHex(100n * GWEI));
    await onNode(origin, "evm_mine");
    const second = await until(async () => {
      const hash = await pendingHash();
      return hash !== first && hash;
    });
    await onNode(origin, "evm_setAutomine", true);
    await onNode(origin, "evm_mine");
    expect((await watchToEnd(network, requestId)).status).to.equal("success");
    const sent = await reader(origin).getTransaction({ hash: second });
    expect([sent.type, sent.nonce, sent.authorizationList?.length]).to.deep.equal(["eip7702", 0, 1]);
  });

  /** Returns the hash of the relayer's only transaction. */
  async function pendingHash(): Promise<Hex | undefined> {
    const { pending } = (await onNode(origin, "txpool_content")) as {
      pending: Readonly<Record<string, Readonly<Record<string, { readonly hash: Hex }>>>>;
    };
    const own = Object.entries(pending).find(
      ([sender]) => sender.toLowerCase() === relayerAccount.address.toLowerCase(),
    );
    return Object.values(own?.[1] ?? {})[0]?.hash;
  }
});
