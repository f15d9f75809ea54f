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

import { readContract } from "viem/actions";

import {
  BITCOIN_CHAIN_ID,
  EXCHANGE_CHAIN_ID,
  SVM_CHAIN_ID,
  TRON_CHAIN_ID,
} from "../../packages/protocol/src/chains/chainIds.ts";
import { createServiceClient, getQuote, verifySignatureV2 } from "../../packages/sdk/src/index.ts";
import { encodeRequestV2, type QuoteRequest } from "../../packages/protocol/src/index.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { expectLive, missingFields } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { revertOf } from "./support/localHub.ts";
import { reader } from "./support/parties.ts";
import { deployMock, etherRequest } from "./support/requests.ts";
import { get } from "./support/serviceCalls.ts";

const SVM_USER = "DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK";
const SVM_USER_KEY = "0xba7a74f374ab05b70d114a78112ef0d3f0695a819572c79710b5372000d81ae2";
const SVM_DOLLAR_KEY = "0xc6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61";

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
      destinationCurrency: dollar.toLowerCase(),
    });
    const words = encodeAbiParameters(
      parseAbiParameters("bytes32, uint256, bytes32, bytes32, uint256, bytes32, bytes32"),
      [requestId, 31_337n, pad(user.address), pad(zeroAddress), 31_338n, pad(user.address), pad(dollar)],
    );
    expect(await recoverMessageAddress({ message: { raw: keccak256(words) }, signature })).to.equal(network.solver);
  });

  it("signs accounts and assets on the exchange chain as numbers", async () => {
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

  it("is accepted by the library and by a contract that checks the words as LI.FI's RelayFacet does", async () => {
    const [origin, destination] = network.chains;
    const { dollar } = origin.contracts;
    const contract = await deployMock(network, origin, "mocks/harness/FillGas", [network.solver]);
    const { abi } = readArtifact("mocks/harness/FillGas");
    const svmDollar = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
    for (const [to, words] of [
      [
        {
          destinationChainId: destination.id,
          destinationCurrency: destination.contracts.dollar,
          recipient: network.accounts.user.address,
        },
        [pad(network.accounts.user.address), pad(destination.contracts.dollar)],
      ],
      [
        { destinationChainId: SVM_CHAIN_ID, destinationCurrency: svmDollar, recipient: SVM_USER },
        [SVM_USER_KEY, SVM_DOLLAR_KEY],
      ],
      [
        { destinationChainId: EXCHANGE_CHAIN_ID, destinationCurrency: "3", recipient: "509564" },
        [toHex(509_564n, { size: 32 }), toHex(3n, { size: 32 })],
      ],
    ] as const) {
      const requestId = await request({
        user: contract,
        refundTo: network.accounts.user.address,
        originCurrency: dollar,
        amount: "50000000",
        ...to,
      });
      const { isValid, signed } = await verifySignatureV2(createServiceClient({ baseUrl: network.url }), {
        requestId,
        expectedSigners: [network.solver],
        expected: { originUser: contract, destinationCurrency: to.destinationCurrency },
      });
      expect([to.destinationChainId, isValid]).to.deep.equal([to.destinationChainId, true]);
      const fill = encodeRequestV2(requestId, signed.requestData);
      expect([fill.destinationUser, fill.destinationCurrency]).to.deep.equal(words.map((word) => word.toLowerCase()));
      for (const functionName of ["ofPackedWords", "ofLibrary"]) {
        const check = (change = {}) =>
          readContract(reader(origin), {
            address: contract,
            abi,
            functionName,
            args: [{ ...fill, ...change }, dollar, signed.signature],
          });
        expect(Number(await check())).to.be.greaterThan(0);
        expect(await revertOf(check({ destinationCurrency: pad("0x99") }))).to.equal("WrongSigner");
      }
    }
  });

  it("rejects requests that have no signature in this endpoint's format", async () => {
    const { status, body } = await get(network, "/requests/0x1/signature/v2");
    expect(status).to.equal(400);
    expectLive("GET /requests/{requestId}/signature/v2 400", body);
    expect(body).to.include({ code: "INVALID_REQUEST" });
    expect((await get(network, `/requests/0x${"1".repeat(64)}/signature/v2`)).status).to.equal(404);
  });

  for (const [name, change] of Object.entries<Partial<QuoteRequest>>({
    Bitcoin: {
      destinationChainId: BITCOIN_CHAIN_ID,
      destinationCurrency: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8",
      recipient: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    },
    Tron: {
      destinationChainId: TRON_CHAIN_ID,
      destinationCurrency: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
      recipient: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
    },
  })) {
    it(`rejects requests to ${name}, whose words are not documented, also in the first version`, async () => {
      const requestId = await request(change);
      for (const path of ["signature", "signature/v2"]) {
        const { status, body } = await get(network, `/requests/${requestId}/${path}`);
        expect([status, (body as { code: string }).code]).to.deep.equal([400, "INVALID_REQUEST"]);
      }
    });
  }
});
