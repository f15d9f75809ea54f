import { expect } from "chai";

import {
  type FieldCondition,
  mergeGroups,
  type TextField,
} from "../../../../../packages/crosscall/src/localnet/store/requests/filter.ts";

const is = (field: TextField, ...values: string[]): FieldCondition => ({ field, values, isNegated: false });
const isNot = (field: TextField, ...values: string[]): FieldCondition => ({ field, values, isNegated: true });

describe("mergeGroups", () => {
  it("merges groups that differ only in the values of one field", () => {
    const merged = mergeGroups([
      [is("user", "a"), is("status", "pending")],
      [is("status", "pending"), is("user", "b", "a")],
      [is("user", "a"), is("status", "success")],
    ]);
    expect(merged).to.deep.equal([
      [is("user", "a", "b"), is("status", "pending")],
      [is("user", "a"), is("status", "success")],
    ]);
  });

  it("keeps groups that differ in other ways separate", () => {
    const groups = [
      [is("user", "a"), is("status", "pending")],
      [is("user", "b"), is("status", "success")],
      [is("user", "a")],
      [isNot("user", "a")],
      [isNot("user", "b")],
      [is("failReason", "x"), { field: "user", values: null, isNegated: false } as const],
    ];
    expect(mergeGroups(groups)).to.deep.equal(groups);
  });
});
