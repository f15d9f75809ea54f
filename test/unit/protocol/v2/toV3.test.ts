import { expect } from "chai";
import fc from "fast-check";

import { RequestRecordSchema } from "../../../../packages/protocol/src/request/requestRecord.ts";
import { parseData } from "../../../../packages/protocol/src/schema/parse.ts";
import { readResponse } from "../../../../packages/protocol/src/schema/readResponse.ts";
import { listLeaves } from "../../../../packages/protocol/src/v2/jsonTree.ts";
import { type RequestRecordV2, RequestRecordV2Schema } from "../../../../packages/protocol/src/v2/requestRecordV2.ts";
import { toV3 } from "../../../../packages/protocol/src/v2/toV3.ts";
import { inputs } from "../../../support/inputs.ts";
import { malformed } from "../everyField.ts";
import { transaction, USDC, USER } from "../fixtures.ts";
import { arbitraryOf } from "../matching.ts";
import { crossed, deposited, ether, inUsdc, quotedOut, received, recordV2, usdc } from "./fixtures.ts";

const { record, lost, assumed, missing, unknown } = toV3(recordV2);
const data = record.data ?? {};
const [firstIn, firstOut] = [recordV2.data.inTxs[0]!, recordV2.data.outTxs[0]!];

function pathsOf(entries: readonly { path: string }[]): string[] {
  return entries.map(({ path }) => path);
}

/** Returns a record with only an id and these fields of `data`. */
function withData(fields: Record<string, unknown>): RequestRecordV2 {
  return { id: "1", data: fields };
}

describe("toV3 maps, for a complete record,", () => {
  it("the root, with nested values, and null for values that v2 lacks", () => {
    const { data: _data, ...root } = record;
    expect(root).to.deep.equal({
      id: recordV2.id,
      status: "success",
      user: USER,
      sender: USER,
      recipient: USER,
      refundTo: null,
      depositAddress: {
        address: USER,
        type: "strict",
        depositor: USER,
        depositTxHash: recordV2.id,
        recoveryAddress: null,
      },
      requestType: null,
      supersededByRequestId: null,
      features: ["fast_fill", "gas_top_up", "app_fees", "deposit_address"],
      createdAt: recordV2.createdAt,
      updatedAt: recordV2.updatedAt,
    });
  });

  it("the price impact to fees by component, and relay to platform", () => {
    expect(data.fees).to.deep.equal({
      quoted: {
        swap: { usd: "-0.01" },
        execution: { usd: "-0.02" },
        platform: { usd: "-0.03" },
        app: { usd: "-0.04" },
        sponsored: { usd: "-0.05" },
      },
      actual: {
        swap: { usd: "0.01" },
        execution: { usd: "0.02" },
        platform: { usd: "0.03" },
        app: { usd: "0.04" },
        sponsored: { usd: "0.05" },
      },
      currency: usdc,
    });
  });

  it("app fees, quoted and paid, with the amount in whole units", () => {
    expect(data.appFees).to.deep.equal({
      quoted: [{ ...recordV2.data.appFees[0], amountFormatted: "1.5" }],
      actual: [{ ...recordV2.data.paidAppFees[0], amountFormatted: "1.4" }],
      currency: usdc,
    });
  });

  it("the sponsorship, with its currency once, and rent as in the live service", () => {
    const component = (amount: string) => ({
      selected: true,
      total: inUsdc(amount),
      sponsored: inUsdc(amount),
      userPays: inUsdc("0"),
    });
    const phase = {
      selectedComponents: ["execution", "platform", "rent"],
      maxSubsidizationAmount: "1000000",
      capHit: false,
      components: {
        execution: component("11"),
        swap: component("12"),
        platform: component("13"),
        app: component("14"),
        rent: { ...component("15"), userPays: { currency: ether, ...inUsdc("16") } },
      },
      sponsoredTotal: inUsdc("50"),
      userPaysTotal: inUsdc("0"),
    };
    expect(data.feeSponsorship).to.deep.equal({
      quoted: phase,
      actual: {
        ...phase,
        sponsoredTotal: { ...inUsdc("50"), amountUsdCurrent: "49.9" },
        sponsorPayment: { amount: "51", address: USDC, chainId: 8453 },
      },
      currency: usdc,
    });
  });

  it("the amounts, the rate and the route", () => {
    const origin = { inputCurrency: deposited, outputCurrency: deposited, router: "relay" };
    expect(data.route).to.deep.equal({
      includedSwapSources: ["a", "b"],
      includedOriginSwapSources: ["a"],
      includedDestinationSwapSources: ["b"],
      quoted: { origin, destination: { inputCurrency: crossed, outputCurrency: quotedOut, router: "relay" } },
      actual: {
        rate: "0.0004",
        origin,
        destination: { inputCurrency: crossed, outputCurrency: received, router: "relay" },
      },
    });
  });

  it("hashes, reasons, referrer and partner, and leaves the rest unchanged", () => {
    const { fees: _fees, appFees: _appFees, feeSponsorship: _sponsorship, route: _route, ...others } = data;
    expect(others).to.deep.equal({
      slippageTolerance: "50",
      failReason: null,
      refundFailReason: null,
      usesExternalLiquidity: false,
      timeEstimate: 2,
      triggeredByFastFill: true,
      inTxs: [{ txHash: firstIn.hash, ...transaction }],
      outTxs: [{ txHash: firstOut.hash, ...transaction, chainId: 10 }],
      referrer: "crosscall",
      externalMetadata: { moonpayId: "partner-7" },
    });
  });

  it("and lists values without a place in v3, by path", () => {
    const groups = new Map<string, number>();
    for (const { path } of lost) {
      const group = path.replace(/(currencyGasTopup)\..*$/u, "$1");
      groups.set(group, (groups.get(group) ?? 0) + 1);
    }
    expect([...groups]).to.deep.equal([
      ...["gas", "fixed", "price", "gateway"].map((name) => [`data.fees.${name}`, 1]),
      ...["gas", "fixed", "price", "gateway"].map((name) => [`data.feesUsd.${name}`, 1]),
      ["data.metadata.currencyGasTopup", 11],
    ]);
    expect(lost[0]).to.deep.include({ path: "data.fees.gas", value: "1001" });
  });

  it("and lists its assumptions, and the values that v3 still needs", () => {
    expect(pathsOf(assumed)).to.deep.equal([
      "data.fees.quoted",
      "data.fees.actual",
      "data.appFees.quoted",
      "data.appFees.actual",
      "data.feeSponsorship.actual",
      "data.route.actual",
      "data.route.includedSwapSources",
      "features",
      "refundTo",
      "depositAddress.recoveryAddress",
      "requestType",
    ]);
    const components = ["swap", "execution", "platform", "app", "sponsored"];
    expect(missing).to.deep.equal(
      ["quoted", "actual"].flatMap((phase) =>
        components.flatMap((name) =>
          ["amount", "amountFormatted"].map((field) => `data.fees.${phase}.${name}.${field}`),
        ),
      ),
    );
    expect(pathsOf(unknown)).to.deep.equal(
      ["quoted", "actual"].map((phase) => `data.feeSponsorship.${phase}.selectedComponents[2]`),
    );
  });

  it("with unknown fees to a v3 record", () => {
    const { expandedPriceImpact: _impact, feeCurrencyObject: _currency, ...rest } = recordV2.data;
    const migrated = toV3({ ...recordV2, data: rest });
    expect([migrated.missing, migrated.unknown]).to.deep.equal([[], unknown]);
    expect(parseData(RequestRecordSchema, migrated.record, "it").data.fees).to.equal(null);
  });
});

