import { expect } from "chai";

import { publicRepository } from "../../../tools/repository.ts";
import { refusal } from "../../support/rejection.ts";
import { startProgram } from "../../support/programs.ts";

describe("the public repository", () => {
  it("is the URL that the setting contains, or none", () => {
    expect(publicRepository("https://example.com/owner/name")).to.equal("https://example.com/owner/name");
    expect(publicRepository("")).to.equal(undefined);
  });

  it("is rejected if it is not the URL of a repository", () => {
    for (const setting of ["owner/name", "http://example.com/owner/name", "https://example.com/owner/name.git/tree"]) {
      expect(refusal(() => publicRepository(setting)).field).to.equal("CROSSCALL_REPOSITORY");
    }
  });

  it("is required for a release", async () => {
    const release = (url: string) =>
      startProgram("tools/packages/requireRepository.ts", [], { env: { CROSSCALL_REPOSITORY: url } }).finished;
    const [without, withOne] = await Promise.all([release(""), release("https://example.com/owner/name")]);
    expect([without.exitCode, withOne.exitCode, withOne.stderr]).to.deep.equal([1, 0, ""]);
    expect(without.stderr).to.include("CROSSCALL_REPOSITORY");
  });
});
