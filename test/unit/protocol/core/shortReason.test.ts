import { expect } from "chai";
import { BaseError, RpcRequestError } from "viem";

import { shortReason } from "../../../../packages/protocol/src/core/shortReason.ts";

describe("shortReason", () => {
  const payload = `{"method":"eth_sendTransaction","params":[{"data":"0x${"ab".repeat(2_000)}"}]}`;

  it("is the short message of viem and ethers, without the request", () => {
    const rpc = new RpcRequestError({
      body: { payload },
      error: { code: -32_000, message: "no funds" },
      url: "http://node",
    });
    expect(shortReason(rpc)).to.equal("RPC Request failed.");
    expect(shortReason(Object.assign(new Error(payload), { shortMessage: "insufficient funds" }))).to.equal(
      "insufficient funds",
    );
    expect(shortReason(new BaseError("too low"))).to.equal("too low");
  });

  it("is the first line of any other error, at most 200 characters", () => {
    expect(shortReason(new Error(`no\n${payload}`))).to.equal("no");
    expect(shortReason(new Error(payload))).to.have.length(200);
    expect(shortReason("text")).to.equal("text");
  });
});
