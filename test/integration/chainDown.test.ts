import { expect } from "chai";
import { zeroAddress } from "viem";

import { useNetwork } from "../support/useNetwork.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";
import { get, listRequests, post } from "./support/serviceCalls.ts";
import { etherRequest } from "./support/requests.ts";

describe("a chain that does not respond", () => {
  const network = useNetwork(async () => {
    const anvil = await startAnvil(31_338);
    return { chains: [{ id: 31_337 }, { id: 31_338, rpcUrl: anvil.ready }] };
  });
  before(stopPrograms);

  it("makes quotes fail with a transient error, but does not stop the service", async () => {
    const { status, body } = await post(
      network,
      "/quote/v2",
      etherRequest(network, { destinationCurrency: zeroAddress }),
    );
    expect([status, (body as { errorCode: string }).errorCode]).to.deep.equal([503, "RPC_HTTP_ERROR"]);
    expect((await listRequests(network)).requests).to.deep.equal([]);
    expect((await get(network, "/lives")).status).to.equal(200);
  });

  it("is reported as unhealthy, while the other chains are healthy", async () => {
    const healthOf = async (query = "") => (await get(network, `/chains/health${query}`)).body;
    expect(await healthOf("?chainId=31337")).to.deep.equal({ healthy: true });
    expect(await healthOf("?chainId=31338")).to.deep.equal({ healthy: false });
    expect(await healthOf()).to.deep.equal({ healthy: false });
  });
});
