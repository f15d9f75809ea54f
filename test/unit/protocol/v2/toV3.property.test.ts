import { expect } from "chai";
import fc from "fast-check";

import { parseData } from "../../../../packages/protocol/src/schema/parse.ts";
import { readResponse } from "../../../../packages/protocol/src/schema/readResponse.ts";
import { RequestRecordSchema } from "../../../../packages/protocol/src/request/requestRecord.ts";
import { listLeaves } from "../../../../packages/protocol/src/v2/jsonTree.ts";
import { type RequestRecordV2, RequestRecordV2Schema } from "../../../../packages/protocol/src/v2/requestRecordV2.ts";
import { toV3 } from "../../../../packages/protocol/src/v2/toV3.ts";
import { arbitraryOf } from "./arbitrary.ts";
import { inputs } from "../../../support/inputs.ts";

const records = arbitraryOf(RequestRecordV2Schema) as fc.Arbitrary<RequestRecordV2>;

/** Values with another form in v3: null, the amounts of the sponsorship, another name of the same component. */
const SAID_OTHERWISE = (path: string, value: unknown): boolean =>
  (/^data\.(refundF|f)ailReason$/u.test(path) && value === "N/A") ||
  path === "data.subsidizedRequest" ||
  (/^data\.feeSponsorship\.\w+\.selectedComponents\[\d+\]$/u.test(path) && value === "relay");

describe("toV3, for any record that the schema accepts,", () => {
  it("never throws, does not modify it, and puts every value in the record or in the list of lost values", () => {
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

  it("lists missing and unknown values: without any, the result is a v3 record", () => {
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

/** Independent implementation of {@link listLeaves}, so that a bug in one shows. */
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
