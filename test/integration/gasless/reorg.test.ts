import { expect } from "chai";
import { type Address, createWalletClient, type Hex, http } from "viem";
import { sendTransaction } from "viem/actions";

import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { dollarsOf, reader } from "../support/parties.ts";
import { orderIdOf, requestIdOf, watchToEnd } from "../support/requests.ts";
import { recordOf } from "../support/serviceCalls.ts";
import {
  breakContract,
  fundPermits,
  outrun,
  permitStepOf,
  postPermit,
  PREFERRED_FEES,
  quotePermit,
  rivalCall,
  signPermit,
} from "./support.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const CONFIRMATIONS = 2;

describe("permits on a chain with a reorg", () => {
  const network = useNetwork({ chains: [{ id: 31_337, depositConfirmations: CONFIRMATIONS }, { id: 31_338 }] });
  let origin: LocalnetChain;
  let user: Address;

  before(async () => {
    [origin] = network.chains;
    user = network.accounts.user.address;
    await fundPermits(network);
  });

  const holdings = () => Promise.all([user, network.solver].map((account) => dollarsOf(origin, account)));

  async function depositsOf(quote: Quote): Promise<readonly Hex[]> {
    const logs = await reader(origin).getContractEvents({
      address: origin.contracts.depository,
      abi: depositoryAbi,
      eventName: "RelayErc20Deposit",
      fromBlock: 0n,
    });
    return logs.filter(({ args }) => args.id === orderIdOf(quote)).map(({ transactionHash }) => transactionHash);
  }

  it("are deposited again once if a reorg removes their block", async () => {
    const quote = await quotePermit(network, "eip3009");
    const [before = 0n, solver = 0n] = await holdings();
    const step = permitStepOf(quote);
    expect((await postPermit(network, step.body, await signPermit(network, step))).status).to.equal(200);
    const [hash] = await until(async () => {
      const found = await depositsOf(quote);
      return found.length > 0 && found;
    });
    await origin.reorg({ blocks: 1 });
    expect(await depositsOf(quote)).to.deep.equal([]);
    await until(async () => (await depositsOf(quote)).length > 0);
    await origin.mine({ blocks: CONFIRMATIONS });

    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
    expect(await depositsOf(quote)).to.deep.equal([hash]);
    expect(await holdings()).to.deep.equal([before - BigInt(quote.details.currencyIn.amount), solver]);
  });

  async function payWhileOthersUseIt(quote: Quote): Promise<void> {
    const step = permitStepOf(quote);
    const signature = await signPermit(network, step);
    const rival = createWalletClient({
      account: network.accounts.stranger,
      chain: describeChain(origin.id, origin.rpcUrl),
      transport: http(origin.rpcUrl),
    });
    await outrun(
      network,
      () => postPermit(network, step.body, signature),
      () => sendTransaction(rival, { ...rivalCall(quote, signature), ...PREFERRED_FEES }),
    );
  }

  it("are refunded after confirmation if other accounts sent them first and no deposit is possible", async () => {
    const quote = await quotePermit(network, "eip3009");
    const held = await holdings();
    await payWhileOthersUseIt(quote);
    const restore = await breakContract(origin, origin.contracts.depository);
    await origin.mine({ blocks: CONFIRMATIONS });
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("refund");
    await restore();
    const { data } = await recordOf(network, requestIdOf(quote));
    expect([data.failReason, data.inTxs.length, data.outTxs.length]).to.deep.equal(["TRANSFER_FAILED", 1, 1]);
    expect(await holdings()).to.deep.equal(held);
  });

  it("are deposited after confirmation if other accounts sent them first", async () => {
    const quote = await quotePermit(network, "eip3009");
    const [before = 0n, solver = 0n] = await holdings();
    await payWhileOthersUseIt(quote);
    expect(await holdings()).to.deep.equal([
      before - BigInt(quote.details.currencyIn.amount),
      solver + BigInt(quote.details.currencyIn.amount),
    ]);
    await origin.mine({ blocks: CONFIRMATIONS });
    await until(async () => (await depositsOf(quote)).length > 0);
    await origin.mine({ blocks: CONFIRMATIONS });
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
    expect(await holdings()).to.deep.equal([before - BigInt(quote.details.currencyIn.amount), solver]);
    expect(await depositsOf(quote)).to.have.length(1);
  });
});
