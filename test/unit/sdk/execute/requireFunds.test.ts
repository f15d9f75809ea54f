import { expect } from "chai";
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  parseEther,
  zeroAddress,
} from "viem";

import { requireFunds, requireReadyToPay } from "../../../../packages/sdk/src/execute/requireFunds.ts";
import { openWallet } from "../../../../packages/sdk/src/execute/wallets.ts";
import type { PlannedTransaction } from "../../../../packages/protocol/src/quote/planSteps.ts";
import type { Quote } from "../../../../packages/protocol/src/quote/quote.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { quote } from "../../protocol/fixtures.ts";
import { failing, ScriptedWallet } from "./scriptedWallet.ts";

const USER = localAccounts.user.address;
const CHAIN_ID = 1;
const TOKEN: Address = `0x${"11".repeat(20)}`;
const DEPOSITORY: Address = `0x${"22".repeat(20)}`;
const AMOUNT = 60_000_000n;
const DEPOSIT_ABI = parseAbi(["function depositErc20(address depositor, address token, uint256 amount, bytes32 id)"]);

const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
const approveData = (amount: bigint, spender = DEPOSITORY): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] });
const planned = (stepId: string, to: Address, data: Hex, value = 0n): PlannedTransaction => ({
  kind: "transaction",
  stepId,
  position: "0.0",
  chainId: CHAIN_ID,
  from: USER,
  to,
  data,
  value,
  gas: 100_000n,
  maxFeePerGas: undefined,
  maxPriorityFeePerGas: undefined,
});
const DEPOSIT = planned(
  "deposit",
  DEPOSITORY,
  encodeFunctionData({ abi: DEPOSIT_ABI, functionName: "depositErc20", args: [USER, TOKEN, AMOUNT, pad("0x1")] }),
);
const APPROVE = planned("approve", TOKEN, approveData(AMOUNT));
const RESET = planned("approve", TOKEN, approveData(0n));

/** Returns a quote that pays the token with these steps. */
function paying(...steps: PlannedTransaction[]): Quote {
  const currency = { chainId: CHAIN_ID, address: TOKEN, decimals: 6, symbol: "USDT" };
  const paid = {
    ...quote,
    details: { ...quote.details, currencyIn: { currency, amount: String(AMOUNT) } },
    fees: {},
    steps: steps.map(({ stepId, to, data }) => ({
      id: stepId,
      kind: "transaction",
      items: [{ status: "incomplete", data: { from: USER, to, data, value: "0", chainId: CHAIN_ID } }],
    })),
  };
  return JSON.parse(JSON.stringify(paid)) as Quote;
}

/** State of a node, and behavior of the token. */
class TokenNode {
  native = parseEther("1");
  baseFee = 1_000_000_000n;
  balance = AMOUNT;
  allowance = 0n;
  approve: (amount: bigint) => Hex | null = () => word(1n);
  /** Replacement for the token's return value. */
  answer: (() => unknown) | undefined;

  readonly source = new ScriptedWallet({
    eth_getBalance: () => numberToHex(this.native),
    eth_getBlockByNumber: () => ({ number: "0x1", transactions: [], baseFeePerGas: numberToHex(this.baseFee) }),
    eth_maxPriorityFeePerGas: () => "0x0",
    eth_feeHistory: () => ({ baseFeePerGas: [numberToHex(this.baseFee)], reward: null }),
    eth_call: ([transaction]) => this.call((transaction as { data: Hex }).data),
  });

  private call(data: Hex): unknown {
    if (this.answer !== undefined) return this.answer();
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
    if (functionName === "balanceOf") return word(this.balance);
    if (functionName === "allowance") return word(this.allowance);
    return this.approve(args[1] as bigint);
  }

  async require(transactions: readonly PlannedTransaction[], options: object = {}): Promise<void> {
    const hasApproval = transactions.some(({ stepId }) => stepId === "approve");
    const context = { quote: paying(...transactions), hasApproval, paysGas: true, ...options };
    await requireFunds(await openWallet(this.source.client, "wallet"), CHAIN_ID, transactions, context);
  }

