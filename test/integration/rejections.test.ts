import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";

import { get, listRequests, post } from "./support/serviceCalls.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { etherRequest } from "./support/requests.ts";

describe("the service", () => {
  const network = useNetwork();
  const [, destination] = chainsOf(network);

  const good = () =>
    etherRequest(network, {
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_OUTPUT",
      txs: [
        { to: network.accounts.stranger.address, data: "0x", value: parseEther("0.25").toString() },
        { to: network.accounts.stranger.address, data: "0x", value: parseEther("0.75").toString() },
      ],
    });

  /** Each case changes a valid request, and states the error code and field in the response. */
  const refused: Record<string, [change: Record<string, unknown>, errorCode: string, field: string]> = {
    "an amount that is not the sum of the values": [{ amount: "5" }, "INVALID_EXTRA_TXS", "amount"],
    "a malformed user": [{ user: "0x1234" }, "INVALID_ADDRESS", "user"],
    "a user with a wrong checksum": [{ user: "0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266" }, "INVALID_ADDRESS", "user"],
    "a malformed recipient": [{ recipient: "no address" }, "INVALID_ADDRESS", "recipient"],
    "a malformed refund address": [{ refundTo: "0x" }, "INVALID_ADDRESS", "refundTo"],
    "a malformed call target": [
      { txs: [{ to: "router", data: "0x", value: parseEther("1").toString() }] },
      "INVALID_EXTRA_TXS",
      "txs[0].to",
    ],
    "call data of half a byte": [
      { txs: [{ to: zeroAddress, data: "0x123", value: parseEther("1").toString() }] },
      "INVALID_EXTRA_TXS",
      "txs[0].data",
    ],
    "an unknown origin chain": [{ originChainId: 5 }, "UNSUPPORTED_CHAIN", "originChainId"],
    "an unknown destination chain": [{ destinationChainId: 5 }, "UNSUPPORTED_CHAIN", "destinationChainId"],
    "an unsupported origin currency": [
      { originCurrency: "0x00000000000000000000000000000000000000aa" },
      "INVALID_INPUT_CURRENCY",
      "originCurrency",
    ],
    "an unsupported destination currency": [
      { destinationCurrency: "0x00000000000000000000000000000000000000aa", txs: [] },
      "INVALID_OUTPUT_CURRENCY",
      "destinationCurrency",
    ],
    "an amount of zero": [{ amount: "0" }, "AMOUNT_TOO_LOW", "amount"],
    "an amount below the fees": [
      { amount: "1000", tradeType: "EXACT_INPUT", txs: undefined },
      "AMOUNT_TOO_LOW",
      "amount",
    ],
    "an amount with a sign": [{ amount: "-1" }, "INVALID_REQUEST", "amount"],
    "an amount as an inexact number": [{ amount: 2 ** 53 }, "INVALID_REQUEST", "amount"],
    "an amount above the largest number": [{ amount: 1e308 }, "INVALID_REQUEST", "amount"],
    "a missing amount": [{ amount: undefined }, "INVALID_REQUEST", "amount"],
    "a missing user": [{ user: undefined }, "INVALID_REQUEST", "user"],
    "a missing currency": [{ originCurrency: undefined }, "INVALID_REQUEST", "originCurrency"],
    "a call value that is null": [
      { txs: [{ to: zeroAddress, data: "0x", value: null }] },
      "INVALID_REQUEST",
      "txs[0].value",
    ],
    "an array in place of a call": [{ txs: [[{ value: 1 }]] }, "INVALID_REQUEST", "txs[0]"],
    "an unknown trade type": [{ tradeType: "MARKET" }, "INVALID_REQUEST", "tradeType"],
    "calls with EXPECTED_OUTPUT": [{ tradeType: "EXPECTED_OUTPUT" }, "EXTRA_TXS_NOT_SUPPORTED", "tradeType"],
    "values above the EXACT_INPUT output": [
      { tradeType: "EXACT_INPUT", amount: parseEther("1").toString() },
      "INVALID_EXTRA_TXS",
      "txs",
    ],
    "text with a NUL character": [{ referrer: "a\0b" }, "INVALID_REQUEST", "referrer"],
    "text with half of a surrogate pair": [{ referrer: "\ud800" }, "INVALID_REQUEST", "referrer"],
    "an app fee with a malformed recipient": [
      { appFees: [{ recipient: "me", fee: "1" }] },
      "INVALID_ADDRESS",
      "appFees[0].recipient",
    ],
    "a slippage above 100%": [{ slippageTolerance: "10001" }, "INVALID_SLIPPAGE_TOLERANCE", "slippageTolerance"],
    "sponsorship without a key that is enabled for it": [{ subsidizeFees: true }, "FORBIDDEN", "subsidizeFees"],
  };

  for (const [name, [change, errorCode, field]] of Object.entries(refused)) {
    it(`rejects ${name}, reports the field, and stores nothing`, async () => {
      const { status, body } = await post(network, "/quote/v2", { ...good(), ...change });
      expect(status).to.equal(errorCode === "FORBIDDEN" ? 403 : 400);
      expect(body).to.have.all.keys("message", "errorCode", "errorData", "field", "hint");
      expect(body).to.include({ errorCode });
      expect(body).to.have.property("field", field);
      expect((body as { message: string }).message).to.include(field);
      expect((await listRequests(network)).requests).to.deep.equal([]);
    });
  }

  it("rejects a token contract as the recipient", async () => {
    const recipient = destination.contracts.tether;
    const { status, body } = await post(network, "/quote/v2", { ...good(), recipient });
    expect(status).to.equal(400);
    expect(body).to.include({ errorCode: "INVALID_RECIPIENT", field: "recipient" });
  });

  it("does not accept empty text as a number or a flag", async () => {
    const headers = { "x-api-key": network.apiKey };
    for (const field of ["chainId", "limit", "includeTotal", "fillTimeMin"]) {
      const { status, body } = await get(network, `/requests/v3?${field}=`, headers);
      expect(status).to.equal(400);
      expect(body).to.include({ errorCode: "INVALID_REQUEST", field });
      expect((body as { message: string }).message).to.include(`malformed at ${field}`);
    }
    expect((await get(network, "/chains?includeChains=")).status).to.equal(200);
  });

  it("rejects a body that is not JSON", async () => {
    const { status, body } = await post(network, "/quote/v2", "{");
    expect([status, (body as { errorCode: string }).errorCode]).to.deep.equal([400, "INVALID_REQUEST"]);
  });

  it("rejects an oversized body", async () => {
    const { status, body } = await post(network, "/quote/v2", { ...good(), referrer: "x".repeat(2_000_000) });
    expect([status, (body as { errorCode: string }).errorCode]).to.deep.equal([413, "INVALID_REQUEST"]);
  });

  it("rejects unknown request ids", async () => {
    const id = `0x${"1".repeat(64)}`;
    for (const path of [`/intents/status/v3?requestId=${id}`, `/requests/${id}/signature`, "/nothing/here"]) {
      const { status, body } = await get(network, path);
      expect([path, status]).to.deep.equal([path, 404]);
      expect(body).to.have.all.keys("message");
    }
  });

  it("rejects a signature request for an invalid id", async () => {
    for (const id of ["1", "0x12", `0x${"g".repeat(64)}`]) {
      const { status, body } = await get(network, `/requests/${id}/signature`);
      expect([status, (body as { code: string }).code]).to.deep.equal([400, "INVALID_REQUEST"]);
      expect(body).to.have.all.keys("message", "code");
    }
  });

  it("rejects an invalid listing query, and reports the parameter", async () => {
    const filters = (value: unknown): string => `filters=${encodeURIComponent(JSON.stringify(value))}`;
    for (const [query, field] of [
      ["limit=0", "limit"],
      ["limit=51", "limit"],
      ["limit=many", "limit"],
      ["status=waiting", "status"],
      ["status=success&status=refund", "status"],
      ["failReason=N/A", "failReason"],
      ["refundFailReason=SLIPPAGE", "refundFailReason"],
      ["requestType=Loan", "requestType"],
      ["continuation=abc", "continuation"],
      ["user=%00", "user"],
      ["user=", "user"],
      ["id=%00", "id"],
      ["hash=0x12", "hash"],
      ["statsu=success", "statsu"],
      ["originChainId=1e400", "originChainId"],
      ["startBlock=1e300", "startBlock"],
      ["endTimestamp=253402300799", "endTimestamp"],
      ["amountUsdMin=-1", "amountUsdMin"],
      ["amountUsdMax=1e3", "amountUsdMax"],
      ["fillTimeMin=-1", "fillTimeMin"],
      ["features=app_fees,flying", "features"],
      ["includeTotal=perhaps", "includeTotal"],
      ["sortBy=user", "sortBy"],
      ["sortDirection=up", "sortDirection"],
      ["referrer=app", "apiKey"],
      ["referrer=&apiKey=crosscall-local", "referrer"],
      ["status=submitted", "status"],
      [filters([{ referrer: "app" }]), "apiKey"],
      [filters([{ "not:referrer": "app" }]), "apiKey"],
      ["filters=%7B", "filters"],
      [filters({ status: "success" }), "filters"],
      [filters([]), "filters"],
      [filters([{}]), "filters[0]"],
      [filters([{ status: "success" }, 5]), "filters[1]"],
      [filters([{ status: "waiting" }]), "filters[0].status"],
      [filters([{ "not:status": "waiting" }]), "filters[0].not:status"],
      [filters([{ status: [] }]), "filters[0].status"],
      [filters([{ status: { is: "success" } }]), "filters[0].status"],
      [filters([{ failReason: [null, "SLIPPAGE"] }]), "filters[0].failReason"],
      [filters([{ user: 5 }]), "filters[0].user"],
      [filters([{ user: "a\0b" }]), "filters[0].user"],
      [filters([{ user: "\ud800" }]), "filters[0].user"],
      [filters([{ originChainId: 1.5 }]), "filters[0].originChainId"],
      [filters([{ term: "0x12" }]), "filters[0].term"],
      [filters([{ features: "app_fees" }]), "filters[0].features"],
      [filters([{ amountUsdMin: "1" }]), "filters[0].amountUsdMin"],
      [filters([{ startTimestamp: 1 }]), "filters[0].startTimestamp"],
      [filters([{ "not:not:user": "a" }]), "filters[0].not:not:user"],
      ['filters=[{"__proto__":"a"}]', "filters[0].__proto__"],
      [filters([{ constructor: "a" }]), "filters[0].constructor"],
    ] as const) {
      const { status, body } = await get(network, `/requests/v3?${query}`, { "x-api-key": network.apiKey });
      expect([query, status]).to.deep.equal([query, 400]);
      expect([query, (body as { field: string }).field]).to.deep.equal([query, field]);
    }
  });

  it("rejects an invalid query of other lists, and reports the parameter", async () => {
    for (const [path, field] of [
      ["/requests?sortBy=user", "sortBy"],
      ["/requests?startBlock=first", "startBlock"],
      ["/requests?chainId=1e300", "chainId"],
      ["/requests?originChainId=1e300", "originChainId"],
      ["/transactions/status?hash=0x12&chainId=1e300", "chainId"],
    ] as const) {
      const { status, body } = await get(network, path);
      expect([path, status, (body as { field: string }).field]).to.deep.equal([path, 400, field]);
    }
  });

  it("rejects a listing query with too many groups that cannot be merged", async () => {
    const groups = Array.from({ length: 51 }, (_, index) => ({ user: `0x${index}`, originChainId: index }));
    const filters = encodeURIComponent(JSON.stringify(groups));
    const { status, body } = await get(network, `/requests/v3?filters=${filters}`, { "x-api-key": network.apiKey });
    expect(status).to.equal(400);
    expect(body).to.have.property("errorCode", "QUERY_TOO_EXPENSIVE");
  });

  it("rejects a filter by another integrator's key", async () => {
    const filters = encodeURIComponent(JSON.stringify([{ apiKey: "another" }]));
    for (const query of ["apiKey=another", `apiKey=${network.apiKey},another`, `filters=${filters}`]) {
      const { status, body } = await get(network, `/requests/v3?${query}`, { "x-api-key": network.apiKey });
      expect([query, status]).to.deep.equal([query, 403]);
      expect(JSON.stringify(body)).to.not.include("another");
    }
  });

  it("does not include the query of an unknown or malformed path in the error", async () => {
    for (const [path, status] of [
      ["/nowhere", 404],
      ["/nowhere/%zz", 400],
    ] as const) {
      const response = await get(network, `${path}?apiKey=secret-key&user=0x1`);
      expect(response).to.include({ status });
      expect(JSON.stringify(response.body)).to.not.include("secret-key");
      expect(JSON.stringify(response.body)).to.include("/nowhere");
    }
  });
});
