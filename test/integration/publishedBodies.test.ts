import { expect } from "chai";
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseEther, parseUnits, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { readContract, sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";

import type { LocalnetChain } from "../../packages/crosscall/src/localnet/index.ts";
import type { Quote } from "../../packages/protocol/src/complete.ts";
import { PERMIT2_ADDRESS } from "../../packages/protocol/src/chains/serviceAddresses.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { authorize, callsOf, nextNonce, signBatch } from "./gasless/batches.ts";
import { accountOf, signOperation } from "./gasless/operations.ts";
import { permitStepOf, postPermit, signPermit } from "./gasless/support.ts";
import { reader, userWallet } from "./support/parties.ts";
import { requestIdOf, watchToEnd } from "./support/requests.ts";
import { post, recordOf } from "./support/serviceCalls.ts";

// Values in the format that the guides use.
const BASE_USDC: Address = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const ARBITRUM_USDC: Address = "0xaf88d065e77c8cC2239327C5EDb3A432268e5831";
const OPTIMISM_USDC: Address = "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85";
const OPTIMISM_USDT: Address = "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58";
const SOLANA_ID = 792_703_809;
const SOLANA_USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOLANA_USER = "CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr";

type Body = Readonly<Record<string, unknown>>;

/** Request bodies from guides and programs for the live service, with this network's accounts. */
describe("published request bodies on a network like mainnet", () => {
  const network = useNetwork({
    like: "mainnet",
    chains: [8_453, 42_161, 10].map((id) => ({ id, blockTimeMs: 0 })),
    sponsoringApiKeys: ["crosscall-local"],
    defaultApiKey: "crosscall-local",
  });
  let user: Address;
  let recipient: Address;

  before(async () => {
    user = network.accounts.user.address;
    recipient = network.accounts.stranger.address;
    await chain(8_453).fund(user, BASE_USDC, parseUnits("1000", 6));
    await chain(10).fund(user, OPTIMISM_USDT, parseUnits("1000", 6));
  });

  const chain = (id: number): LocalnetChain => {
    const found = network.chains.find((one) => one.id === id);
    if (found === undefined) throw new Error(`no chain ${id}`);
    return found;
  };
  const balanceOf = (chainId: number, currency: Address, holder: Address): Promise<bigint> =>
    currency === zeroAddress
      ? reader(chain(chainId)).getBalance({ address: holder })
      : readContract(reader(chain(chainId)), {
          address: currency,
          abi: erc20Abi,
          functionName: "balanceOf",
          args: [holder],
        });

  /** @param path path of an endpoint that returns version 2 quotes */
  const quote = async (body: Body, path = "/quote/v2"): Promise<Quote> => {
    const { status, body: answer } = await post(network, path, body);
    expect(status, JSON.stringify(answer)).to.equal(200);
    return answer as Quote;
  };
  /** Sends a quote's transactions, posts its signatures, and polls the request until it is filled. */
  const pay = async (quoted: Quote): Promise<void> => {
    for (const { kind, items } of quoted.steps) {
      if (kind === "signature") {
        const step = permitStepOf(quoted);
        const { status, body } = await postPermit(network, step.body, await signPermit(network, step));
        expect(status, JSON.stringify(body)).to.equal(200);
        continue;
      }
      for (const { data } of items) {
        const { chainId, to, value = "0", data: input } = data as Record<string, string>;
        const wallet = userWallet(network, chain(Number(chainId)));
        const transaction = { to: to as Address, data: input as Hex, value: BigInt(value) };
        await waitForTransactionReceipt(wallet, { hash: await sendTransaction(wallet, transaction) });
      }
    }
    await expectFilled(requestIdOf(quoted));
  };
  const expectFilled = async (requestId: string): Promise<void> => {
    const { status, details } = await watchToEnd(network, requestId);
    expect(status, details ?? "").to.equal("success");
  };
  /** @returns the amount that the holder receives during an action */
  const received = async (
    [chainId, currency, holder]: readonly [chainId: number, currency: Address, holder: Address],
    act: () => Promise<void>,
  ): Promise<bigint> => {
    const before = await balanceOf(chainId, currency, holder);
    await act();
    return (await balanceOf(chainId, currency, holder)) - before;
  };

  const bridge = () => ({
    user,
    originChainId: 8_453,
    destinationChainId: 10,
    originCurrency: zeroAddress,
    destinationCurrency: zeroAddress,
    amount: parseEther("1").toString(),
    tradeType: "EXACT_INPUT",
  });
  const dollars = () => ({
    ...bridge(),
    recipient,
    destinationChainId: 42_161,
    originCurrency: BASE_USDC,
    destinationCurrency: ARBITRUM_USDC,
    amount: "10000000",
  });

  describe("from quick starts and references", () => {
    const bodies: Readonly<Record<string, () => Body & { destinationChainId: number; destinationCurrency: Address }>> =
      {
        "the native currency": () => ({ ...bridge(), recipient }),
        "dollars, with addresses in mixed case": dollars,
        "dollars, with addresses in lower case": () => ({
          ...dollars(),
          user: user.toLowerCase(),
          recipient: recipient.toLowerCase(),
          originCurrency: BASE_USDC.toLowerCase(),
          destinationCurrency: ARBITRUM_USDC.toLowerCase() as Address,
        }),
        "the native currency for dollars": () => ({
          ...bridge(),
          recipient,
          destinationCurrency: OPTIMISM_USDC,
          amount: "10000000000000000",
          slippageTolerance: "50",
        }),
        "dollars that must be reset or approved, for the native currency": () => ({
          ...bridge(),
          recipient,
          originChainId: 10,
          destinationChainId: 8_453,
          originCurrency: OPTIMISM_USDT,
          amount: "20000000",
        }),
        "amounts and slippage as JSON numbers": () => ({
          ...dollars(),
          amount: 10_000_000,
          slippageTolerance: 50,
          latePaymentSlippageTolerance: 100,
          appFees: [{ recipient, fee: 100 }],
        }),
        "an exact output": () => ({ ...dollars(), tradeType: "EXACT_OUTPUT" }),
        "an expected output": () => ({ ...dollars(), tradeType: "EXPECTED_OUTPUT" }),
      };

    for (const [name, bodyOf] of Object.entries(bodies)) {
      it(`${name}: is quoted, paid and filled`, async () => {
        const body = bodyOf();
        const quoted = await quote(body);
        const { destinationChainId, destinationCurrency } = body;
        const amount = await received([destinationChainId, destinationCurrency, recipient], () => pay(quoted));
        expect(amount.toString()).to.equal(quoted.details.currencyOut.amount);
      });
    }

    it("without a recipient: pay the output to the user", async () => {
      const quoted = await quote({ ...bridge(), originCurrency: BASE_USDC, amount: "10000000" });
      const amount = await received([10, zeroAddress, user], () => pay(quoted));
      expect(amount.toString()).to.equal(quoted.details.currencyOut.amount);
    });

    it("are accepted by all quote endpoints", async () => {
      for (const path of ["/quote", "/quote/v2", "/quote/v3"]) {
        const { status, body } = await post(network, path, bridge());
        expect(status, `${path}: ${JSON.stringify(body)}`).to.equal(200);
      }
    });

    it("with a destination on Solana: are quoted, paid and filled", async () => {
      const quoted = await quote({
        ...dollars(),
        destinationChainId: SOLANA_ID,
        destinationCurrency: SOLANA_USDC,
        recipient: SOLANA_USER,
      });
      expect(quoted.details.recipient).to.equal(SOLANA_USER);
      await pay(quoted);
    });

    it("with an origin on Solana: are quoted with instructions", async () => {
      const quoted = await quote({
        user: SOLANA_USER,
        recipient,
        originChainId: SOLANA_ID,
        destinationChainId: 8_453,
        originCurrency: "11111111111111111111111111111111",
        destinationCurrency: zeroAddress,
        amount: "1000000000",
        tradeType: "EXACT_INPUT",
      });
      expect(quoted.steps.flatMap(({ items }) => items.map(({ data }) => Object.keys(data as object)))).to.satisfy(
        (keys: string[][]) => keys.every((names) => names.includes("instructions")),
      );
    });

    it("with calls on the destination: are executed with the output", async () => {
      const target = privateKeyToAccount(generatePrivateKey()).address;
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [target, 5_000_000n] });
      const quoted = await quote({
        ...dollars(),
        amount: "5000000",
        tradeType: "EXACT_OUTPUT",
        txs: [{ to: ARBITRUM_USDC, value: "0", data }],
      });
      expect(await received([42_161, ARBITRUM_USDC, target], () => pay(quoted))).to.equal(5_000_000n);
    });
  });

  describe("for deposit addresses", () => {
    const addressOf = (quoted: Quote): Address => quoted.steps[0]?.depositAddress as Address;

    it("open: a transfer from any account is filled", async () => {
      const quoted = await quote({
        ...bridge(),
        user: zeroAddress,
        recipient,
        refundTo: user,
        useDepositAddress: true,
        amount: "20000000000000000",
      });
      const wallet = userWallet(network, chain(8_453));
      const amount = await received([10, zeroAddress, recipient], async () => {
        const transfer = { to: addressOf(quoted), value: 20_000_000_000_000_000n };
        await waitForTransactionReceipt(wallet, { hash: await sendTransaction(wallet, transfer) });
        await expectFilled(requestIdOf(quoted));
      });
      expect(amount > parseEther("0.019") && amount < parseEther("0.02")).to.equal(true);
    });

    it("strict: the quoted transfer is filled", async () => {
      const quoted = await quote({ ...dollars(), refundTo: user, useDepositAddress: true, strict: true });
      const wallet = userWallet(network, chain(8_453));
      const amount = await received([42_161, ARBITRUM_USDC, recipient], async () => {
        const hash = await writeContract(wallet, {
          address: BASE_USDC,
          abi: erc20Abi,
          functionName: "transfer",
          args: [addressOf(quoted), 10_000_000n],
        });
        await waitForTransactionReceipt(wallet, { hash });
        await expectFilled(requestIdOf(quoted));
      });
      expect(amount > 9_000_000n && amount < 10_000_000n).to.equal(true);
      expect((await recordOf(network, requestIdOf(quoted))).depositAddress?.type).to.equal("strict");
    });
  });

  describe("for permits", () => {
    it("Circle's dollars: one signature pays", async () => {
      const quoted = await quote({ ...dollars(), usePermit: true });
      expect(quoted.steps.map(({ kind }) => kind)).to.deep.equal(["signature"]);
      const amount = await received([42_161, ARBITRUM_USDC, recipient], () => pay(quoted));
      expect(amount.toString()).to.equal(quoted.details.currencyOut.amount);
    });

    it("other dollars: a Permit2 approval and a signature pay", async () => {
      const quoted = await quote({
        ...dollars(),
        originChainId: 10,
        originCurrency: OPTIMISM_USDT,
        usePermit: true,
      });
      expect(quoted.steps.map(({ kind }) => kind)).to.deep.equal(["transaction", "signature"]);
      const [approval] = callsOf({ ...quoted, steps: quoted.steps.slice(0, 1) });
      expect(approval?.data.toLowerCase()).to.contain(PERMIT2_ADDRESS.slice(2).toLowerCase());
      const amount = await received([42_161, ARBITRUM_USDC, recipient], () => pay(quoted));
      expect(amount.toString()).to.equal(quoted.details.currencyOut.amount);
    });
  });

  describe("from a wallet that pays for transactions on other chains", () => {
    it("an exact output with an authorization and calls, with hexadecimal values, is filled", async () => {
      const target = privateKeyToAccount(generatePrivateKey()).address;
      const account = network.accounts.user;
      const transfer = (to: Address) =>
        encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, 5_000_000n] });
      const quoted = await quote({
        amount: "5000000",
        authorizationList: [await authorize(account, chain(42_161))],
        destinationChainId: 42_161,
        destinationCurrency: ARBITRUM_USDC.toLowerCase(),
        originChainId: 8_453,
        originCurrency: BASE_USDC.toLowerCase(),
        recipient: user,
        slippageTolerance: "50",
        tradeType: "EXACT_OUTPUT",
        txs: [
          { to: ARBITRUM_USDC.toLowerCase(), data: transfer(user), value: "0x0" },
          {
            to: user,
            data: await signBatch(account, chain(42_161), [{ to: ARBITRUM_USDC, value: 0n, data: transfer(target) }]),
            value: "0x0",
          },
        ],
        user,
      });
      expect(await received([42_161, ARBITRUM_USDC, target], () => pay(quoted))).to.equal(5_000_000n);
    });

    it("its own fields are ignored and named, and the quote is filled", async () => {
      const response = await fetch(`${network.url}/quote/v2`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          ...dollars(),
          metamask: { isExecute: true },
          source: "wallet",
          referrer: "wallet",
          referrerAddress: recipient,
        }),
      });
      expect(response.status).to.equal(200);
      expect(response.headers.get("x-crosscall-ignored")).to.equal("metamask, source, referrerAddress");
      await pay((await response.json()) as Quote);
    });

    it("calls by an account that delegates are executed without gas, and it still signs permits", async () => {
      const account = network.accounts.user;
      const base = chain(8_453);
      const quoted = await quote({ ...dollars(), originGasOverhead: 80_000 });
      const requestId = requestIdOf(quoted);
      const amount = await received([42_161, ARBITRUM_USDC, recipient], async () => {
        const { status, body } = await post(network, "/execute", {
          executionKind: "rawCalls",
          userAddress: user,
          data: {
            chainId: 8_453,
            to: user,
            data: await signBatch(account, base, callsOf(quoted), { nonce: await nextNonce(base, user) }),
            value: "0x0",
            authorizationList: [await authorize(account, base)],
          },
          executionOptions: { referrer: "", subsidizeFees: false },
          originGasOverhead: 80_000,
          requestId,
          metamask: { isExecute: true },
        });
        expect(status, JSON.stringify(body)).to.equal(200);
        await expectFilled(requestId);
      });
      expect(amount.toString()).to.equal(quoted.details.currencyOut.amount);

      const permit = await quote({ ...dollars(), usePermit: true });
      const permitted = await received([42_161, ARBITRUM_USDC, recipient], () => pay(permit));
      expect(permitted.toString()).to.equal(permit.details.currencyOut.amount);
    });

    it("an operation by a smart account is executed without gas", async () => {
      const owner = network.accounts.stranger;
      const base = chain(8_453);
      const sender = await accountOf(base, owner);
      await base.fund(sender, BASE_USDC, 1_000_000n);
      const quoted = await quote({
        ...dollars(),
        user: sender,
        recipient: sender,
        amount: "1000000",
        originGasOverhead: "300000",
      });
      const requestId = requestIdOf(quoted);
      const amount = await received([42_161, ARBITRUM_USDC, sender], async () => {
        const { status, body } = await post(
          network,
          "/execute",
          {
            executionKind: "rawCalls",
            data: {
              chainId: 8_453,
              to: base.contracts.entryPoint,
              data: await signOperation(owner, base, callsOf(quoted)),
              value: "0",
            },
            executionOptions: { subsidizeFees: true, referrer: "example" },
            requestId,
          },
          { "x-api-key": network.apiKey },
        );
        expect(status, JSON.stringify(body)).to.equal(200);
        await expectFilled(requestId);
      });
      expect(amount.toString()).to.equal(quoted.details.currencyOut.amount);
    });
  });
});
