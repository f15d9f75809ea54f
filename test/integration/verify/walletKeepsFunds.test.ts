import { expect } from "chai";
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  maxUint256,
  parseEther,
  zeroAddress,
} from "viem";
import { toAccount } from "viem/accounts";
import { getBalance, getCode, getTransactionCount, readContract } from "viem/actions";
import { hashAuthorization } from "viem/utils";

import { PERMIT2_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import * as sdk from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { createPreflight } from "../../../packages/crosscall/src/replay/preflight/preflight.ts";
import { swapRouterAbi } from "../../../packages/crosscall/src/localnet/market/swaps/swap.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { mintDollars, reader, userWallet } from "../support/parties.ts";
import { routerAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const STRANGER: Address = getAddress("0x00000000000000000000000000000000000c0de5");
const DOLLARS = 1_000_000_000n;

/** Lifetime of permits, in seconds. */
const LIFETIME = 600;

type Json = Readonly<Record<string, unknown>>;
type Attack = (quote: Quote) => unknown;

describe("a real wallet behind a hostile service", () => {
  const network = useNetwork();

  before(() => mintDollars(network, network.chains[0], DOLLARS));

  const origin = () => network.chains[0];
  const user = () => network.accounts.user.address;

  /** Changes each quote in transit, and records the paths of posted requests. */
  function hostileClient(attack: Attack): { readonly client: sdk.ServiceClient; readonly posted: string[] } {
    const posted: string[] = [];
    const client = sdk.createServiceClient({
      baseUrl: network.url,
      limits: false,
      async fetch(input, init) {
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        if (init?.method === "POST") posted.push(pathname);
        if (pathname !== "/quote/v2") return fetch(input, init);
        // The hostile service creates the permits itself.
        const { usePermit: _, ...request } = JSON.parse(init?.body as string) as QuoteRequest;
        const response = await fetch(input, { ...init, body: JSON.stringify(request) });
        return Response.json(attack((await response.json()) as Quote), { status: response.status });
      },
    });
    return { client, posted };
  }

  /** Wraps the wallet to record its signatures. */
  function watchedWallet() {
    const { user: account } = network.accounts;
    const signed: string[] = [];
    const watched = toAccount({
      address: account.address,
      signMessage(parameters) {
        signed.push("a message");
        return account.signMessage(parameters);
      },
      signTransaction(transaction, options) {
        signed.push("a transaction");
        return account.signTransaction(transaction, options);
      },
      signTypedData(parameters) {
        signed.push(`typed data of ${parameters.primaryType}`);
        return account.signTypedData(parameters);
      },
    });
    return { wallet: { ...userWallet(network, origin()), account: watched }, signed };
  }

  /** Returns all balances and allowances that an attack could change. */
  async function holdings() {
    const client = reader(origin());
    const { dollar, tether, wrappedNative, depository, uniswapRouter, router } = origin().contracts;
    const address = user();
    const tokens = await Promise.all(
      [dollar, tether, wrappedNative].map(async (token) => {
        const spenders = [depository, uniswapRouter, router, PERMIT2_ADDRESS, STRANGER];
        const contract = { address: token, abi: erc20Abi };
        return {
          balance: await readContract(client, { ...contract, functionName: "balanceOf", args: [address] }),
          allowances: await Promise.all(
            spenders.map((spender) =>
              readContract(client, { ...contract, functionName: "allowance", args: [address, spender] }),
            ),
          ),
        };
      }),
    );
    return {
      native: await getBalance(client, { address }),
      tokens,
      sent: await getTransactionCount(client, { address }),
      code: await getCode(client, { address }),
    };
  }

  interface Outcome {
    readonly error: unknown;
    readonly signed: readonly string[];
    readonly posted: readonly string[];
    readonly before: unknown;
    readonly after: unknown;
  }

  async function run(
    request: QuoteRequest,
    attack: Attack,
    parameters: Partial<sdk.ExecuteStepsParameters> = {},
  ): Promise<Outcome> {
    const { client, posted } = hostileClient(attack);
    const { wallet, signed } = watchedWallet();
    const quote = await sdk.getQuote(client, request);
    posted.length = 0;
    const before = await holdings();
    // The payment is not filled, so the test does not wait for a fill.
    const stop = new AbortController();
    const error = await failureOf(
      sdk.executeSteps(client, {
        quote,
        request,
        wallet,
        trust: network.trust,
        pollIntervalMs: 25,
        signal: stop.signal,
        onEvent: ({ kind }) => {
          if (kind === "confirmed") stop.abort();
        },
        ...parameters,
      }),
    );
    return { error, signed, posted, before, after: await holdings() };
  }

  /** Expects that nothing is signed, sent or posted, and that the account does not change. */
  async function keepsFunds(...parameters: Parameters<typeof run>): Promise<unknown> {
    const { error, signed, posted, before, after } = await run(...parameters);
    expect(signed).to.deep.equal([]);
    expect(posted).to.deep.equal([]);
    expect(after).to.deep.equal(before);
    return error;
  }

  const preflight = () => createPreflight(network);

  const unmetOf = (error: unknown): readonly string[] => {
    expect(error).to.be.instanceOf(sdk.QuoteRefusedError);
    return [...new Set((error as sdk.QuoteRefusedError).unmet.map(({ code }) => code))];
  };
  const findingsOf = (error: unknown): sdk.PreflightFailedError["findings"] => {
    expect(error).to.be.instanceOf(sdk.PreflightFailedError);
    return (error as sdk.PreflightFailedError).findings;
  };

  const swapOfEther = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    user: user(),
    originChainId: origin().id,
    destinationChainId: origin().id,
    originCurrency: zeroAddress,
    destinationCurrency: origin().contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: parseEther("1").toString(),
    ...change,
  });
  const swapOfDollars = (change: Partial<QuoteRequest> = {}): QuoteRequest =>
    swapOfEther({
      originCurrency: origin().contracts.dollar,
      destinationCurrency: zeroAddress,
      amount: "100000000",
      ...change,
    });
  const bridgeOfDollars = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    ...swapOfDollars(),
    destinationChainId: network.chains[1].id,
    destinationCurrency: network.chains[1].contracts.dollar,
    ...change,
  });

  /** Changes the data of all items of the last step. */
  function changeLast(quote: Quote, change: (data: Json) => Json): unknown {
    const changed = quote.steps.at(-1);
    const steps = quote.steps.map((step) =>
      step === changed
        ? { ...step, items: step.items.map((item) => ({ ...item, data: change({ ...item.data }) })) }
        : step,
    );
    return { ...quote, steps };
  }

  /** Returns the calls to the swap router, without the appended requestId. */
  const callsOf = (data: unknown): readonly Hex[] => {
    const { args } = decodeFunctionData({ abi: swapRouterAbi, data: String(data).slice(0, -64) as Hex });
    return (args as unknown as readonly [readonly Hex[]])[0];
  };
  const multicall = (calls: readonly Hex[]): Hex =>
    encodeFunctionData({ abi: swapRouterAbi, functionName: "multicall", args: [[...calls]] });
  const paramsOf = (call: Hex) => {
    const { functionName, args } = decodeFunctionData({ abi: swapRouterAbi, data: call });
    return functionName === "exactInput" ? args[0] : undefined;
  };
  /** Returns a swap that sells half of the input for any output. */
  const halve = (call: Hex): Hex => {
    const params = paramsOf(call);
    if (params === undefined) return call;
    const halved = { ...params, amountIn: params.amountIn / 2n, amountOutMinimum: 0n };
    return encodeFunctionData({ abi: swapRouterAbi, functionName: "exactInput", args: [halved] });
  };
  /** Returns a call to the swap router through the service's router, which pays the remainder to the stranger. */
  const throughRouter = (data: Json, callData: Hex, value: bigint): Json => ({
    ...data,
    to: origin().contracts.router,
    data: encodeFunctionData({
      abi: routerAbi,
      functionName: "multicall",
      args: [
        [{ target: origin().contracts.uniswapRouter, allowFailure: false, value, callData }],
        STRANGER,
        user(),
        "0x",
      ],
    }),
  });

  describe("keeps its funds if a swap", () => {
    const payChange: Attack = (quote) =>
      changeLast(quote, (data) => {
        const calls = callsOf(data.data);
        const swapped = calls.reduce((sum, call) => sum + (paramsOf(call)?.amountIn ?? 0n), 0n);
        return throughRouter(data, multicall(calls.map(halve)), BigInt(String(data.value)) - swapped / 2n);
      });

    it("pays the remainder to a stranger, and no preflight check is set", async () => {
      const error = await keepsFunds(swapOfEther(), payChange);
      expect(unmetOf(error)).to.deep.equal([]);
      expect(error).to.include({ verdict: "needsSimulation" });
    });

    it("pays the remainder to a stranger, and a preflight check reports the lower output", async () => {
      const error = await keepsFunds(swapOfEther(), payChange, { preflight: preflight() });
      expect(findingsOf(error).map(({ code }) => code)).to.deep.equal(["OUTPUT_MISSING", "STRANGER_PAID"]);
    });

    it("pays a remainder within the slippage to a stranger, and a preflight check reports the payment", async () => {
      const attack: Attack = (quote) =>
        changeLast(quote, (data) => throughRouter(data, multicall(callsOf(data.data)), BigInt(String(data.value))));
      const request = swapOfEther({ tradeType: "EXACT_OUTPUT", amount: "500000000", slippageTolerance: "100" });
      const error = await keepsFunds(request, attack, { preflight: preflight() });
      const named = findingsOf(error).filter(({ reason }) => reason.toLowerCase().includes(STRANGER.toLowerCase()));
      expect(named).to.have.lengthOf(1);
    });

    it("pays a stranger instead of funding the user's own calls, and a preflight check reports both", async () => {
      const { dollar, vault, router } = origin().contracts;
      const approve = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [vault, 1n] });
      const txs = [{ to: dollar, data: approve, value: "0" }];
      const attack: Attack = (quote) =>
        changeLast(quote, (data) => {
          const own = { target: dollar, allowFailure: false, value: 0n, callData: approve };
          const stolen = {
            target: STRANGER,
            allowFailure: false,
            value: BigInt(String(data.value)),
            callData: "0x",
          } as const;
          const calls = encodeFunctionData({
            abi: routerAbi,
            functionName: "multicall",
            args: [[stolen, own], user(), user(), "0x"],
          });
          return { ...data, to: router, data: calls };
        });
      const error = await keepsFunds(swapOfEther({ txs }), attack, { preflight: preflight() });
      expect(findingsOf(error).map(({ code }) => code)).to.deep.equal(["OUTPUT_MISSING", "STRANGER_PAID"]);
    });

    it("leaves an allowance, and a preflight check reports it", async () => {
      const attack: Attack = (quote) =>
        changeLast(quote, (data) => {
          const calls = callsOf(data.data).map(halve);
          return { ...data, data: multicall(calls.slice(0, -1).concat(unwrapAll())) };
        });
      const unwrapAll = (): Hex =>
        encodeFunctionData({ abi: swapRouterAbi, functionName: "unwrapWETH9", args: [0n, user()] });
      // The slippage allows the smaller output, so only the allowance is wrong.
      const request = swapOfDollars({ slippageTolerance: "6000" });
      const [finding, ...others] = findingsOf(await keepsFunds(request, attack, { preflight: preflight() }));
      expect([finding?.code, others]).to.deep.equal(["ALLOWANCE_LEFT", []]);
      expect(finding?.reason.toLowerCase()).to.include(origin().contracts.uniswapRouter.toLowerCase());
    });
  });

  describe("keeps its funds if an approval", () => {
    const approving =
      (spender: Address, amount: bigint): Attack =>
      (quote) => {
        const steps = quote.steps.filter(({ id }) => id !== "approve");
        const data = {
          from: user(),
          to: origin().contracts.dollar,
          data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] }),
          value: "0",
          chainId: origin().id,
        };
        const approval = { ...steps[0], id: "approve", items: [{ status: "incomplete", data }] };
        return { ...quote, steps: [approval, ...steps] };
      };

    for (const [what, amount] of [
      ["twice the amount", 200_000_000n],
      ["one unit more", 100_000_001n],
      ["everything", maxUint256],
    ] as const) {
      it(`would leave an allowance because it is for ${what}`, async () => {
        for (const request of [bridgeOfDollars(), swapOfDollars({ slippageTolerance: "0" })]) {
          const { depository, uniswapRouter } = origin().contracts;
          const spender = request.destinationChainId === origin().id ? uniswapRouter : depository;
          const error = await keepsFunds(request, approving(spender, amount), { preflight: preflight() });
          expect(unmetOf(error)).to.deep.equal(["APPROVAL_AMOUNT"]);
        }
      });
    }

    it("approves a stranger", async () => {
      const error = await keepsFunds(bridgeOfDollars(), approving(STRANGER, 100_000_000n));
      expect(unmetOf(error)).to.deep.equal(["APPROVAL_SPENDER"]);
    });
  });

  /** Replaces the steps with a message to sign and post. */
  const signInstead = (quote: Quote, sign: Json): unknown => {
    const [{ requestId } = { requestId: "" }] = quote.steps;
    const post = { endpoint: "/execute/permits", method: "POST", body: { kind: "eip3009", requestId, api: "swap" } };
    const check = { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" };
    const items = [{ status: "incomplete", data: { sign, post }, check }];
    const step = { id: "authorize1", action: "", description: "", kind: "signature", requestId, items };
    return { ...quote, steps: [step] };
  };

  describe("with permits", () => {
    const members = (...pairs: readonly string[]) =>
      pairs.map((pair) => {
        const [type, name] = pair.split(" ");
        return { name, type };
      });
    const deadline = () => Math.floor(network.clock.now() / 1_000) + LIFETIME;
    const dollarDomain = async (): Promise<Json> => {
      const contract = { address: origin().contracts.dollar, abi: localDollarAbi } as const;
      const [, name, version] = await readContract(reader(origin()), { ...contract, functionName: "eip712Domain" });
      return { name, version, chainId: origin().id, verifyingContract: contract.address };
    };

    /** Permits for an amount, in the service's format. */
    const PERMITS: Readonly<Record<string, (amount: string) => Promise<Json>>> = {
      TransferWithAuthorization: async (amount) => ({
        domain: await dollarDomain(),
        types: {
          TransferWithAuthorization: members(
            "address from",
            "address to",
            "uint256 value",
            "uint256 validAfter",
            "uint256 validBefore",
            "bytes32 nonce",
          ),
        },
        value: {
          from: user(),
          to: network.solver,
          value: amount,
          validAfter: 0,
          validBefore: deadline(),
          nonce: `0x${"11".repeat(32)}`,
        },
      }),
      Permit: async (amount) => ({
        domain: await dollarDomain(),
        types: {
          Permit: members("address owner", "address spender", "uint256 value", "uint256 nonce", "uint256 deadline"),
        },
        value: {
          owner: user(),
          spender: origin().contracts.depository,
          value: amount,
          nonce: "0",
          deadline: deadline(),
        },
      }),
      PermitBatchWitnessTransferFrom: (amount) =>
        Promise.resolve({
          domain: { name: "Permit2", chainId: origin().id, verifyingContract: PERMIT2_ADDRESS },
          types: {
            PermitBatchWitnessTransferFrom: members(
              "TokenPermissions[] permitted",
              "address spender",
              "uint256 nonce",
              "uint256 deadline",
              "RelayerWitness witness",
            ),
            TokenPermissions: members("address token", "uint256 amount"),
            RelayerWitness: members("address relayer"),
          },
          value: {
            permitted: [{ token: origin().contracts.dollar, amount }],
            spender: origin().contracts.uniswapRouter,
            nonce: "7",
            deadline: deadline(),
            witness: { relayer: network.solver },
          },
        }),
    };

    for (const [primaryType, permitOf] of Object.entries(PERMITS)) {
      const attackWith = async (amount: string): Promise<Attack> => {
        const sign = { signatureKind: "eip712", primaryType, ...(await permitOf(amount)) };
        return (quote) => signInstead(quote, sign);
      };
      const request = () => bridgeOfDollars({ usePermit: true });

      it(`keeps its funds if a permit is for twice the amount: ${primaryType}`, async () => {
        expect(unmetOf(await keepsFunds(request(), await attackWith("200000000")))).to.deep.equal(["PERMIT_AMOUNT"]);
      });

      it(`signs a permit for the amount, and posts it: ${primaryType}`, async () => {
        const { error, signed, posted } = await run(request(), await attackWith("100000000"));
        expect(signed).to.deep.equal([`typed data of ${primaryType}`]);
        expect(posted).to.deep.equal(["/execute/permits"]);
        // The local service did not request this permit.
        expect(error).to.be.instanceOf(sdk.ServiceError).and.include({ status: 400 });
      });
    }
  });

  it("signs and sends the requested payment", async () => {
    const { signed, before, after } = await run(bridgeOfDollars(), (quote) => quote);
    expect(signed).to.deep.equal(["a transaction"]);
    expect(after).to.not.deep.equal(before);
  });

  describe("keeps its code if an EIP-7702 authorization for an unknown delegate", () => {
    const authorization = () => ({
      chainId: origin().id,
      address: STRANGER,
      nonce: 0,
      yParity: 0,
      r: `0x${"11".repeat(32)}`,
      s: `0x${"22".repeat(32)}`,
    });

    it("is in a transaction", async () => {
      const attack: Attack = (quote) =>
        changeLast(quote, (data) => ({ ...data, authorizationList: [authorization()] }));
      expect(unmetOf(await keepsFunds(bridgeOfDollars(), attack))).to.include("AUTHORIZATION_DELEGATE");
    });

    it("is requested by a step", async () => {
      const { chainId, address, nonce } = authorization();
      const typed = {
        domain: { chainId },
        types: { Authorization: [{ name: "address", type: "address" }] },
        primaryType: "Authorization",
        value: { address },
      };
      const signs: readonly (readonly [code: string, sign: Json])[] = [
        ["AUTHORIZATION_DELEGATE", { signatureKind: "eip7702", authorization: { chainId, address, nonce } }],
        [
          "SIGNATURE_KNOWN",
          { signatureKind: "eip191", message: hashAuthorization({ chainId, contractAddress: address, nonce }) },
        ],
        ["SIGNATURE_KNOWN", { signatureKind: "eip712", ...typed }],
      ];
      for (const [code, sign] of signs) {
        const error = await keepsFunds(bridgeOfDollars(), (quote) => signInstead(quote, sign));
        expect(unmetOf(error)).to.include(code);
      }
    });
  });
});
