import { expect } from "chai";
import { zeroAddress } from "viem";

import { readRelease } from "../../../../packages/crosscall/src/commands/deploy/release.ts";
import { crosscallModule } from "../../../../packages/crosscall/src/hardhat/ignition.ts";
import { caught } from "../../../support/rejection.ts";

const OWNER = "0x1111111111111111111111111111111111111111";

describe("crosscallModule", () => {
  const addressOf = (...parameters: Parameters<typeof crosscallModule>) =>
    crosscallModule(...parameters).results.contract.address;

  it("uses the release's address", async () => {
    const { PushExecutor: executor, RequestReceiver: receiver } = (await readRelease(8_453))?.contracts ?? {};
    expect(addressOf("PushExecutor")).to.equal(executor?.address);
    expect(addressOf("RequestReceiver")).to.equal(receiver?.address);
    expect(addressOf("RequestReceiver", { permit2: zeroAddress })).to.not.equal(addressOf("RequestReceiver"));
  });

  it("deploys the contracts that an argument refers to first", () => {
    const policy = crosscallModule("PausePolicy", { owner: OWNER });
    const receiver = crosscallModule("RequestReceiver", { policy });
    expect([...receiver.submodules]).to.deep.equal([policy]);
    expect(receiver.results.contract.address).to.equal(
      addressOf("RequestReceiver", { policy: policy.results.contract.address }),
    );
  });

  it("rejects unknown contracts and invalid arguments", () => {
    const anyModule = crosscallModule as (...parameters: readonly unknown[]) => unknown;
    for (const [parameters, field] of [
      [["Erc4626Vault"], "contract"],
      [["Erc4626Proxy"], "Erc4626Proxy.arguments.vault"],
      [["Erc4626Proxy", { vault: "0x12" }], "Erc4626Proxy.arguments.vault"],
      [["Erc4626Proxy", { vault: {} }], "Erc4626Proxy.arguments.vault"],
      [["PushExecutor", { owner: OWNER }], "PushExecutor.arguments.owner"],
    ] as const) {
      expect(caught(() => anyModule(...parameters))).to.include({ code: "INVALID_INPUT", field });
    }
  });
});
