import { once } from "node:events";
import { connect } from "node:net";

import { expect } from "chai";
import { zeroAddress } from "viem";

import { createServiceClient, executeSteps, getQuote } from "../../packages/sdk/src/index.ts";
import { startEdrChain } from "../../packages/crosscall/src/localnet/devchain/edr.ts";
import { localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { failureOf } from "./support/failureOf.ts";
import { reader, userWallet } from "./support/parties.ts";
import { etherRequest } from "./support/requests.ts";

describe("closing a local network", () => {
  it("does not wait for a fill that is not mined", async () => {
    // If `close` waited for a block, it would never return.
    const network = await localnet({ keepsRetired: true, inclusionTimeoutMs: 3_600_000 });
    const [origin, destination] = network.chains;
    await reader(destination).request<{ Method: "evm_setAutomine"; Parameters: [boolean]; ReturnType: boolean }>({
      method: "evm_setAutomine",
      params: [false],
    });
    const client = createServiceClient({ baseUrl: network.url });
    const quote = await getQuote(client, etherRequest(network, { destinationCurrency: zeroAddress }));
    const submitted = Promise.withResolvers<undefined>();
    const stop = new AbortController();
    const execution = executeSteps(client, {
      quote,
      wallet: userWallet(network, origin),
      pollIntervalMs: 25,
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === "status" && event.status.status === "submitted") submitted.resolve(undefined);
      },
    });
    await Promise.race([submitted.promise, execution]);
    stop.abort();
    expect(await failureOf(execution)).to.have.property("code", "ABORTED");
    await network.close();
  });
});

describe("closing a chain in this process", () => {
  it("does not wait for a connection that never sends anything", async () => {
    const chain = await startEdrChain(31_337);
    const silent = connect(Number(new URL(chain.rpcUrl).port), "127.0.0.1");
    await once(silent, "connect");
    const ended = once(silent, "close");
    await Promise.all([chain.close(), ended]);
  });
});
