import { expect } from "chai";
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  maxUint256,
  parseEther,
  parseSignature,
  zeroAddress,
} from "viem";
import { sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";

import { createServiceClient, executeSteps, type ExecutionEvent, getQuote } from "../../../packages/sdk/src/index.ts";
import { PERMIT2_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { expectLive } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { dollarsOf, mintDollars, reader, userWallet } from "../support/parties.ts";
import { onNode, requestIdOf, watchToEnd } from "../support/requests.ts";
import { post, recordOf } from "../support/serviceCalls.ts";
import {
  breakContract,
  fundPermits,
  outrun,
  PERMIT_KINDS,
  type PermitKind,
  permitRequest,
  type PermitStep,
  permitStepOf,
  PREFERRED_FEES,
  postPermit,
  quotePermit,
  rivalCall,
  signPermit,
} from "./support.ts";

/** Order of the secp256k1 curve, for converting a signature to its malleable form. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

describe("permits", () => {
  const network = useNetwork({ apiKeys: ["crosscall-local"], sponsoringApiKeys: ["crosscall-local"] });
  let origin: LocalnetChain;
  let destination: LocalnetChain;
  let user: Address;

  before(async () => {
    [origin, destination] = network.chains;
    user = network.accounts.user.address;
    await fundPermits(network, 100n);
    const wallet = userWallet(network, origin);
    const hash = await writeContract(wallet, {
      address: origin.contracts.tether,
      abi: erc20Abi,
      functionName: "approve",
      args: [PERMIT2_ADDRESS, maxUint256],
    });
    await waitForTransactionReceipt(wallet, { hash });
  });

  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  const balanceOf = (token: string, account: Address): Promise<bigint> =>
    reader(origin).readContract({
      address: token as Address,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [account],
    });
  const nativeOf = () => reader(origin).getBalance({ address: user });

  for (const kind of PERMIT_KINDS) {
    it(`pay for a request without gas from the user: ${kind}`, async () => {
      const quote = await getQuote(client(), permitRequest(network, kind));
      expect(quote.steps?.map(({ id }) => id)).to.deep.equal(["authorize1"]);
      const token = quote.details?.currencyIn?.currency?.address ?? "";
      const amount = BigInt(quote.details?.currencyIn?.amount ?? 0);
      const solver = network.solver;
      const before = await Promise.all([balanceOf(token, user), nativeOf(), balanceOf(token, solver)]);
      const received = await dollarsOf(destination, user);

      const { status, transactions, requestId } = await executeSteps(client(), {
        quote,
        wallet: userWallet(network, origin),
        pollIntervalMs: 25,
      });

      expect([status.status, transactions]).to.deep.equal(["success", []]);
      const after = await Promise.all([balanceOf(token, user), nativeOf(), balanceOf(token, solver)]);
      expect(after).to.deep.equal([before[0] - amount, before[1], before[2]]);
      expect((await dollarsOf(destination, user)) - received).to.equal(BigInt(quote.details?.currencyOut?.amount ?? 0));
      const record = await recordOf(network, requestId);
      expect(record.features).to.deep.equal(["gasless_swap"]);
      expect(record.protocol?.deposit?.origin).to.include({ depositor: user, amount: amount.toString() });
    });
  }

  it("are preceded by an approval of Permit2 for exactly the input, if needed", async () => {
    const { wrappedNative } = origin.contracts;
    const quote = await getQuote(
      client(),
      permitRequest(network, "permit2", { originCurrency: wrappedNative, amount: parseEther("0.1").toString() }),
    );
    expect(quote.steps?.map(({ id }) => id)).to.deep.equal(["approve", "authorize1"]);
    const { status } = await executeSteps(client(), {
      quote,
      wallet: userWallet(network, origin),
      pollIntervalMs: 25,
    });
    expect(status.status).to.equal("success");
    const args = [user, PERMIT2_ADDRESS] as const;
    const token = { address: wrappedNative, abi: erc20Abi };
    expect(await reader(origin).readContract({ ...token, functionName: "allowance", args })).to.equal(0n);
  });

  it("are not signed again when the same quote is executed again", async () => {
    const quote = await getQuote(client(), permitRequest(network, "eip3009"));
    const events: ExecutionEvent[] = [];
    const token = origin.contracts.dollar;
    const before = await balanceOf(token, user);
    const run = () =>
      executeSteps(client(), {
        quote,
        wallet: userWallet(network, origin),
        pollIntervalMs: 25,
        onEvent: (event) => events.push(event),
      });
    expect((await run()).status.status).to.equal("success");
    expect((await run()).status.status).to.equal("success");
    expect(events.filter(({ kind }) => kind === "signed")).to.have.length(1);
    expect(before - (await balanceOf(token, user))).to.equal(BigInt(quote.details?.currencyIn?.amount ?? 0));
  });

  it("include the deposit's gas in the execution fee, which a sponsor can pay", async () => {
    const quote = await quotePermit(network, "eip3009", { subsidizeFees: true });
    expect(quote.details.currencyOut.amountUsd).to.equal(quote.details.currencyIn.amountUsd);
    const step = permitStepOf(quote);
    expectLive(
      "POST /execute/permits 200",
      (await postPermit(network, step.body, await signPermit(network, step))).body,
    );
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
    const { data } = await recordOf(network, requestIdOf(quote));
    const { actual } = data.feeSponsorship ?? expect.fail("no sponsorship");
    expect(Number(actual?.components.execution.sponsored.amountUsd)).to.be.above(0.02);
    expect(actual?.userPaysTotal.amountUsd).to.equal("0.000000");
  });

  it("are refunded if their request cannot be filled, like every deposit", async () => {
    const { dollar } = destination.contracts;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [user, maxUint256] });
    const quote = await quotePermit(network, "eip3009", { txs: [{ to: dollar, data, value: "0" }] });
    const before = await balanceOf(origin.contracts.dollar, user);
    const step = permitStepOf(quote);
    await postPermit(network, step.body, await signPermit(network, step));
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("refund");
    expect(await balanceOf(origin.contracts.dollar, user)).to.equal(before);
  });

  describe("that cannot be quoted", () => {
    const refusals: readonly (readonly [what: string, change: () => Partial<QuoteRequest>])[] = [
      ["native currency", () => ({ originCurrency: zeroAddress })],
      ["one chain", () => ({ destinationChainId: origin.id, destinationCurrency: zeroAddress })],
      ["a deposit address", () => ({ useDepositAddress: true })],
    ];
    for (const [what, change] of refusals) {
      it(`are rejected for ${what}, naming the invalid field`, async () => {
        const { status, body } = await post(network, "/quote/v2", permitRequest(network, "eip3009", change()));
        expect(status).to.equal(400);
        expect(body).to.include({ errorCode: "UNSUPPORTED_EXECUTION_TYPE", field: "usePermit" });
      });
    }
  });

  describe("are rejected", () => {
    type Attack = (quote: Quote, kind: PermitKind) => Promise<readonly [body: unknown, signature: string]>;
    const own = async (quote: Quote): Promise<Hex> => signPermit(network, permitStepOf(quote));
    const change = (step: PermitStep, names: readonly string[], value: unknown): PermitStep => {
      const name = names.find((one) => one in step.message) ?? "";
      return { ...step, message: { ...step.message, [name]: value } };
    };
    const attacks: Readonly<Record<string, Attack>> = {
      "with another signer": async (quote) => {
        const step = permitStepOf(quote);
        return [step.body, await signPermit(network, step, network.accounts.stranger)];
      },
      "with another amount": async (quote) => {
        const step = permitStepOf(quote);
        const permitted = step.message.permitted as readonly { token: string }[] | undefined;
        const changed =
          permitted === undefined
            ? change(step, ["value"], "1")
            : change(step, ["permitted"], [{ ...permitted[0], amount: "1" }]);
        return [step.body, await signPermit(network, changed)];
      },
      "with another spender": async (quote) => {
        const step = permitStepOf(quote);
        const changed = change(step, ["to", "spender"], network.accounts.stranger.address);
        return [step.body, await signPermit(network, changed)];
      },
      "with another nonce": async (quote) => {
        const step = permitStepOf(quote);
        const nonce = step.primaryType === "TransferWithAuthorization" ? `0x${"11".repeat(32)}` : "12345";
        return [step.body, await signPermit(network, change(step, ["nonce"], nonce))];
      },
      "with a later end": async (quote) => {
        const step = permitStepOf(quote);
        return [step.body, await signPermit(network, change(step, ["validBefore", "deadline"], 2_000_000_000))];
      },
      "of another chain": async (quote) => {
        const step = permitStepOf(quote);
        const domain = { ...step.domain, chainId: destination.id };
        return [step.body, await signPermit(network, { ...step, domain })];
      },
      "of another request": async (quote, kind) => {
        const step = permitStepOf(quote);
        return [
          step.body,
          await own(await quotePermit(network, kind, { amount: `${BigInt(quote.details.currencyIn.amount) + 1n}` })),
        ];
      },
      "when posted to an unknown request": async (quote) => {
        return [{ ...permitStepOf(quote).body, requestId: `0x${"11".repeat(32)}` }, await own(quote)];
      },
      "posted as another kind": async (quote) => [{ ...permitStepOf(quote).body, kind: "claim" }, await own(quote)],
      "with a signature of another form": async (quote) => [permitStepOf(quote).body, `${await own(quote)}00`],
      "with a signature that no key makes": (quote) =>
        Promise.resolve([permitStepOf(quote).body, `0x${"1".repeat(128)}1b`]),
      "with the other signature of the same key": async (quote) => {
        const { r, s, yParity } = parseSignature(await own(quote));
        const high = ORDER - BigInt(s);
        const v = yParity === 0 ? "1c" : "1b";
        return [permitStepOf(quote).body, `${r}${high.toString(16).padStart(64, "0")}${v}`];
      },
    };
    for (const kind of PERMIT_KINDS) {
      for (const [name, attack] of Object.entries(attacks)) {
        it(`${name}: ${kind}, and the correct permit is accepted afterwards`, async () => {
          const quote = await quotePermit(network, kind);
          const [body, signature] = await attack(quote, kind);
          const answer = await postPermit(network, body, signature);
          expect(answer.status).to.equal(400);
          expectLive("POST /execute/permits 400", answer.body);
          expect(answer.body).to.have.keys("message");
          expect((await recordOf(network, requestIdOf(quote))).status).to.equal("waiting");

          expect((await postPermit(network, permitStepOf(quote).body, await own(quote))).status).to.equal(200);
          expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
        });
      }

      it(`if they have expired: ${kind}`, async () => {
        const quote = await quotePermit(network, kind, { permitExpiry: 60 });
        const signature = await own(quote);
        await onNode(network.chains[0], "evm_increaseTime", 62);
        await onNode(network.chains[0], "evm_mine");
        expect((await postPermit(network, permitStepOf(quote).body, signature)).status).to.equal(400);
        expect((await recordOf(network, requestIdOf(quote))).status).to.equal("waiting");
      });

      it(`if they are posted again, and still pay once: ${kind}`, async () => {
        const quote = await quotePermit(network, kind);
        const token = quote.details.currencyIn.currency.address;
        const before = await balanceOf(token, user);
        const { body } = permitStepOf(quote);
        const signature = await own(quote);
        const answers = await Promise.all([1, 2, 3].map(() => postPermit(network, body, signature)));
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 400, 400]);
        await watchToEnd(network, requestIdOf(quote));
        expect((await postPermit(network, body, signature)).status).to.equal(400);
        expect(before - (await balanceOf(token, user))).to.equal(BigInt(quote.details.currencyIn.amount));
      });
    }

    it("if the account's balance is too low, and are accepted once it is sufficient", async () => {
      const quote = await quotePermit(network, "eip3009", { amount: "900000000000" });
      const { body } = permitStepOf(quote);
      const signature = await own(quote);
      expect((await postPermit(network, body, signature)).status).to.equal(400);
      await mintDollars(network, origin, 900_000_000_000n);
      expect((await postPermit(network, body, signature)).status).to.equal(200);
      expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
    });

    it("if Permit2 is not approved", async () => {
      const { wrappedNative } = origin.contracts;
      const quote = await quotePermit(network, "permit2", {
        originCurrency: wrappedNative,
        amount: "1000000000000000",
      });
      expect((await postPermit(network, permitStepOf(quote).body, await own(quote))).status).to.equal(400);
    });
  });

  describe("that other accounts use first", () => {
    async function frontRun(quote: Quote, signature: Hex): Promise<void> {
      const wallet = createWalletClient({
        account: network.accounts.stranger,
        chain: describeChain(origin.id, origin.rpcUrl),
        transport: http(origin.rpcUrl),
      });
      await sendTransaction(wallet, { ...rivalCall(quote, signature), ...PREFERRED_FEES });
    }

    for (const kind of ["eip3009", "eip2612"] as const) {
      for (const when of ["before they are posted", "while the deposit is pending"] as const) {
        it(`still pay for the request once, ${when}: ${kind}`, async () => {
          const quote = await quotePermit(network, kind);
          const token = quote.details.currencyIn.currency.address;
          const amount = BigInt(quote.details.currencyIn.amount);
          const before = await Promise.all([user, network.solver].map((one) => balanceOf(token, one)));
          const step = permitStepOf(quote);
          const signature = await signPermit(network, step);
          const rival = () => frontRun(quote, signature);
          const posted = async () => expect((await postPermit(network, step.body, signature)).status).to.equal(200);
          if (when === "while the deposit is pending") {
            await outrun(network, posted, rival);
          } else {
            await rival();
            await posted();
          }
          const status = await watchToEnd(network, requestIdOf(quote));
          expect(status.status).to.equal("success");
          const after = await Promise.all([user, network.solver].map((one) => balanceOf(token, one)));
          expect(after).to.deep.equal([(before[0] ?? 0n) - amount, before[1]]);
        });
      }
    }

    it("are refunded if their request has already failed", async () => {
      const quote = await quotePermit(network, "eip3009");
      const { dollar, depository } = origin.contracts;
      const before = await Promise.all([user, network.solver].map((one) => balanceOf(dollar, one)));
      const step = permitStepOf(quote);
      const signature = await signPermit(network, step);
      const restore = await breakContract(origin, depository);
      expect((await postPermit(network, step.body, signature)).status).to.equal(200);
      expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("failure");
      await restore();
      await frontRun(quote, signature);
      await until(async () => (await recordOf(network, requestIdOf(quote))).status === "refund");
      const after = await Promise.all([user, network.solver].map((one) => balanceOf(dollar, one)));
      expect(after).to.deep.equal(before);
    });
  });

  // Runs last, because it spends all funds.
  describe("without funds", () => {
    it("make the request fail with a reason and without a payment if the funds are spent before the deposit", async () => {
      const quote = await quotePermit(network, "eip3009");
      const step = permitStepOf(quote);
      const signature = await signPermit(network, step);
      const { dollar } = origin.contracts;
      const all = await balanceOf(dollar, user);
      const give = async (): Promise<void> => {
        const args = [network.accounts.stranger.address, all] as const;
        await writeContract(userWallet(network, origin), {
          address: dollar,
          abi: erc20Abi,
          functionName: "transfer",
          args,
          ...PREFERRED_FEES,
        });
      };
      const held = await balanceOf(dollar, network.solver);
      await outrun(network, () => postPermit(network, step.body, signature), give);
      const { status } = await watchToEnd(network, requestIdOf(quote));
      const { data } = await recordOf(network, requestIdOf(quote));
      expect([status, data.failReason]).to.deep.equal(["failure", "GASLESS_PERMIT_BALANCE_TOO_LOW"]);
      expect(await balanceOf(dollar, network.solver)).to.equal(held);
      expect(await balanceOf(dollar, network.accounts.stranger.address)).to.equal(all);
    });
  });
});
