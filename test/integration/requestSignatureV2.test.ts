import { expect } from "chai";
import {
  encodeAbiParameters,
  type Hex,
  keccak256,
  pad,
  parseAbiParameters,
  recoverMessageAddress,
  toHex,
  zeroAddress,
} from "viem";

import { EXCHANGE_CHAIN_ID } from "../../sdk/src/chains/chainIds.ts";
import { createServiceClient, getQuote } from "../../sdk/src/index.ts";
import type { QuoteRequest } from "../../sdk/src/protocol/index.ts";
import { expectLive, missingFields } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { get } from "./support/serviceCalls.ts";
import { etherRequest } from "./support/requests.ts";

describe("GET /requests/{requestId}/signature/v2", () => {
  const network = useNetwork();

  async function request(change: Partial<QuoteRequest> = {}): Promise<Hex> {
    const { steps } = await getQuote(createServiceClient({ baseUrl: network.url }), {
      ...etherRequest(network),
      ...change,
    });
    return steps?.[0]?.requestId as Hex;
  }

  it("signs the request with its output currency", async () => {
    const requestId = await request();
    const { user } = network.accounts;
    const { dollar } = network.chains[1].contracts;
    const { status, body } = await get(network, `/requests/${requestId}/signature/v2`);
    expect(status).to.equal(200);
    expectLive("GET /requests/{requestId}/signature/v2 200", body);
    expect(missingFields("GET /requests/{requestId}/signature/v2 200", body)).to.deep.equal([]);
    const { requestData, signature } = body as { requestData: object; signature: Hex };
    expect(requestData).to.deep.equal({
      originChainId: 31_337,
      originUser: user.address,
      originCurrency: zeroAddress,
      destinationChainId: 31_338,
      destinationUser: user.address,
      destinationCurrency: dollar,
    });
    const words = encodeAbiParameters(
      parseAbiParameters("bytes32, uint256, bytes32, bytes32, uint256, bytes32, bytes32"),
      [requestId, 31_337n, pad(user.address), pad(zeroAddress), 31_338n, pad(user.address), pad(dollar)],
    );
    expect(await recoverMessageAddress({ message: { raw: keccak256(words) }, signature })).to.equal(network.solver);
  });

  it("signs accounts and assets of the exchange chain as numbers", async () => {
    const requestId = await request({
      user: "509564",
      recipient: network.accounts.user.address,
      refundTo: "509564",
      originChainId: EXCHANGE_CHAIN_ID,
      originCurrency: "3",
      amount: "100000000",
    });
    const { body } = await get(network, `/requests/${requestId}/signature/v2`);
    const words = encodeAbiParameters(
      parseAbiParameters("bytes32, uint256, bytes32, bytes32, uint256, bytes32, bytes32"),
      [
        requestId,
        BigInt(EXCHANGE_CHAIN_ID),
        pad(toHex(509_564n), { size: 32 }),
        pad("0x03", { size: 32 }),
        31_338n,
        pad(network.accounts.user.address),
        pad(network.chains[1].contracts.dollar),
      ],
    );
    const { signature } = body as { signature: Hex };
    expect(await recoverMessageAddress({ message: { raw: keccak256(words) }, signature })).to.equal(network.solver);
  });

  it("rejects what has no signature in the form of this endpoint", async () => {
    const { status, body } = await get(network, "/requests/0x1/signature/v2");
    expect(status).to.equal(400);
    expectLive("GET /requests/{requestId}/signature/v2 400", body);
    expect(body).to.include({ code: "INVALID_REQUEST" });
    expect((await get(network, `/requests/0x${"1".repeat(64)}/signature/v2`)).status).to.equal(404);
  });
});
