import { expect } from "chai";
import { type Address, type Hex, parseEther, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { createPreflight } from "../../packages/crosscall/src/replay/preflight/preflight.ts";
import { expectLive, getQuote } from "../support/complete.ts";
import { until } from "../support/until.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { dollarsOf, reader, userWallet } from "./support/parties.ts";
import { depositNative, etherRequest, onNode } from "./support/requests.ts";
import { type Answer, get, listRequests, post, recordOf } from "./support/serviceCalls.ts";

const RECIPIENT: Address = "0x00000000000000000000000000000000000000b1";

interface Claims {
  readonly claims: readonly {
    readonly claimId: string;
    readonly recipient: string;
    readonly currency: { readonly amount: string };
    readonly txHash: string | null;
    readonly status: string;
  }[];
  readonly continuation?: string;
}

describe("app fees", () => {
  const network = useNetwork();
  const [origin, destination] = chainsOf(network);
  let wallets = 0;
  /** Returns an integrator's wallet without history. */
  const newWallet = () => {
    wallets += 1;
    return privateKeyToAccount(`0x${wallets.toString(16).padStart(64, "7")}`);
  };

  afterEach(() => network.clock.reset());

  const balanceOf = async (wallet: string): Promise<number> => {
    const { status, body } = await get(network, `/app-fees/${wallet}/balances`);
    expect(status).to.equal(200);
    expectLive("GET /app-fees/{wallet}/balances 200", body);
    const { totalBalanceUsd, availableBalanceUsd, balances } = body as {
      totalBalanceUsd: number;
      availableBalanceUsd: number;
      balances: { amount: string; currency: { address: string; chainId: number } }[];
    };
    expect(availableBalanceUsd).to.equal(totalBalanceUsd);
    for (const { amount, currency } of balances) {
      expect(currency).to.include({ address: origin.contracts.dollar.toLowerCase(), chainId: origin.id });
      expect(Number(amount) / 1e6).to.equal(totalBalanceUsd);
    }
    return totalBalanceUsd;
  };
  /** Pays one ether, worth 2,500 US dollars, with fees for the given wallets. */
  async function pay(appFees: NonNullable<QuoteRequest["appFees"]>, change: Partial<QuoteRequest> = {}) {
    const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
    const quote = await getQuote(client, {
      ...etherRequest(network),
      appFees,
      ...change,
    });
    const wallet = userWallet(network, origin);
    // Decoding alone does not show a swap's effects, so the run requires a preflight check.
    return executeSteps(client, { quote, wallet, preflight: createPreflight(network), pollIntervalMs: 25 });
  }
  const claim = (wallet: string, fields: object = {}): Promise<Answer> =>
    post(network, `/app-fees/${wallet}/claim`, {
      chainId: origin.id,
      currency: origin.contracts.dollar,
      recipient: RECIPIENT,
      ...fields,
    });
  async function claimId(answer: Promise<Answer>): Promise<Hex> {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).to.equal(200);
    expectLive("POST /app-fees/{wallet}/claim 200", body);
    const [step] = (body as { steps: { items: { data: { sign: { message: Hex } } }[] }[] }).steps;
    return step!.items[0]!.data.sign.message;
  }
  const authorize = async (account: ReturnType<typeof newWallet>, id: Hex): Promise<Answer> => {
    const signature = await account.signMessage({ message: { raw: id } });
    return post(network, `/execute/permits?signature=${signature}`, { kind: "claim", requestId: id });
  };
  const claimsOf = async (wallet: string, query = ""): Promise<Claims> => {
    const { body } = await get(network, `/app-fees/${wallet}/claims${query}`);
    expectLive("GET /app-fees/{wallet}/claims 200", body);
    return body as Claims;
  };
  const untilPaid = (wallet: string) =>
    until(async () => {
      const [latest] = (await claimsOf(wallet)).claims;
      return latest?.status === "success" && latest;
    });

  it("accrue for filled requests, per recipient address in any letter case", async () => {
    const [one, other] = [newWallet(), newWallet()];
    const { requestId } = await pay([
      { recipient: one.address, fee: "100" },
      { recipient: other.address.toLowerCase(), fee: "50" },
    ]);
    expect(await balanceOf(one.address)).to.equal(25);
    expect(await balanceOf(other.address.toLowerCase())).to.equal(12.5);
    const { actual } = (await recordOf(network, requestId)).data.appFees;
    expect(actual.map(({ amountUsd }) => Number(amountUsd))).to.deep.equal([25, 12.5]);
    await pay([{ recipient: one.address, fee: "10" }]);
    expect(await balanceOf(one.address)).to.equal(27.5);
  });

  it("accrue for same-chain swaps, but not for unfilled requests", async () => {
    const account = newWallet();
    const fees = [{ recipient: account.address, fee: "100" }];
    const onOneChain = { destinationChainId: origin.id, destinationCurrency: origin.contracts.dollar };
    await pay(fees, { ...onOneChain, amount: parseEther("0.01").toString() });
    expect(await balanceOf(account.address)).to.equal(0.25);
    await network.scenarios.set("SLIPPAGE", { next: 1 });
    await pay(fees).then(
      () => expect.fail("the request was filled"),
      () => undefined,
    );
    expect(await balanceOf(account.address)).to.equal(0.25);
  });

  it("are no longer counted after a reorg removes the deposit", async () => {
    const account = newWallet();
    const snapshot = await onNode(origin, "evm_snapshot");
    await pay([{ recipient: account.address, fee: "100" }]);
    expect(await balanceOf(account.address)).to.equal(25);
    await onNode(origin, "evm_revert", snapshot);
    await onNode(origin, "evm_mine");
    await until(async () => (await balanceOf(account.address)) === 0);
  });

  it("are paid out in full on the chain where they accrue", async () => {
    const account = newWallet();
    await pay([{ recipient: account.address, fee: "100" }]);
    const before = await dollarsOf(origin, RECIPIENT);
    const answer = claim(account.address);
    const id = await claimId(answer);
    expect((await answer).body).to.deep.equal({
      steps: [
        {
          id: "authorize",
          action: "Sign authorization",
          description: "Authorize claiming funds",
          kind: "signature",
          items: [
            {
              status: "incomplete",
              data: {
                sign: { signatureKind: "eip191", message: id },
                post: { endpoint: "/execute/permits", method: "POST", body: { kind: "claim", requestId: id } },
              },
            },
          ],
        },
      ],
    });
    // The balance does not change until the wallet signs.
    expect(await balanceOf(account.address)).to.equal(25);
    expect((await claimsOf(account.address)).claims).to.deep.equal([]);
    expect((await authorize(account, id)).status).to.equal(200);
    expect(await balanceOf(account.address)).to.equal(0);
    const paid = await untilPaid(account.address);
    expect(paid).to.include({ claimId: id, recipient: RECIPIENT });
    expect((await dollarsOf(origin, RECIPIENT)) - before).to.equal(25_000_000n);
    const { status } = await reader(origin).getTransactionReceipt({ hash: paid.txHash as Hex });
    expect(status).to.equal("success");
  });

  it("can be paid out in part, or on another chain minus the cost", async () => {
    const account = newWallet();
    await pay([{ recipient: account.address, fee: "100" }]);
    await authorize(account, await claimId(claim(account.address, { chainId: String(origin.id), amount: 5_000_000 })));
    await untilPaid(account.address);
    expect(await balanceOf(account.address)).to.equal(20);
    const ether = () => reader(destination).getBalance({ address: RECIPIENT });
    const before = await ether();
    const fields = { chainId: destination.id, currency: zeroAddress };
    await authorize(account, await claimId(claim(account.address, fields)));
    await until(async () => (await claimsOf(account.address)).claims.every(({ status }) => status === "success"));
    expect(await balanceOf(account.address)).to.equal(0);
    const received = Number((await ether()) - before) / 1e18;
    // 20 US dollars minus 2 cents and gas.
    expect(received * 2_500).to.be.within(19, 19.98);
  });

  it("are paid out even if another account deposits for a claim's id, and that deposit is refunded", async () => {
    const account = newWallet();
    await pay([{ recipient: account.address, fee: "100" }]);
    const id = await claimId(claim(account.address));
    const txHash = await depositNative(network, { id });
    const returned = await until(async () => {
      const { requests } = await listRequests(network, "?failReason=ORPHANED_DEPOSIT_REFUND&status=refund");
      return requests[0];
    });
    expect(returned.id).to.not.equal(id);
    expect(returned.data.inTxs.map((entry) => entry.txHash)).to.deep.equal([txHash]);
    expect((await authorize(account, id)).status).to.equal(200);
    await untilPaid(account.address);
  });

  it("are listed in pages, newest first", async () => {
    const account = newWallet();
    await pay([{ recipient: account.address, fee: "100" }]);
    const ids: Hex[] = [];
    for (const amount of ["1000000", "2000000", "3000000"]) {
      const id = await claimId(claim(account.address, { amount }));
      ids.unshift(id);
      await authorize(account, id);
    }
    const first = await claimsOf(account.address, "?limit=2");
    const second = await claimsOf(account.address, `?limit=2&continuation=${first.continuation}`);
    expect([...first.claims, ...second.claims].map((entry) => entry.claimId)).to.deep.equal(ids);
    expect(second).to.not.have.property("continuation");
    const { status } = await get(network, `/app-fees/${RECIPIENT}/claims?continuation=${first.continuation}`);
    expect(status).to.equal(400);
  });

  it("can be claimed once, by the wallet only, before the deadline and up to the balance", async () => {
    const [account, thief] = [newWallet(), newWallet()];
    await pay([{ recipient: account.address, fee: "100" }]);
    const [id, twin] = [await claimId(claim(account.address)), await claimId(claim(account.address))];
    const before = await dollarsOf(origin, RECIPIENT);
    const refused = async (answer: Promise<Answer>, message: string) =>
      expect(await answer).to.deep.equal({ status: 400, body: { message } });
    const foreign = "The signature is not from the claim's wallet.";
    await refused(authorize(thief, id), foreign);
    for (const text of ["0x12", "0x1", "0x", "12", `0x${"1".repeat(128)}1b`]) {
      await refused(post(network, `/execute/permits?signature=${text}`, { kind: "claim", requestId: id }), foreign);
    }
    const signature = await account.signMessage({ message: { raw: twin } });
    await refused(post(network, `/execute/permits?signature=${signature}`, { kind: "claim", requestId: id }), foreign);
    network.clock.setOffset(3_601_000);
    await refused(authorize(account, id), "The claim has expired.");
    network.clock.reset();
    const answers = await Promise.all([id, id, twin, twin].map((each) => authorize(account, each)));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    await untilPaid(account.address);
    for (const each of [id, twin]) expect((await authorize(account, each)).status).to.equal(400);
    expect((await dollarsOf(origin, RECIPIENT)) - before).to.equal(25_000_000n);
    expect((await claimsOf(account.address)).claims).to.have.length(1);
  });

  it("cannot be claimed without a balance, or with an invalid field", async () => {
    const account = newWallet();
    expect(await claim(account.address)).to.deep.equal({
      status: 400,
      body: { message: "Insufficient app fee balance." },
    });
    await pay([{ recipient: account.address, fee: "1" }]);
    for (const fields of [
      { amount: "250001" },
      { amount: "0" },
      { chainId: 1 },
      { currency: origin.contracts.tether },
      { recipient: "0x12" },
      // 2 cents do not cover a transfer on another chain.
      { chainId: destination.id, currency: destination.contracts.dollar, amount: "20000" },
    ]) {
      const { status, body } = await claim(account.address, fields);
      expect(status, JSON.stringify(fields)).to.equal(400);
      expect(Object.keys(body as object)).to.deep.equal(["message"]);
    }
    for (const path of ["/app-fees/no-address/balances", "/app-fees/no-address/claims"]) {
      expect((await get(network, path)).status).to.equal(400);
    }
  });
});
