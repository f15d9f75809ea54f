import { expect } from "chai";
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  maxUint256,
  parseEther,
  stringToHex,
  zeroAddress,
} from "viem";
import { simulateContract, waitForTransactionReceipt, writeContract } from "viem/actions";

import { PERMIT2_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import { createServiceClient, executeSteps, type PreflightFailedError } from "../../../packages/sdk/src/index.ts";
import { LOCAL_ROUTER_VERSIONS } from "../../../packages/protocol/src/generations/routers.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { quoteFeeTable, type QuoteRequest, recordFeeTable } from "../../../packages/protocol/src/index.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { createPreflight } from "../../../packages/crosscall/src/replay/preflight/preflight.ts";
import { getQuote } from "../../support/complete.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { reader, userWallet } from "../support/parties.ts";
import { requestIdOf, watchToEnd } from "../support/requests.ts";
import { get, post, recordOf } from "../support/serviceCalls.ts";
import { fundPermits, permitRequest, permitStepOf, postPermit, signPermit } from "./support.ts";
import { localApprovalProxyAbi } from "../../../packages/crosscall/src/abi/localContracts.generated.ts";

interface PermitValue {
  readonly permitted: readonly { readonly token: Address; readonly amount: string }[];
  readonly nonce: string;
  readonly deadline: number;
  readonly witness: {
    readonly refundTo: Address;
    readonly nftRecipient: Address;
    readonly metadata: Hex;
    readonly call3Values: readonly {
      readonly target: Address;
      readonly allowFailure: boolean;
      readonly value: string;
      readonly callData: Hex;
    }[];
  };
}

/** Type hashes of the live approval proxies. */
const WITNESS_TYPES = {
  "3.0": "0x4b21a98ca11613e848d71d25db5eb5a6ee6e910560d8f8eebeff8ea5168af917",
  "3.2": "0xd76374691ddc05e36dab8a7c32edf97cf0c848dfabcd1ce363972ae476b3181e",
} as const;
const RECIPIENT: Address = "0x00000000000000000000000000000000000000bb";

for (const router of LOCAL_ROUTER_VERSIONS) {
  describe(`permits for same-chain requests with the ${router} router`, () => {
    const network = useNetwork({ router, apiKeys: ["crosscall-local"], sponsoringApiKeys: ["crosscall-local"] });
    let chain: LocalnetChain;
    let user: Address;

    before(async () => {
      [chain] = network.chains;
      user = network.accounts.user.address;
      await fundPermits(network);
      for (const token of [chain.contracts.tether, chain.contracts.dollar]) await approve(token, maxUint256);
    });

    const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });
    const admin = () => ({ "x-admin-key": network.adminKey });
    const request = (change: Partial<QuoteRequest> = {}): QuoteRequest =>
      permitRequest(network, "permit2", {
        recipient: RECIPIENT,
        destinationChainId: chain.id,
        destinationCurrency: zeroAddress,
        subsidizeFees: true,
        ...change,
      });
    const quoteOf = (change: Partial<QuoteRequest> = {}): Promise<Quote> => getQuote(client(), request(change));
    const held = (currency: string, account: Address): Promise<bigint> =>
      currency === zeroAddress
        ? reader(chain).getBalance({ address: account })
        : reader(chain).readContract({
            address: currency as Address,
            abi: erc20Abi,
            functionName: "balanceOf",
            args: [account],
          });
    const sponsorBalance = async (): Promise<bigint> => {
      const { body } = await get(network, `/admin/sponsors?apiKey=${network.apiKey}`, admin());
      return BigInt((body as { balance: string }).balance);
    };
    const setSponsorBalance = (balance: bigint) =>
      post(network, "/admin/sponsors", { apiKey: network.apiKey, balance: balance.toString() }, admin());
    async function approve(token: Address, amount: bigint): Promise<void> {
      const wallet = userWallet(network, chain);
      const args = [PERMIT2_ADDRESS, amount] as const;
      const hash = await writeContract(wallet, { address: token, abi: erc20Abi, functionName: "approve", args });
      await waitForTransactionReceipt(wallet, { hash });
    }
    async function sign(quote: Quote): Promise<Hex> {
      const step = permitStepOf(quote);
      const signature = await signPermit(network, step);
      expect((await postPermit(network, step.body, signature)).status).to.equal(200);
      return signature;
    }

    const KINDS: Readonly<Record<string, readonly [requestType: string, change: () => Partial<QuoteRequest>]>> = {
      "a swap to native": ["Same-chain Swap", () => ({})],
      "a swap of dollars, which needs Permit2": [
        "Same-chain Swap",
        () => ({ originCurrency: chain.contracts.dollar, destinationCurrency: chain.contracts.tether }),
      ],
      "a token sent": ["Send", () => ({ destinationCurrency: chain.contracts.tether })],
    };
    for (const [name, [requestType, change]] of Object.entries(KINDS)) {
      it(`run ${name} without gas from the user, at the sponsor's expense`, async () => {
        const quote = await quoteOf(change());
        expect(quote.steps.map(({ id, kind }) => [id, kind])).to.deep.equal([["authorize2", "signature"]]);
        expect(quote.protocol).to.equal(undefined);
        const { message, body } = permitStepOf(quote);
        expect(body).to.deep.equal({ kind: "permit2", requestId: requestIdOf(quote), api: "user-swap" });
        expect(message.spender).to.equal(chain.contracts.approvalProxy);
        const table = quoteFeeTable(quote);
        expect(table.mismatches).to.deep.equal([]);
        expect(table.sponsorPaysUsdE18).to.equal(
          table.lines.filter(({ component }) => component !== "swap").reduce((sum, { usdE18 }) => sum + usdE18, 0n),
        );

        const { currencyIn, currencyOut } = quote.details;
        const [input, output] = [currencyIn.currency.address, currencyOut.currency.address];
        const balances = () =>
          Promise.all([
            held(input, user),
            held(zeroAddress, user),
            held(input, network.solver),
            held(output, RECIPIENT),
          ]);
        const [before, credit] = [await balances(), await sponsorBalance()];
        const { status, transactions, requestId } = await executeSteps(client(), {
          quote,
          wallet: userWallet(network, chain),
          preflight: createPreflight(network),
          pollIntervalMs: 25,
        });
        expect([status.status, transactions]).to.deep.equal(["success", []]);
        expect(await balances()).to.deep.equal([
          before[0] - BigInt(currencyIn.amount),
          before[1],
          before[2],
          before[3] + BigInt(currencyOut.amount),
        ]);
        // No tokens remain where other accounts could take them.
        for (const token of [input, zeroAddress]) {
          expect(await held(token, chain.contracts.router)).to.equal(0n);
          expect(await held(token, chain.contracts.approvalProxy)).to.equal(0n);
        }

        const record = await recordOf(network, requestId);
        expect(record).to.include({ requestType, status: "success", protocol: null, sender: user });
        expect(record.features).to.deep.equal(["gasless_swap"]);
        expect(status.txHashes).to.deep.equal(status.inTxHashes);
        expect(record.data.outTxs.map(({ txHash }) => txHash)).to.deep.equal(status.txHashes);
        expect(recordFeeTable(record, "quoted")?.lines).to.deep.equal(table.lines);
        const paid = recordFeeTable(record, "actual");
        expect([paid?.sponsorPaysUsdE18, paid?.mismatches]).to.deep.equal([table.sponsorPaysUsdE18, []]);
        const { actual } = record.data.feeSponsorship ?? expect.fail("no sponsorship");
        expect(actual?.selectedComponents).to.deep.equal(["execution", "platform", "app"]);
        const charged = credit - (await sponsorBalance());
        expect(charged - table.sponsorPaysUsdE18 / 10n ** 12n <= 1n).to.equal(true);
      });
    }

    it("are preceded by an approval of Permit2 if needed, and can unwrap native currency", async () => {
      const { wrappedNative } = chain.contracts;
      const quote = await quoteOf({ originCurrency: wrappedNative, amount: parseEther("0.1").toString() });
      expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "authorize2"]);
      const before = await held(zeroAddress, RECIPIENT);
      const { requestId } = await executeSteps(client(), {
        quote,
        wallet: userWallet(network, chain),
        preflight: createPreflight(network),
        pollIntervalMs: 25,
      });
      expect((await recordOf(network, requestId)).requestType).to.equal("Unwrap");
      expect((await held(zeroAddress, RECIPIENT)) - before).to.equal(parseEther("0.1"));
    });

    it("pay app fees to their recipients from the sponsor's balance", async () => {
      const appFees = [{ recipient: network.accounts.stranger.address, fee: "100" }];
      const [plain, quote] = [await quoteOf(), await quoteOf({ appFees })];
      expect(quote.details.currencyOut.amount).to.equal(plain.details.currencyOut.amount);
      await sign(quote);
      expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
      const { data } = await recordOf(network, requestIdOf(quote));
      expect(data.feeSponsorship?.actual?.components.app.sponsored.amountUsd).to.equal("0.500000");
      expect(data.feeSponsorship?.actual?.userPaysTotal.amountUsd).to.equal(
        data.fees?.actual?.swap.usd.replace(/^-/u, ""),
      );
    });

    it("are signed only after a simulation of their calls", async () => {
      const quote = await quoteOf();
      const wallet = userWallet(network, chain);
      expect(await failureOf(executeSteps(client(), { quote, wallet }))).to.have.property("code", "QUOTE_REFUSED");
      const altered = structuredClone(quote);
      const data = altered.steps[0]?.items[0]?.data as { sign: { value: { witness: { call3Values: unknown[] } } } };
      const stolen = encodeFunctionData({
        abi: erc20Abi,
        functionName: "transfer",
        args: [network.accounts.stranger.address, BigInt(quote.details.currencyIn.amount)],
      });
      data.sign.value.witness.call3Values = [
        { target: chain.contracts.tether, allowFailure: false, value: "0", callData: stolen },
      ];
      const error = await failureOf(
        executeSteps(client(), {
          quote: altered,
          request: request(),
          wallet,
          preflight: createPreflight(network),
        }),
      );
      const { findings } = error as PreflightFailedError;
      expect(findings.map(({ code }) => code).toSorted()).to.deep.equal(["OUTPUT_MISSING", "STRANGER_PAID"]);
      expect((await recordOf(network, requestIdOf(quote))).status).to.equal("waiting");
    });

    it("can be used by the solver only, with the signed calls only", async () => {
      const step = permitStepOf(await quoteOf());
      const signature = await signPermit(network, step);
      const { permitted, nonce, deadline, witness } = step.message as unknown as PermitValue;
      const calls = witness.call3Values.map((call) => ({ ...call, value: BigInt(call.value) }));
      const use = (account: Address, used: readonly (typeof calls)[number][]) =>
        simulateContract(reader(chain), {
          account,
          address: chain.contracts.approvalProxy,
          abi: localApprovalProxyAbi,
          functionName: "permit2TransferAndMulticall",
          args: [
            user,
            {
              permitted: permitted.map(({ token, amount }) => ({ token, amount: BigInt(amount) })),
              nonce: BigInt(nonce),
              deadline: BigInt(deadline),
            },
            used,
            witness.refundTo,
            witness.nftRecipient,
            witness.metadata,
            signature,
          ],
        });
      await use(network.solver, calls);
      for (const attack of [use(network.accounts.stranger.address, calls), use(network.solver, calls.slice(1))]) {
        expect(String(await failureOf(attack))).to.include("0x815e1d64");
      }
    });

    it("have the same EIP-712 types as on the live service", async () => {
      const { types, primaryType } = permitStepOf(await quoteOf());
      expect(primaryType).to.equal("PermitBatchWitnessTransferFrom");
      const encoded = ["RelayerWitness", "Call3Value"].map(
        (name) => `${name}(${(types[name] ?? []).map((member) => `${member.type} ${member.name}`).join(",")})`,
      );
      expect(keccak256(stringToHex(encoded.join("")))).to.equal(WITNESS_TYPES[router]);
    });

    describe("take nothing from the user and the sponsor", () => {
      async function failure(quote: Quote): Promise<string | null> {
        const { status } = await watchToEnd(network, requestIdOf(quote));
        expect(status).to.equal("failure");
        const { data } = await recordOf(network, requestIdOf(quote));
        expect(data.fees?.actual).to.equal(null);
        return data.failReason;
      }

      it("if the sponsor cannot pay", async () => {
        const [quote, credit] = [await quoteOf(), await sponsorBalance()];
        const before = await held(chain.contracts.tether, user);
        await setSponsorBalance(1n);
        await sign(quote);
        expect(await failure(quote)).to.equal("SPONSOR_BALANCE_TOO_LOW");
        expect([await sponsorBalance(), await held(chain.contracts.tether, user)]).to.deep.equal([1n, before]);
        await setSponsorBalance(credit);
      });

      it("if the price moves beyond the tolerance", async () => {
        const quote = await quoteOf({ slippageTolerance: "1" });
        await fundPermits(network, 2_000n);
        const large = await quoteOf({ amount: "100000000000" });
        await sign(large);
        expect((await watchToEnd(network, requestIdOf(large))).status).to.equal("success");
        const [before, credit] = [await held(chain.contracts.tether, user), await sponsorBalance()];
        await sign(quote);
        expect(await failure(quote)).to.equal("TOO_LITTLE_RECEIVED");
        expect([await sponsorBalance(), await held(chain.contracts.tether, user)]).to.deep.equal([credit, before]);
      });
    });

    it("are rejected if other calls are signed", async () => {
      const quote = await quoteOf();
      const step = permitStepOf(quote);
      const { call3Values, ...witness } = step.message.witness as { call3Values: readonly object[] };
      const changed = { ...step.message, witness: { ...witness, call3Values: call3Values.slice(1) } };
      const answer = await postPermit(network, step.body, await signPermit(network, { ...step, message: changed }));
      expect(answer.status).to.equal(400);
      expect((await recordOf(network, requestIdOf(quote))).status).to.equal("waiting");
    });

    const REFUSALS: Readonly<Record<string, readonly [change: Partial<QuoteRequest>, field: string]>> = {
      "unsponsored fees": [{ subsidizeFees: false }, "usePermit"],
      "some sponsored fees": [{ sponsoredFeeComponents: ["execution"] }, "sponsoredFeeComponents"],
      "a capped sponsorship": [{ maxSubsidizationAmount: "1" }, "maxSubsidizationAmount"],
      "an exact output": [{ tradeType: "EXACT_OUTPUT", amount: "1000000000" }, "tradeType"],
      calls: [{ txs: [{ to: RECIPIENT, data: "0x", value: "0" }] }, "originCurrency"],
    };
    for (const [name, [change, field]] of Object.entries(REFUSALS)) {
      it(`cannot be quoted for ${name}`, async () => {
        const answer = await post(network, "/quote/v2", request(change), { "x-api-key": network.apiKey });
        expect([answer.status, answer.body]).to.deep.include(400);
        expect(answer.body).to.include({ errorCode: "UNSUPPORTED_EXECUTION_TYPE", field });
      });
    }
  });
}
