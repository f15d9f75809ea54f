import { globSync, readFileSync } from "node:fs";

import { expect } from "chai";

const ROOT = new URL("../../../", import.meta.url);

describe("the library's imports", () => {
  it("import TypeBox as a namespace, because bundlers would otherwise keep its entire Type object", () => {
    const files = globSync("packages/{oracle,crosscall}/src/**/*.ts", { cwd: ROOT });
    expect(files.length).to.be.greaterThan(100);
    const whole = files.filter((file) =>
      /import (?:type )?\{[^}]*\bType\b[^}]*\} from "typebox"/u.test(readFileSync(new URL(file, ROOT), "utf8")),
    );
    expect(whole).to.deep.equal([]);
  });
});
