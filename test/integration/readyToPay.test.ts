import { expect } from "chai";
import { type Address, erc20Abi, type Hex } from "viem";
import { waitForTransactionReceipt, writeContract } from "viem/actions";

import { requireReadyToPay } from "../../packages/sdk/src/execute/requireFunds.ts";
import { openWallets } from "../../packages/sdk/src/execute/wallets.ts";
import { createServiceClient, executeSteps, planSteps } from "../../packages/sdk/src/index.ts";
import type { PlannedTransaction } from "../../packages/protocol/src/quote/planSteps.ts";
import { getQuote } from "../support/complete.ts";
import { factsOf, rejected } from "../support/rejection.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { reader, userWallet } from "./support/parties.ts";

const AMOUNT = 60_000_000n;

describe("an allowance that changes after the quote", () => {
  const network = useNetwork();
  const [origin, destination] = chainsOf(network);
  const user = () => network.accounts.user.address;

  before(async () => {
    await origin.fund(user(), "USDC", 10n * AMOUNT);
    await origin.fund(user(), "USDT", 10n * AMOUNT);
  });

  const quoteFor = (originCurrency: Address) =>
    getQuote(createServiceClient({ baseUrl: network.url }), {
      user: user(),
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency,
      destinationCurrency: destination.contracts.dollar,
      tradeType: "EXACT_INPUT",
      amount: String(AMOUNT),
    });
  const approve = async (token: Address, spender: Address, amount: bigint): Promise<void> => {
    const args = [spender, amount] as const;
    const call = { address: token, abi: erc20Abi, functionName: "approve", args } as const;
    const hash: Hex = await writeContract(userWallet(network, origin), call);
    await waitForTransactionReceipt(reader(origin), { hash, pollingInterval: 10 });
  };

  it("is reported before the deposit, with both amounts", async () => {
    const token = origin.contracts.dollar;
    const quote = await quoteFor(token);
    const deposit = planSteps(quote.steps, origin.id).at(-1) as PlannedTransaction;
    const wallet = await (await openWallets(userWallet(network, origin))).on(origin.id, user());
    await approve(token, deposit.to, 1n);
    expect(factsOf(await rejected(requireReadyToPay(wallet, deposit, quote)))).to.deep.equal({
      code: "INSUFFICIENT_ALLOWANCE",
      chainId: origin.id,
      account: user(),
      currency: token,
      spender: deposit.to,
      needed: String(AMOUNT),
      found: "1",
    });
    await approve(token, deposit.to, AMOUNT);
    await requireReadyToPay(wallet, deposit, quote);
  });

  it("is reported before the approval is sent, for a token like USDT", async () => {
    const token = origin.contracts.tether;
    const quote = await quoteFor(token);
    const { to: spender } = planSteps(quote.steps, origin.id).at(-1) as PlannedTransaction;
    await approve(token, spender, 5n);
    const pay = () =>
      executeSteps(createServiceClient({ baseUrl: network.url }), {
        quote,
        wallet: userWallet(network, origin),
        pollIntervalMs: 25,
      });
    const count = () => reader(origin).getTransactionCount({ address: user() });
    const before = await count();
    expect(factsOf(await rejected(pay()))).to.deep.equal({
      code: "ALLOWANCE_RESET_NEEDED",
      chainId: origin.id,
      account: user(),
      currency: token,
      spender,
      needed: String(AMOUNT),
      found: "5",
    });
    expect(await count()).to.equal(before);
    await approve(token, spender, 0n);
    expect((await pay()).status.status).to.equal("success");
  });
});