  async ready(payment = DEPOSIT, paid = paying(APPROVE, DEPOSIT), options: object = {}): Promise<void> {
    await requireReadyToPay(await openWallet(this.source.client, "wallet"), payment, paid, options);
  }
}

const allowanceError = (found: bigint, spender = DEPOSITORY) => ({
  code: "INSUFFICIENT_ALLOWANCE",
  chainId: CHAIN_ID,
  account: USER,
  currency: TOKEN,
  spender,
  needed: String(AMOUNT),
  found: String(found),
});
const balanceError = (currency: string, needed: bigint, found: bigint) => ({
  code: "INSUFFICIENT_BALANCE",
  chainId: CHAIN_ID,
  account: USER,
  currency,
  needed: String(needed),
  found: String(found),
});

describe("the requirements for the steps", () => {
  let node: TokenNode;
  beforeEach(() => {
    node = new TokenNode();
  });

  it("are met", async () => {
    await node.require([APPROVE, DEPOSIT]);
    node.allowance = AMOUNT;
    await node.require([DEPOSIT]);
  });

  it("include a balance of the token", async () => {
    node.balance = 59n;
    expect(factsOf(await rejected(node.require([APPROVE, DEPOSIT])))).to.deep.equal(balanceError(TOKEN, AMOUNT, 59n));
  });

  it("include native currency for the value and gas", async () => {
    node.native = 7n;
    // 1.2 gwei for each unit of gas.
    const needed = 200_000n * 1_200_000_000n;
    expect(factsOf(await rejected(node.require([APPROVE, DEPOSIT])))).to.deep.equal(
      balanceError(zeroAddress, needed, 7n),
    );
    await node.require([APPROVE, DEPOSIT], { paysGas: false });
  });

  it("do not include gas for a contract account, which others pay", async () => {
    const payment = planned("deposit", DEPOSITORY, "0x", 7n);
    const needed = 7n + 100_000n * 1_200_000_000n;
    const answers = node.source.answers;
    for (const [code, native, isMet] of [
      ["0x60", 7n, true],
      ["0x60", 6n, false],
      [`0xef0100${"11".repeat(20)}`, 7n, false],
    ] as const) {
      node.native = native;
      node.source.answers = { ...answers, eth_getCode: () => code };
      if (isMet) await node.require([payment]);
      else
        expect(factsOf(await rejected(node.require([payment])))).to.deep.equal(
          balanceError(zeroAddress, needed, native),
        );
    }
  });

  it("include an allowance, unless a step approves the spender", async () => {
    node.allowance = 1n;
    expect(factsOf(await rejected(node.require([DEPOSIT])))).to.deep.equal(allowanceError(1n));
  });

  it("include gas within its limits, before anything is signed", async () => {
    node.native = parseEther("1000");
    node.baseFee = 10n ** 15n;
    expect((await rejected(node.require([APPROVE, DEPOSIT]))).code).to.equal("GAS_COST_TOO_HIGH");
    const gasCost = 200_000n * 1_200_000_000n;
    node.baseFee = 10n ** 9n;
    const limits = { maximumGasCost: gasCost - 1n };
    expect(factsOf(await rejected(node.require([APPROVE, DEPOSIT], { gasLimits: limits })))).to.deep.equal({
      code: "GAS_COST_TOO_HIGH",
      chainId: CHAIN_ID,
      gasCost: String(gasCost),
      maximumGasCost: String(gasCost - 1n),
    });
    await node.require([APPROVE, DEPOSIT], { gasLimits: { maximumGasCost: gasCost } });
  });

  for (const [name, answer] of [
    ["nothing", () => "0x"],
    ["null", () => null],
    ["too little", () => "0x01"],
    ["an error", failing(-32_000, "execution reverted")],
  ] as const) {
    it(`include an existing token: ${name}`, async () => {
      node.answer = answer;
      for (const check of [() => node.require([APPROVE, DEPOSIT]), () => node.ready()]) {
        const error = await rejected(check());
        expect(factsOf(error)).to.deep.equal({ code: "CHAIN_ERROR", chainId: CHAIN_ID });
        expect(error.message).to.contain(TOKEN);
      }
    });
  }

  it("include a node that responds", async () => {
    node.source.answers = {};
    expect(factsOf(await rejected(node.require([DEPOSIT])))).to.deep.equal({ code: "CHAIN_ERROR", chainId: CHAIN_ID });
  });

  describe("for a token that rejects changes to an allowance", () => {
    const refusing: Record<string, (amount: bigint) => Hex | null> = {
      reverts: (amount) => (amount === 0n ? "0x" : failing(-32_000, "execution reverted")()),
      "returns false": (amount) => (amount === 0n ? word(1n) : word(0n)),
    };
    for (const [name, approve] of Object.entries(refusing)) {
      it(`include a reset of the allowance if the token ${name}`, async () => {
        Object.assign(node, { approve, allowance: 5n });
        expect(factsOf(await rejected(node.require([APPROVE, DEPOSIT])))).to.deep.equal({
          ...allowanceError(5n),
          code: "ALLOWANCE_RESET_NEEDED",
        });
      });

      it(`include nothing more after a reset, or without an allowance, if the token ${name}`, async () => {
        Object.assign(node, { approve, allowance: 5n });
        await node.require([RESET, APPROVE, DEPOSIT]);
        node.allowance = 0n;
        await node.require([APPROVE, DEPOSIT]);
      });
    }

    it("include no reset if the token allows the change, or rejects every approval", async () => {
      node.allowance = 5n;
      await node.require([APPROVE, DEPOSIT]);
      node.approve = () => "0x";
      await node.require([APPROVE, DEPOSIT]);
      node.approve = failing(-32_000, "paused");
      await node.require([APPROVE, DEPOSIT]);
    });
  });
});

