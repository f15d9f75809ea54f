import { expect } from "chai";
import fc from "fast-check";

import {
  decodeRequestFilters,
  encodeRequestFilters,
  type ReferrerFilterGroup,
  type RequestFilterGroup,
  type RequestFilters,
} from "../../../../packages/protocol/src/request/requestFilters.ts";
import {
  FAIL_REASONS,
  REFUND_FAIL_REASONS,
  REQUEST_TYPES,
  STATUS_FILTERS,
} from "../../../../packages/protocol/src/schema/values.ts";
import { refusal } from "../../../support/rejection.ts";
import { NATIVE, USER } from "../fixtures.ts";

const TEXT_FIELDS = [
  "id",
  "orderId",
  "depositTxHash",
  "fillTxHash",
  "refundTxHash",
  "user",
  "depositAddress",
  "recipient",
  "apiKey",
  "currencyInAddress",
  "currencyOutAddress",
  "currencyInSymbol",
  "currencyOutSymbol",
  "referrer",
];
const CHAIN_FIELDS = ["originChainId", "destinationChainId", "chainId", "currencyInChainId", "currencyOutChainId"];
const CHOICES: Record<string, readonly string[]> = {
  status: STATUS_FILTERS,
  failReason: FAIL_REASONS,
  refundFailReason: REFUND_FAIL_REASONS,
  requestType: REQUEST_TYPES,
};

/** Generates groups with any fields that the types allow. */
const filtersArbitrary = (): fc.Arbitrary<RequestFilters<ReferrerFilterGroup>> => {
  const valueOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 4 }), fc.constant(null));
  const fields = [
    ...TEXT_FIELDS.map((name) => [name, fc.string({ minLength: 1, unit: "binary" })] as const),
    ...CHAIN_FIELDS.map((name) => [name, fc.nat()] as const),
    ...Object.entries(CHOICES).map(([name, values]) => [name, fc.constantFrom(...values)] as const),
  ];
  const conditions = fields.flatMap<[string, fc.Arbitrary<unknown>]>(([name, value]) => [
    [name, valueOf(value)],
    [`not:${name}`, valueOf(value)],
  ]);
  const group = fc
    .record(Object.fromEntries(conditions), { requiredKeys: [], noNullPrototype: true })
    .filter((one) => Object.keys(one).length > 0);
  return fc
    .array(group, { minLength: 1, maxLength: 4 })
    .map((groups) => groups as unknown as RequestFilters<ReferrerFilterGroup>);
};

describe("request filters", () => {
  it("are encoded as a JSON array of groups, with not:, several values and null", () => {
    const filters: RequestFilters = [
      { status: ["success", "refund"], originChainId: 8453, "not:user": USER },
      { failReason: null, "not:refundFailReason": null, currencyInAddress: [NATIVE] },
    ];
    expect(encodeRequestFilters(filters)).to.equal(
      `[{"status":["success","refund"],"originChainId":8453,"not:user":"${USER}"},` +
        `{"failReason":null,"not:refundFailReason":null,"currencyInAddress":["${NATIVE}"]}]`,
    );
  });

  it("are decoded to the encoded value", () => {
    fc.assert(
      fc.property(filtersArbitrary(), (filters) => {
        expect(decodeRequestFilters(encodeRequestFilters(filters))).to.deep.equal(filters);
      }),
    );
  });

  it("omit undefined fields", () => {
    const group: RequestFilterGroup = JSON.parse('{"status":"success"}') as RequestFilterGroup;
    expect(encodeRequestFilters([{ ...group, user: undefined } as unknown as RequestFilterGroup])).to.equal(
      '[{"status":"success"}]',
    );
  });

  const refused: Record<string, [string, string]> = {
    "no JSON": ["[", "filters"],
    "no array": ["{}", "filters"],
    "no group": ["[]", "filters"],
    "a group without conditions": ['[{"user":"a"},{}]', "filters[1]"],
    "an invalid group": ["[5]", "filters[0]"],
    "no value in a list": ['[{"status":[]}]', "filters[0].status"],
    "null among values": ['[{"status":["success",null]}]', "filters[0].status"],
    "an unknown status": ['[{"status":"done"}]', "filters[0].status"],
    "a chain id as text": ['[{"not:chainId":"1"}]', 'filters[0]["not:chainId"]'],
    "an empty text": ['[{"user":""}]', "filters[0].user"],
  };
  for (const [name, [encoded, field]] of Object.entries(refused)) {
    it(`reject ${name}`, () => {
      const facts = refusal(() => decodeRequestFilters(encoded));
      expect(facts).to.deep.equal({ code: "INVALID_INPUT", field, value: '"[filters]"' });
    });
  }

  for (const name of ["amountUsdMin", "startTimestamp", "fillTimeMax", "features", "term", "limit", "not:features"]) {
    it(`reject ${name} in a group`, () => {
      const { code, field } = refusal(() => decodeRequestFilters(JSON.stringify([{ user: USER, [name]: "1" }])));
      const path = name.startsWith("not:") ? `["${name}"]` : `.${name}`;
      expect([code, field]).to.deep.equal(["INVALID_INPUT", `filters[0]${path}`]);
    });
  }

  it("do not expose an API key in an error", () => {
    expect(JSON.stringify(refusal(() => decodeRequestFilters('[{"apiKey":"secret","status":"x"}]')))).not.to.include(
      "secret",
    );
  });

  it("have the types that the service accepts", () => {
    const compiled: RequestFilters[] = [
      [{ user: USER }],
      [{ status: ["success"] }, { "not:status": null }],
      // @ts-expect-error a range requires filters
      [{ user: USER, amountUsdMin: "1" }],
      // @ts-expect-error features require filters
      [{ features: ["fast_fill"] }],
      // @ts-expect-error features cannot be negated
      [{ "not:features": ["fast_fill"] }],
      // @ts-expect-error a list of values cannot contain null
      [{ failReason: ["SLIPPAGE", null] }],
      // @ts-expect-error a list of values is not empty
      [{ user: [] }],
      // @ts-expect-error a list of groups is not empty
      [],
      // @ts-expect-error a chain id is a number
      [{ chainId: "1" }],
      // @ts-expect-error not a filterable status
      [{ status: "waiting" }],
      // @ts-expect-error a referrer requires apiKey among the filters
      [{ referrer: "app" }],
    ];
    const fromVariable = { user: USER, endTimestamp: 5 };
    // @ts-expect-error the same applies to a group from a variable
    compiled.push([fromVariable]);
    expect(compiled).to.have.length(12);
  });
});