describe("toV3", () => {
  it("maps delayed to submitted if a fill was sent, and otherwise to depositing", () => {
    for (const [outTxs, status] of [
      [[], "depositing"],
      [[{ hash: "0x01" }], "submitted"],
    ] as const) {
      const migrated = toV3({ id: "1", status: "delayed", data: { outTxs: [...outTxs] } });
      expect(migrated.record.status).to.equal(status);
      expect(pathsOf(migrated.lost)).to.deep.equal(["status"]);
      expect(pathsOf(migrated.assumed)).to.include("status");
    }
  });

  it("keeps values that v3 does not list, and reports them", () => {
    const migrated = toV3({ id: "1", status: "paused", data: { failReason: "MOON_PHASE" } });
    expect([migrated.record.status, migrated.record.data?.failReason]).to.deep.equal(["paused", "MOON_PHASE"]);
    expect(pathsOf(migrated.unknown)).to.deep.equal(["status", "data.failReason"]);
    expect(migrated.lost).to.deep.equal([]);
  });

  it("keeps unknown fields", () => {
    const migrated = toV3({ ...withData({ metadata: { note: 1 }, fresh: { deep: [1] } }), rootNote: 2 } as never);
    expect(migrated.record).to.deep.include({ rootNote: 2 });
    expect(migrated.record.data).to.deep.include({ metadata: { note: 1 }, fresh: { deep: [1] } });
  });

  it("keeps the first of two values that map to one place, and lists the other", () => {
    const migrated = toV3({ id: "1", recipient: "0x1", data: { metadata: { recipient: "0x2" } } });
    expect(migrated.record.recipient).to.equal("0x1");
    expect(migrated.lost).to.deep.equal([
      { path: "data.metadata.recipient", value: "0x2", reason: "v3 has a different value at recipient" },
    ]);
  });

  it("puts the output of a same-chain swap on the origin side", () => {
    const { record: swap, lost: none } = toV3(
      withData({ metadata: { currencyIn: deposited, currencyOut: { ...received, currency: usdc } }, price: "9" }),
    );
    expect(swap.data?.route?.actual).to.deep.equal({
      origin: { inputCurrency: deposited, outputCurrency: { ...received, currency: usdc } },
    });
    expect(pathsOf(none)).to.deep.equal(["data.price"]);
  });

  it("uses the price as the quoted output if the record has no route", () => {
    const metadata = { currencyIn: deposited, currencyOut: received };
    const { record: bridge } = toV3(withData({ metadata, price: "401" }));
    expect(bridge.data?.route?.actual?.destination).to.deep.equal({
      inputCurrency: { amount: "401" },
      outputCurrency: received,
    });
    const { lost: odd } = toV3(withData({ metadata, price: "4.01" }));
    expect(pathsOf(odd)).to.deep.equal(["data.price"]);
  });

  it("derives the sponsorship from the subsidized fee if no other source exists", () => {
    const { subsidizedFee } = recordV2.data;
    const { record: sponsored } = toV3(withData({ subsidizedRequest: true, subsidizedFee }));
    expect(sponsored.data?.feeSponsorship).to.deep.equal({
      actual: {
        sponsorPayment: { amount: "51", address: USDC, chainId: 8453 },
        sponsoredTotal: { amountUsd: "50", amountUsdCurrent: "49.9", amount: "50" },
      },
      currency: { address: USDC, chainId: 8453 },
    });
  });

  it("has no sponsor payment before the fill, and none of zero", () => {
    const { feeSponsorship, subsidizedFee } = recordV2.data;
    const sponsorshipOf = (fields: Record<string, unknown>) => toV3(withData(fields)).record.data?.feeSponsorship;
    const paid = { amount: "50", address: USDC, chainId: 8453 };
    const quoted = { quoted: feeSponsorship.quoted, actual: null };
    const unfilled = { feeSponsorship: quoted, subsidizedFee: { ...subsidizedFee, sponsor: paid } };
    expect(sponsorshipOf(unfilled)?.actual).to.equal(null);
    expect(toV3(withData(unfilled)).lost.filter(({ path }) => path.startsWith("data.subsidizedFee"))).to.deep.equal([]);
    const none = { amount: "0", address: USDC, chainId: 8453 };
    expect(sponsorshipOf({ subsidizedFee: { origin: none, sponsor: none, amountUsd: "0" } })).to.deep.equal({
      actual: { sponsoredTotal: { amountUsd: "0", amount: "0" } },
      currency: { address: USDC, chainId: 8453 },
    });
  });

  it("keeps the oracle price, with the currencies and amounts of the route", () => {
    const { chainId, address, decimals } = usdc;
    const side = { chainId, address, currencyId: "usdc", decimals };
    const quoteOraclePrice = {
      rate: "2",
      inputAmount: "1000000",
      outputAmount: "1500000",
      observedAt: "2026",
      from: side,
      to: side,
    };
    const { record: priced, lost: none } = toV3(withData({ metadata: { currencyIn: deposited, quoteOraclePrice } }));
    expect(priced.data?.quoteOraclePrice).to.deep.equal({
      rate: "2",
      observedAt: "2026",
      inputCurrency: deposited,
      outputCurrency: { currency: usdc, amount: "1500000", amountFormatted: "1.5" },
    });
    expect([Reflect.get(priced.data ?? {}, "metadata"), none]).to.deep.equal([undefined, []]);
    expect(toV3(withData({ metadata: { quoteOraclePrice: null } })).record.data?.quoteOraclePrice).to.equal(null);
    const alone = toV3(withData({ metadata: { quoteOraclePrice } }));
    expect(alone.record.data?.quoteOraclePrice?.inputCurrency).to.deep.equal({
      currency: { chainId, address, decimals },
      amount: "1000000",
      amountFormatted: "1",
    });
    expect(pathsOf(alone.lost)).to.deep.equal(
      ["from", "to"].map((name) => `data.metadata.quoteOraclePrice.${name}.currencyId`),
    );
  });

  it("lists subsidizedRequest as lost only if the sponsorship differs", () => {
    expect(toV3(withData({ subsidizedRequest: false })).lost).to.deep.equal([]);
    expect(pathsOf(toV3(withData({ subsidizedRequest: true })).lost)).to.deep.equal(["data.subsidizedRequest"]);
  });

  it("lists a currency as lost only if no amount contains it", () => {
    const metadata = { currencyIn: deposited };
    expect(toV3(withData({ metadata, currencyObject: { ...usdc }, currency: "USDC" })).lost).to.deep.equal([]);
    const other = toV3(withData({ metadata, currencyObject: { symbol: ether.symbol } })).lost;
    expect(pathsOf(other)).to.deep.equal(["data.currencyObject.symbol"]);
  });

  it("keeps an amount's currency if it differs from the group's currency", () => {
    const phase = { sponsoredTotal: { currency: usdc, amount: "1" }, userPaysTotal: { currency: ether, amount: "2" } };
    expect(toV3(withData({ feeSponsorship: { quoted: phase } })).record.data?.feeSponsorship).to.deep.equal({
      quoted: { sponsoredTotal: { amount: "1" }, userPaysTotal: { currency: ether, amount: "2" } },
      currency: usdc,
    });
  });

  it("drops null if v3 does not allow it, and keeps endlessly nested values", () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 20_000; depth += 1) nested = [nested];
    const migrated = toV3(withData({ inTxs: [{ hash: null, block: 5, data: nested }], usesExternalLiquidity: null }));
    const { data: kept, ...inTx } = migrated.record.data?.inTxs?.[0] ?? {};
    expect(kept).to.equal(nested);
    expect(inTx).to.deep.equal({ block: 5 });
    expect(migrated.missing).to.include.members(["data.inTxs[0].txHash", "data.usesExternalLiquidity"]);
    expect(migrated.unknown).to.deep.equal([]);
  });
});