describe("the requirements for a payment after its approval", () => {
  let node: TokenNode;
  beforeEach(() => {
    node = new TokenNode();
    node.allowance = AMOUNT;
  });

  it("are met", () => node.ready());

  it("include an allowance that the user did not lower in the wallet", async () => {
    node.allowance = 1n;
    expect(factsOf(await rejected(node.ready()))).to.deep.equal(allowanceError(1n));
    // The failure precedes the gas estimate.
    expect(node.source.methods).to.deep.equal(["eth_call", "eth_call"]);
  });

  it("include an allowance for any other contract that a step approves", async () => {
    const router: Address = `0x${"33".repeat(20)}`;
    const swap = planned("swap", router, "0xdeadbeef");
    const approval = planned("approve", TOKEN, approveData(AMOUNT, router));
    node.allowance = 1n;
    expect(factsOf(await rejected(node.ready(swap, paying(approval, swap))))).to.deep.equal(allowanceError(1n, router));
    await node.ready(swap, paying(APPROVE, swap));
  });

  it("include a balance that was not spent", async () => {
    node.balance = 2n;
    expect(factsOf(await rejected(node.ready()))).to.deep.equal(balanceError(TOKEN, AMOUNT, 2n));
  });

  it("include native currency, and gas within its limits", async () => {
    node.native = 7n;
    const needed = 100_000n * 1_200_000_000n;
    expect(factsOf(await rejected(node.ready()))).to.deep.equal(balanceError(zeroAddress, needed, 7n));
    await node.ready(DEPOSIT, paying(APPROVE, DEPOSIT), { paysGas: false });
    const gasLimits = { maximumGasPrice: 1n };
    expect((await rejected(node.ready(DEPOSIT, paying(DEPOSIT), { gasLimits }))).code).to.equal("GAS_COST_TOO_HIGH");
  });

  it("are not checked after an abort", async () => {
    const signal = AbortSignal.abort();
    expect((await rejected(node.ready(DEPOSIT, paying(DEPOSIT), { signal }))).code).to.equal("ABORTED");
    expect(node.source.methods).to.deep.equal([]);
  });
});
