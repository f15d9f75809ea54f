import { expect } from "chai";

import { rejectProblem, rejectUnknown } from "../../../../../packages/crosscall/src/localnet/market/rejection.ts";
import { rejectKey } from "../../../../../packages/crosscall/src/localnet/service/rejection.ts";

describe("rejections", () => {
  const problem = { errorCode: "FORBIDDEN", field: "subsidizeFees", reason: "r", hint: "c" } as const;

  it("contain the field, the reason and the hint, with the code's status", () => {
    const { status, body } = rejectProblem({ ...problem, value: true });
    const { message: _, ...facts } = body;
    expect([status, facts]).to.deep.equal([
      403,
      { errorCode: "FORBIDDEN", errorData: "subsidizeFees: r", field: "subsidizeFees", hint: "c" },
    ]);
  });

  it("have status 404 and only a message for missing resources", () => {
    const { status, body } = rejectUnknown("request 0x01");
    expect([status, Object.keys(body)]).to.deep.equal([404, ["message"]]);
  });

  it("have status 401 for a missing key", () => {
    const { status, body } = rejectKey();
    expect([status, body.errorCode]).to.deep.equal([401, "UNAUTHORIZED"]);
  });
});
