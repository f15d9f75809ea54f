import { expect } from "chai";

import { rejectProblem, rejectUnknown } from "../../../../../packages/crosscall/src/localnet/market/rejection.ts";
import { rejectKey } from "../../../../../packages/crosscall/src/localnet/service/rejection.ts";

describe("refusals", () => {
  const problem = { errorCode: "FORBIDDEN", field: "subsidizeFees", reason: "r", hint: "c" } as const;

  it("name the field, with the reason, the hint and the status of the code", () => {
    const { status, body } = rejectProblem({ ...problem, value: true });
    const { message: _, ...facts } = body;
    expect([status, facts]).to.deep.equal([
      403,
      { errorCode: "FORBIDDEN", errorData: "subsidizeFees: r", field: "subsidizeFees", hint: "c" },
    ]);
  });

  it("for missing resources have status 404 and only a message", () => {
    const { status, body } = rejectUnknown("request 0x01");
    expect([status, Object.keys(body)]).to.deep.equal([404, ["message"]]);
  });

  it("for a missing key have status 401", () => {
    const { status, body } = rejectKey();
    expect([status, body.errorCode]).to.deep.equal([401, "UNAUTHORIZED"]);
  });
});
