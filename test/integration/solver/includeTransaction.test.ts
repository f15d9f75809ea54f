import { expect } from "chai";
import { keccak256, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { type StartedChain, startChain } from "../../../packages/crosscall/src/localnet/devchain/startChain.ts";
import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import { includeTransaction } from "../../../packages/crosscall/src/localnet/solver/includeTransaction.ts";
import { onNode } from "../support/requests.ts";

describe("sending a recorded transaction", () => {
  let started: StartedChain;

  before(async () => {
    started = await startChain({ id: 31_337 }, createLog("silent"));
  });
  after(() => started.close());

  it("does not wait for its block, and reports the block after it is mined", async () => {
    const { chain } = started;
    const account = privateKeyToAccount(`0x${"5".repeat(64)}`);
    await onNode(chain, "hardhat_setBalance", account.address, toHex(10n ** 18n));
    const { maxFeePerGas, maxPriorityFeePerGas } = await chain.client.estimateFeesPerGas();
    const signed = await account.signTransaction({
      type: "eip1559",
      chainId: chain.id,
      nonce: 0,
      to: account.address,
      gas: 21_000n,
      maxFeePerGas,
      maxPriorityFeePerGas,
    });
    const row = { hash: keccak256(signed), signed };
    await onNode(chain, "evm_setAutomine", false);
    expect(await includeTransaction(chain, row)).to.equal(undefined);
    expect(await includeTransaction(chain, row)).to.equal(undefined);
    await onNode(chain, "evm_mine");
    const block = await chain.client.getBlockNumber();
    expect(await includeTransaction(chain, row)).to.include({ status: "success", block_number: Number(block) });
  });
});
