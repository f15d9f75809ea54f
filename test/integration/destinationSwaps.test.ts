import { expect } from "chai";
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseEther,
  parseUnits,
  zeroAddress,
} from "viem";
import {
  readContract,
  sendTransaction,
  simulateContract,
  waitForTransactionReceipt,
  writeContract,
} from "viem/actions";

import type { Quote, RequestRecord } from "../../packages/protocol/src/complete.ts";
import { getQuote } from "../support/complete.ts";
import {
  createServiceClient,
  executeSteps,
  RequestNotFilledError,
  type ServiceError,
} from "../../packages/sdk/src/index.ts";
import { type ChainContracts, LOCAL_API_KEY } from "../../packages/crosscall/src/localnet/index.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { failureOf } from "./support/failureOf.ts";
import { mintDollars, reader, userWallet } from "./support/parties.ts";
import { recordOf } from "./support/serviceCalls.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { routerAbi } from "../../packages/protocol/src/abi/service.generated.ts";

const RECIPIENT: Address = "0x1111111111111111111111111111111111111111";

type Output = "tether" | "wrappedNative" | "token" | "feeToken";

// Written from Uniswap's documentation, independently of the kit, to verify the route's amounts.
const quoterAbi = parseAbi([
  "function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96) params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)",
]);