describe("the schema of v2 records", () => {
  it("rejects a record without an id, and values of a wrong type, by path", () => {
    const pathOf = (value: unknown): string => malformed(() => parseData(RequestRecordV2Schema, value, "it")).path;
    expect(pathOf({ status: "success" })).to.equal("id");
    expect(pathOf(withData({ inTxs: [{ hash: 5 }] }))).to.equal("data.inTxs[0].hash");
    expect(pathOf(withData({ inTxs: [{ timestamp: 1.5 }] }))).to.equal("data.inTxs[0].timestamp");
    expect(pathOf(withData({ metadata: { currencyIn: { amount: 1 } } }))).to.equal("data.metadata.currencyIn.amount");
  });
});

const records = arbitraryOf(RequestRecordV2Schema) as fc.Arbitrary<RequestRecordV2>;

/**
 * Returns whether a value has another form in v3: null, sponsorship amounts, or another name for the same
 * component.
 */
const SAID_OTHERWISE = (path: string, value: unknown): boolean =>
  (/^data\.(refundF|f)ailReason$/u.test(path) && value === "N/A") ||
  path === "data.subsidizedRequest" ||
  (/^data\.feeSponsorship\.\w+\.selectedComponents\[\d+\]$/u.test(path) && value === "relay");

describe("toV3, for any record that the schema accepts,", () => {
  it("never throws, does not modify the record, and puts every value in the result or in the list of lost values", () => {
    fc.assert(
      fc.property(records, (record) => {
        const before = JSON.stringify(record);
        expect(readResponse(RequestRecordV2Schema, record).unreadable).to.equal(undefined);
        const migrated = toV3(record);
        expect(JSON.stringify(record)).to.equal(before);
        const kept = new Set(listLeaves(migrated.record, []).map(({ value }) => value));
        const lost = new Map(migrated.lost.map(({ path, value }) => [path, value]));
        for (const { path, value } of leavesOf(record)) {
          if (lost.has(path)) expect([path, lost.get(path)]).to.deep.equal([path, value]);
          else if (!SAID_OTHERWISE(path, value))
            expect([path, value, kept.has(value)]).to.deep.equal([path, value, true]);
        }
      }),
      { numRuns: inputs(100) },
    );
  });

  it("lists missing and unknown values, and returns a v3 record if there are none", () => {
    fc.assert(
      fc.property(records, (source) => {
        const { record, missing, unknown } = toV3(source);
        expect(isV3(record)).to.equal(missing.length + unknown.length === 0);
      }),
      { numRuns: inputs(30) },
    );
  });
});

function isV3(record: unknown): boolean {
  try {
    parseData(RequestRecordSchema, record, "the record");
    return true;
  } catch {
    return false;
  }
}

/** Independent implementation of {@link listLeaves}, so that a bug in either becomes visible. */
function leavesOf(value: unknown, path = ""): { path: string; value: unknown }[] {
  if (value === null) return [];
  if (typeof value !== "object") return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (Array.isArray(value)) return leavesOf(inner, `${path}[${key}]`);
    const isName = /^[A-Za-z_$][\w$]*$/u.test(key);
    const dotted = path === "" ? key : `${path}.${key}`;
    return leavesOf(inner, isName ? dotted : `${path}[${JSON.stringify(key)}]`);
  });
}
