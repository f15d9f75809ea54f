import { readFileSync } from "node:fs";

import { expect } from "chai";

import { asLondon } from "../../../tools/london/asLondon.ts";

describe("asLondon", () => {
  it("removes the keyword from all transient variables of the project", () => {
    const source = [
      "    bool private transient _entered;",
      "    address transient private _entrant;",
      "    IERC20 transient token;",
    ].join("\n");
    expect(asLondon("project/contracts/Guard.sol", source)).to.equal(
      ["    bool private _entered;", "    address private _entrant;", "    IERC20 token;"].join("\n"),
    );
  });

  it("keeps the guard's state in storage, in a slot that stays in use", () => {
    const source = readFileSync(new URL("../../../contracts/libraries/ReentryGuard.sol", import.meta.url), "utf8");
    expect(asLondon("project/contracts/libraries/ReentryGuard.sol", source)).to.equal(
      source
        .replace("state := tload(_SLOT)", "state := sload(_SLOT)")
        .replace("tstore(_SLOT, state)", "sstore(_SLOT, state)")
        .replace("_OPEN = 0;", "_OPEN = 1;"),
    );
  });

  it("keeps strings, identifiers and comments", () => {
    const source = [
      "/// @dev The flag is a transient variable; see there, and `tload`.",
      "    uint256 private _transient;",
      '    revert("a transient fault");',
    ].join("\n");
    expect(asLondon("project/contracts/Guard.sol", source)).to.equal(source);
  });

  it("replaces MCOPY in the assembly of packages with a copy loop", () => {
    const source = 'assembly ("memory-safe") { mcopy(add(a, 0x20), b, c) } assembly { pop(0) }';
    const written = asLondon("npm/@openzeppelin/contracts@5.7.0/utils/Bytes.sol", source);
    expect(written).to.match(
      /^assembly \("memory-safe"\) \{ function copyBytes\(.* copyBytes\(add\(a, 0x20\), b, c\) \}/,
    );
    expect(written).not.to.match(/mcopy/);
  });

  it("leaves packages without MCOPY unchanged", () => {
    const source = "contract Package { bool private transient flag; function f() external { assembly { pop(0) } } }";
    expect(asLondon("npm/package@1.0.0/Package.sol", source)).to.equal(source);
  });
});
