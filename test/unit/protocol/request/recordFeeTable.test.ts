import { expect } from "chai";

import { parseData } from "../../../../packages/protocol/src/schema/parse.ts";
import { recordFeeTable } from "../../../../packages/protocol/src/request/recordFeeTable.ts";
import { type RequestRecord, RequestRecordSchema } from "../../../../packages/protocol/src/request/requestRecord.ts";
import { malformed } from "../everyField.ts";
import { requestRecord } from "../fixtures.ts";

const CENT = 10n ** 16n;
const record = parseData(RequestRecordSchema, requestRecord, "it");
const fees = record.data.fees!;
const route = record.data.route!;
const withData = (changes: Partial<RequestRecord["data"]>): RequestRecord => ({
  ...record,
  data: { ...record.data, ...changes },
});
const quotedSwap = (swap: { usd?: string; amount: string }): RequestRecord =>
  withData({ fees: { ...fees, quoted: { ...fees.quoted, swap: { amountFormatted: "", ...swap } } } });

describe("recordFeeTable", () => {
  it("lists one phase, and reports sponsorship totals that deviate", () => {
    const table = recordFeeTable(record, "actual");
    expect(table).to.deep.equal({
      lines: [
        { group: "provider", component: "platform", usdE18: 2n * CENT },
        { group: "app", component: "app", usdE18: 2n * CENT },
        { group: "swapImpact", component: "swap", usdE18: 2n * CENT },
        { group: "swapImpact", component: "execution", usdE18: 2n * CENT },
      ],
      groups: { provider: 2n * CENT, app: 2n * CENT, swapImpact: 4n * CENT, passThrough: 0n },
      totalUsdE18: 8n * CENT,
      sponsorPaysUsdE18: 2n * CENT,
      userPaysUsdE18: 6n * CENT,
      originGasUsdE18: undefined,
      arrivesAtLeast: { currency: fees.currency, amount: 1_000_000n },
      mismatches: [
        {
          field: "data.feeSponsorship.actual.sponsoredTotal.amountUsd",
          statedUsdE18: 100n * CENT,
          summedUsdE18: 2n * CENT,
          differenceUsdE18: 98n * CENT,
        },
        {
          field: "data.feeSponsorship.actual.userPaysTotal.amountUsd",
          statedUsdE18: 100n * CENT,
          summedUsdE18: 6n * CENT,
          differenceUsdE18: 94n * CENT,
        },
      ],
    });
  });

  it("includes the minimum of a quoted phase, but no output of an unfilled request", () => {
    expect(recordFeeTable(record, "quoted")?.arrivesAtLeast?.amount).to.equal(990_000n);
    expect(recordFeeTable(withData({ outTxs: [] }), "actual")?.arrivesAtLeast).to.equal(undefined);
    expect(recordFeeTable(withData({ route: null }), "quoted")?.arrivesAtLeast).to.equal(undefined);
  });

  it("reads the origin side of a same-chain swap", () => {
    const amount = { ...route.quoted.origin.outputCurrency, minimumAmount: "5" };
    const origin = { ...route.quoted.origin, outputCurrency: amount };
    const sameChain = withData({ route: { ...route, quoted: { origin, destination: null } } });
    expect(recordFeeTable(sameChain, "quoted")?.arrivesAtLeast?.amount).to.equal(5n);
  });

  it("prices a quoted component without a USD value at the route's price for its currency", () => {
    // The route prices a whole unit (1,000,000 of the smallest) at 1 dollar.
    const swap = (record: RequestRecord) => recordFeeTable(record, "quoted")?.groups.swapImpact;
    expect(swap(quotedSwap({ amount: "30000" }))).to.equal(5n * CENT);
    expect(swap(quotedSwap({ amount: "0" }))).to.equal(2n * CENT);
  });

  it("derives no price from an amount of zero", () => {
    const nothing = { ...route.quoted.origin.inputCurrency, amount: "-0" };
    const origin = { ...route.quoted.origin, inputCurrency: nothing };
    const unpriced = quotedSwap({ amount: "30000" });
    const { data } = unpriced;
    const table = recordFeeTable(
      { data: { ...data, route: { ...route, quoted: { ...route.quoted, origin } } } },
      "quoted",
    );
    expect(table?.groups.swapImpact).to.equal(5n * CENT);
  });

  it("reports a component without a price, and an invalid number", () => {
    const unpriced = quotedSwap({ amount: "1" });
    const at = (record: RequestRecord): string => malformed(() => recordFeeTable(record, "quoted")).path;
    expect(at({ ...unpriced, data: { ...unpriced.data, route: null } })).to.equal("data.fees.quoted.swap.usd");
    expect(at(quotedSwap({ usd: "?", amount: "1" }))).to.equal("data.fees.quoted.swap.usd");
    expect(at(quotedSwap({ amount: "?" }))).to.equal("data.fees.quoted.swap.amount");
  });

  it("returns no table if the fees are missing", () => {
    expect(recordFeeTable(withData({ fees: null }), "quoted")).to.equal(undefined);
    expect(recordFeeTable(withData({ fees: { ...fees, actual: null } }), "actual")).to.equal(undefined);
  });

  it("compares no totals without a sponsorship", () => {
    expect(recordFeeTable(withData({ feeSponsorship: null }), "quoted")?.mismatches).to.deep.equal([]);
  });
});