describe("fills that swap on the destination chain", () => {
  const network = useNetwork({ sponsoringApiKeys: [LOCAL_API_KEY] });
  const [origin, destination] = chainsOf(network);
  let contracts: ChainContracts;
  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  const user = () => network.accounts.user.address;

  before(() => {
    ({ contracts } = destination);
  });

  const quote = (output: Address, change: Partial<QuoteRequest> = {}): Promise<Quote> =>
    getQuote(client(), {
      user: user(),
      recipient: RECIPIENT,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: zeroAddress,
      destinationCurrency: output,
      tradeType: "EXACT_INPUT",
      amount: parseEther("1").toString(),
      ...change,
    });

  const execute = async (quoted: Quote): Promise<{ record: RequestRecord; fillHash: Hex }> => {
    const terms = { quote: quoted, wallet: userWallet(network, origin), pollIntervalMs: 25 };
    const { requestId, status } = await executeSteps(client(), terms);
    expect(status.status).to.equal("success");
    return { record: await recordOf(network, requestId), fillHash: status.txHashes?.[0] as Hex };
  };

  const balanceOf = (token: Address, account: Address): Promise<bigint> =>
    readContract(reader(destination), { address: token, abi: erc20Abi, functionName: "balanceOf", args: [account] });

  const expectCleanRouter = async (): Promise<void> => {
    const { router, dollar, tether, wrappedNative, token, feeToken, uniswapRouter, sweeper } = contracts;
    expect(await reader(destination).getBalance({ address: router })).to.equal(0n);
    for (const address of [dollar, tether, wrappedNative, token, feeToken]) {
      expect(await balanceOf(address, router)).to.equal(0n);
      for (const spender of [uniswapRouter, sweeper]) {
        const allowance = { address, abi: erc20Abi, functionName: "allowance", args: [router, spender] } as const;
        expect(await readContract(reader(destination), allowance)).to.equal(0n);
      }
    }
  };

  const sweepTo = (token: Address, recipient: Address): { to: Address; data: Hex; value: string } => ({
    to: contracts.router,
    data: encodeFunctionData({
      abi: routerAbi,
      functionName: "cleanupErc20s",
      args: [[token], [recipient], [0n], "0x"],
    }),
    value: "0",
  });

  const outputs: readonly [output: Output, source: string, inventory: "native" | "dollar"][] = [
    ["tether", "uniswap-v3", "dollar"],
    ["wrappedNative", "wrapped-native", "native"],
    ["token", "uniswap-v3", "native"],
    ["feeToken", "uniswap-v3", "native"],
  ];
  for (const [output, source, inventory] of outputs) {
    it(`deliver ${output} as quoted, and record the amounts transferred on the chain`, async () => {
      const address = contracts[output];
      const quoted = await quote(address);
      const expected = BigInt(quoted.details.currencyOut.amount);
      const leg = quoted.details.route.destination;
      expect(leg?.router).to.equal(source);
      expect(leg?.inputCurrency.currency.address).to.equal(
        inventory === "native" ? zeroAddress : contracts.dollar.toLowerCase(),
      );
      expect(leg?.outputCurrency.amount).to.equal(expected.toString());

      const before = await balanceOf(address, RECIPIENT);
      const { record } = await execute(quoted);
      expect((await balanceOf(address, RECIPIENT)) - before).to.equal(expected);
      const { route } = record.data;
      expect(route?.includedDestinationSwapSources).to.deep.equal([source]);
      expect(route?.includedSwapSources).to.deep.equal([source]);
      expect(route?.actual.destination?.outputCurrency.amount).to.equal(expected.toString());
      expect(route?.actual.destination?.inputCurrency).to.deep.equal(leg?.inputCurrency);
      expect(record).to.include({ requestType: "Crosschain Swap" });
      await expectCleanRouter();
    });

    it(`run the calls with the ${output} received from the swap`, async () => {
      const address = contracts[output];
      const quoted = await quote(address, { txs: [sweepTo(address, RECIPIENT)] });
      const expected = BigInt(quoted.details.currencyOut.amount);
      const before = await balanceOf(address, RECIPIENT);
      await execute(quoted);
      // The fee token also charges its fee on the transfer that the call makes.
      const arrives = output === "feeToken" ? expected - expected / 100n : expected;
      expect((await balanceOf(address, RECIPIENT)) - before).to.equal(arrives);
      await expectCleanRouter();
    });

    it(`deliver an exact output of ${output}, and return unused input`, async () => {
      const address = contracts[output];
      const amount = output === "tether" ? 123_456_789n : 123_456_789_000_000_001n;
      const quoted = await quote(address, {
        tradeType: "EXACT_OUTPUT",
        amount: amount.toString(),
        txs: [sweepTo(address, user())],
      });
      const before = await balanceOf(address, user());
      const { record } = await execute(quoted);
      const arrives = output === "feeToken" ? amount - amount / 100n : amount;
      expect((await balanceOf(address, user())) - before).to.equal(arrives);
      expect(record.data.route?.actual.destination?.outputCurrency.amount).to.equal(amount.toString());
      await expectCleanRouter();
    });
  }

  it("are quoted at the pool's rate, and charge the difference from the listed price as a fee", async () => {
    const quoted = await quote(contracts.token);
    const leg = quoted.details.route.destination;
    const amountIn = BigInt(leg?.inputCurrency.amount ?? 0);
    const { result } = await simulateContract(reader(destination), {
      address: contracts.uniswapQuoter,
      abi: quoterAbi,
      functionName: "quoteExactInputSingle",
      args: [
        { tokenIn: contracts.wrappedNative, tokenOut: contracts.token, amountIn, fee: 3_000, sqrtPriceLimitX96: 0n },
      ],
    });
    expect(quoted.details.currencyOut.amount).to.equal(result[0].toString());
    const micros = (usd: string | undefined): bigint => parseUnits(usd ?? "", 6);
    const lostMicros = micros(leg?.inputCurrency.amountUsd) - micros(leg?.outputCurrency.amountUsd);
    const swapMicros = -micros(quoted.details.swapImpact.usd);
    // Each of the three amounts is rounded to one millionth of a dollar.
    expect(Number(swapMicros - lostMicros)).to.be.within(-1, 1);
    expect(quoted.details.expandedPriceImpact.swap.usd).to.equal(quoted.details.swapImpact.usd);
    // The pool charges 0.3%, and the swap moves the pool's price.
    expect(Number(swapMicros)).to.be.greaterThan(7_400_000).and.lessThan(25_000_000);
  });

  it("cost the user nothing if a sponsor pays all fees", async () => {
    const quoted = await quote(contracts.token, { subsidizeFees: true });
    const { currencyOut, expandedPriceImpact } = quoted.details;
    // 1 ETH at 2,500 dollars buys 500 tokens at 5 dollars each.
    expect(currencyOut.amount).to.equal(parseEther("500").toString());
    expect(Number(expandedPriceImpact.swap.usd)).to.be.lessThan(-7);
    const before = await balanceOf(contracts.token, RECIPIENT);
    await execute(quoted);
    const arrived = (await balanceOf(contracts.token, RECIPIENT)) - before;
    // The user bears the pool's rounding.
    expect(Number(arrived - parseEther("500"))).to.be.within(0, 1_000);
    await expectCleanRouter();
  });

  it("spend a payment in a token whose allowances can change only from or to zero", async () => {
    const wallet = userWallet(network, origin);
    const { tether, depository } = origin.contracts;
    const mint = { address: tether, abi: parseAbi(["function mint(address, uint256)"]), functionName: "mint" } as const;
    for (const hash of [
      await writeContract(wallet, { ...mint, args: [user(), 1_000_000_000n] }),
      await writeContract(wallet, { address: tether, abi: erc20Abi, functionName: "approve", args: [depository, 5n] }),
    ]) {
      await waitForTransactionReceipt(wallet, { hash });
    }
    const quoted = await quote(contracts.tether, { originCurrency: tether, amount: "1000000000" });
    // The quote versions group the steps differently.
    const actions = quoted.steps.flatMap(({ id, items }) => items.map(() => id));
    expect(actions).to.deep.equal(["approve", "approve", "deposit"]);
    await execute(quoted);
    expect(
      await reader(origin).readContract({
        address: tether,
        abi: erc20Abi,
        functionName: "balanceOf",
        args: [depository],
      }),
    ).to.equal(1_000_000_000n);
  });

  it("refund the deposited token", async () => {
    const wallet = userWallet(network, origin);
    const { wrappedNative } = origin.contracts;
    const deposit = encodeFunctionData({ abi: parseAbi(["function deposit() payable"]) });
    const hash = await sendTransaction(wallet, { to: wrappedNative, data: deposit, value: parseEther("1") });
    await waitForTransactionReceipt(wallet, { hash });
    const refundTo = network.accounts.stranger.address;
    const quoted = await quote(contracts.token, {
      originCurrency: wrappedNative,
      refundTo,
      txs: [{ ...sweepTo(contracts.token, RECIPIENT), to: contracts.token }],
    });
    const failure = await failureOf(executeSteps(client(), { quote: quoted, wallet, pollIntervalMs: 25 }));
    expect(failure).to.be.instanceOf(RequestNotFilledError);
    const { requestId } = failure as RequestNotFilledError;
    const { status, data } = await recordOf(network, requestId);
    expect([status, data.failReason]).to.deep.equal(["refund", "MISSING_REVERT_DATA"]);
    const refunded = { address: wrappedNative, abi: erc20Abi, functionName: "balanceOf", args: [refundTo] } as const;
    expect(await readContract(reader(origin), refunded)).to.equal(parseEther("1"));
    await expectCleanRouter();
  });

  it("are rejected if no route exists, or if the liquidity is too low", async () => {
    const codeOf = async (refused: Promise<unknown>): Promise<string | undefined> =>
      ((await failureOf(refused)) as ServiceError).errorCode;
    const large = parseEther("5000").toString();
    expect(await codeOf(quote(contracts.token, { amount: large }))).to.equal("SWAP_IMPACT_TOO_HIGH");
    const exact = { tradeType: "EXACT_OUTPUT", amount: parseEther("3000000").toString() } as const;
    expect(await codeOf(quote(contracts.token, exact))).to.equal("INSUFFICIENT_LIQUIDITY");
    const feeInput = { originCurrency: origin.contracts.feeToken };
    expect(await codeOf(quote(contracts.dollar, feeInput))).to.equal("INVALID_INPUT_CURRENCY");
  });

  it("refund the deposit if the pool's price moves beyond the tolerance", async () => {
    await mintDollars(network, origin, 1_000_000n);
    const quoted = await quote(contracts.token, { slippageTolerance: "100" });
    const wallet = userWallet(network, destination);
    const swapAbi = parseAbi([
      "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable returns (uint256)",
    ]);
    const { wrappedNative, token, uniswapRouter } = contracts;
    const value = parseEther("50");
    const params = {
      tokenIn: wrappedNative,
      tokenOut: token,
      fee: 3_000,
      recipient: user(),
      amountIn: value,
      amountOutMinimum: 0n,
      sqrtPriceLimitX96: 0n,
    };
    const call = {
      address: uniswapRouter,
      abi: swapAbi,
      functionName: "exactInputSingle",
      args: [params],
      value,
    } as const;
    const hash = await writeContract(wallet, call);
    await waitForTransactionReceipt(wallet, { hash });
    const execution = executeSteps(client(), {
      quote: quoted,
      wallet: userWallet(network, origin),
      pollIntervalMs: 25,
    });
    expect(await failureOf(execution)).to.include({ status: "refund", details: "SLIPPAGE" });
  });
});
