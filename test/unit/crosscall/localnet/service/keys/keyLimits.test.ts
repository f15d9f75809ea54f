import { expect } from "chai";

import { limitFamilyOf } from "../../../../../../packages/crosscall/src/localnet/service/keys/keyOptions.ts";

describe("limitFamilyOf", () => {
  for (const [family, paths] of [
    ["quote", ["/quote/v2", "/quote", "/quote/v3", "/execute/swap", "/execute/swap/multi-input"]],
    ["listing", ["/requests/v3"]],
    ["other", ["/chains", "/price", "/requests", "/metrics/usage", "/currencies/v2", undefined]],
    [undefined, ["/requests/v2", "/admin/keys", "/documentation/json", "/lives", "/metrics"]],
  ] as const) {
    it(`counts ${paths.join(", ")} ${family === undefined ? "elsewhere" : `as ${family}`}`, () => {
      for (const path of paths) expect([path, limitFamilyOf(path)]).to.deep.equal([path, family]);
    });
  }
});
