import { expect } from "chai";
import { zeroAddress } from "viem";

import type { Quote } from "../../packages/protocol/src/complete.ts";
import { getQuote } from "../support/complete.ts";
import { createServiceClient, executeSteps, watchRequest } from "../../packages/sdk/src/index.ts";
import { quoteFeeTable, type QuoteRequest, recordFeeTable } from "../../packages/protocol/src/index.ts";
import { dollarsOf, userWallet } from "./support/parties.ts";
import { get, post, recordOf } from "./support/serviceCalls.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { etherRequest } from "./support/requests.ts";

const USD_E18 = 10n ** 18n;

describe("sponsored fees", () => {
  const network = useNetwork({ apiKeys: ["sponsor", "guest"], sponsoringApiKeys: ["sponsor"], sponsorBalanceUsd: 100 });
  const [origin, destination] = chainsOf(network);

  const client = () => createServiceClient({ baseUrl: network.url, apiKey: "sponsor", quoteVersion: 2 });
  const request = (): QuoteRequest =>
    etherRequest(network, { appFees: [{ recipient: network.accounts.stranger.address, fee: "10" }] });
  const admin = () => ({ "x-admin-key": network.adminKey });
  const setBalance = (balance: bigint) =>
    post(network, "/admin/sponsors", { apiKey: "sponsor", balance: balance.toString() }, admin());
  async function balance(): Promise<bigint> {
    const { body } = await get(network, "/admin/sponsors?apiKey=sponsor", admin());
    return BigInt((body as { balance: string }).balance);
  }
  const execute = (quote: Quote) =>
    executeSteps(client(), { quote, wallet: userWallet(network, origin), pollIntervalMs: 25 });

  it("are rejected, naming the field, without a key that is enabled for them", async () => {
    for (const [headers, fields, field] of [
      [{}, { subsidizeFees: true }, "subsidizeFees"],
      [{ "x-api-key": "guest" }, { subsidizeFees: true }, "subsidizeFees"],
      [{ "x-api-key": "guest" }, { sponsoredFeeComponents: ["relay"] }, "sponsoredFeeComponents"],
    ] as const) {
      const { status, body } = await post(network, "/quote/v2", { ...request(), ...fields }, { ...headers });
      expect(status).to.equal(403);
      expect(body).to.have.property("errorCode", "FORBIDDEN");
      expect(body).to.have.property("field", field);
    }
  });

  it("do not reduce the output, and are charged to the sponsor at the fill's actual cost", async () => {
    const before = await balance();
    const quote = await getQuote(client(), { ...request(), subsidizeFees: true });
    expect(quote.details.currencyOut.amount).to.equal("2500000000");
    const table = quoteFeeTable(quote);
    const { sponsored } = quote.details.expandedPriceImpact;
    expect(quote.details.totalImpact.usd).to.equal(`-${sponsored?.usd}`);
    expect(table.userPaysUsdE18).to.equal(0n);
    expect(table.mismatches).to.deep.equal([]);
    expect(quote.fees.subsidized?.amountUsd).to.equal(quote.details.expandedPriceImpact.sponsored?.usd);

    const held = await dollarsOf(destination, network.accounts.user.address);
    const { requestId } = await execute(quote);
    expect((await dollarsOf(destination, network.accounts.user.address)) - held).to.equal(2_500_000_000n);

    const record = await recordOf(network, requestId);
    const { quoted, actual } = record.data.feeSponsorship ?? expect.fail("no sponsorship");
    expect(quoted.selectedComponents).to.deep.equal(["execution", "swap", "platform", "app"]);
    expect(quoted.userPaysTotal.amountUsd).to.equal("0.000000");
    expect([quoted.capHit, quoted.maxSubsidizationAmount]).to.deep.equal([false, null]);
    expect(quoted).to.not.have.property("sponsorPayment");
    expect(actual?.sponsorPayment).to.deep.equal({
      amount: actual?.sponsoredTotal.amount,
      address: zeroAddress,
      chainId: origin.id,
    });
    const paid = recordFeeTable(record, "actual");
    expect(paid?.userPaysUsdE18).to.equal(0n);
    expect(paid?.mismatches).to.deep.equal([]);
    // The balance is in micro-units, rounded down.
    const spent = (before - (await balance())) * 10n ** 12n;
    expect(spent >= (paid?.sponsorPaysUsdE18 ?? 0n)).to.equal(true);
    expect(spent - (paid?.sponsorPaysUsdE18 ?? 0n) <= 2n * 10n ** 12n).to.equal(true);
  });

  it("are limited by the cap, above which the user pays", async () => {
    const quote = await getQuote(client(), {
      ...request(),
      sponsoredFeeComponents: ["relay", "app"],
      maxSubsidizationAmount: "2000000",
    });
    // The fees of 2,500 dollars are 1.5 for the platform (6 bps) and 2.5 for the app (10 bps). The sponsor pays 2
    // dollars of them.
    expect(quote.details.expandedPriceImpact).to.deep.include({
      relay: { usd: "-1.500000" },
      app: { usd: "-2.500000" },
      sponsored: { usd: "2.000000" },
    });
    const { requestId } = await execute(quote);
    const { data } = await recordOf(network, requestId);
    const { quoted } = data.feeSponsorship ?? expect.fail("no sponsorship");
    expect([quoted.capHit, quoted.maxSubsidizationAmount]).to.deep.equal([true, "2000000"]);
    expect(quoted.components.platform.sponsored.amountUsd).to.equal("1.500000");
    expect(quoted.components.app.sponsored.amountUsd).to.equal("0.500000");
    expect(quoted.components.app.userPays.amountUsd).to.equal("2.000000");
    expect(quoted.components.execution).to.include({ selected: false });
    expect(data.fees?.quoted.sponsored?.usd).to.equal("2.000000");
  });

  it("fail the request with SPONSOR_BALANCE_TOO_LOW, without a debit, if the balance is too low when the request is filled", async () => {
    const quote = await getQuote(client(), { ...request(), subsidizeFees: true });
    await setBalance(1_000_000n);
    const failed = await execute(quote).catch((error: unknown) => error);
    expect(failed).to.include({ code: "REQUEST_NOT_FILLED" });
    const requestId = quote.steps[0]?.requestId ?? "";
    await watchRequest(client(), { requestId, pollIntervalMs: 25 }).catch(() => undefined);
    const record = await recordOf(network, requestId);
    expect([record.status, record.data.failReason]).to.deep.equal(["refund", "SPONSOR_BALANCE_TOO_LOW"]);
    expect(record.data.feeSponsorship?.actual).to.equal(null);
    expect(await balance()).to.equal(1_000_000n);
    await setBalance((100n * USD_E18) / 10n ** 12n);
  });

  it("can be enabled for a key only by an admin", async () => {
    const body = { apiKey: "guest", balance: "5000000" };
    expect((await post(network, "/admin/sponsors", body)).status).to.equal(401);
    expect((await post(network, "/admin/sponsors", body, admin())).status).to.equal(200);
    const fields = { ...request(), subsidizeFees: true };
    expect((await post(network, "/quote/v2", fields, { "x-api-key": "guest" })).status).to.equal(200);
  });
});
