import { expect } from "chai";
import { createWalletClient, http } from "viem";
import { sendTransaction } from "viem/actions";

import { BATCH_EXECUTOR_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import { startChain, type StartedChain } from "../../../packages/crosscall/src/localnet/devchain/startChain.ts";
import type { Hardfork } from "../../../packages/crosscall/src/localnet/devchain/options.ts";
import { failureOf } from "../support/failureOf.ts";

describe("the hardfork of a local chain", () => {
  const started: StartedChain[] = [];
  after(() => Promise.all(started.map((chain) => chain.close())));

  async function delegate(hardfork?: Hardfork): Promise<string | undefined> {
    const running = await startChain(
      { id: 31_337, ...(hardfork === undefined ? {} : { hardfork }) },
      createLog("silent"),
    );
    started.push(running);
    const { client, rpcUrl } = running.chain;
    const { user } = localAccounts;
    const wallet = createWalletClient({
      account: user,
      chain: describeChain(31_337, rpcUrl),
      transport: http(rpcUrl),
    });
    const nonce = (await client.getTransactionCount({ address: user.address })) + 1;
    const authorization = await user.signAuthorization?.({
      contractAddress: BATCH_EXECUTOR_ADDRESS,
      chainId: 31_337,
      nonce,
    });
    await sendTransaction(wallet, {
      to: user.address,
      authorizationList: authorization === undefined ? [] : [authorization],
      gas: 200_000n,
    });
    return client.getCode({ address: user.address });
  }

  for (const hardfork of [undefined, "prague", "osaka"] as const) {
    it(`supports EIP-7702: ${hardfork ?? "by default"}`, async () => {
      expect(await delegate(hardfork)).to.equal(`0xef0100${BATCH_EXECUTOR_ADDRESS.slice(2).toLowerCase()}`);
    });
  }

  it("does not support EIP-7702 before Prague: cancun", async () => {
    expect(await failureOf(delegate("cancun"))).to.be.an("error");
  });
});
