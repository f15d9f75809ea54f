import { expect } from "chai";

import { readArtifact } from "../../../packages/crosscall/src/artifacts.ts";
import { caught, factsOf } from "../../support/rejection.ts";

describe("readArtifact", () => {
  it("rejects a contract that is not built", () => {
    const error = caught(() => readArtifact("proxies/NoSuchProxy"));
    expect(factsOf(error)).to.deep.equal({ code: "INVALID_STATE" });
    expect(error.cause).to.have.property("code", "ENOENT");
  });
});
