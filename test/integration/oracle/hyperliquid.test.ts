import { createHash } from "node:crypto";

import { expect } from "chai";
import {
  concat,
  decodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  parseAbi,
  stringToHex,
  zeroAddress,
  zeroHash,
} from "viem";

import type { ChainConfig } from "../../../packages/oracle/src/chainFiles.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import {
  expectRefused,
  type FamilyOrder,
  familyOrder,
  familyOrderId,
  familyRoutes,
  INTERNAL_ERROR,
  rpcFailures,
  SOLVER_CHAIN,
  solver,
  startFamilyOracle,
} from "./support/familyOracle.ts";
import {
  jsonRpc,
  type RecordedAnswer,
  type RecordedCall,
  type RecordedServer,
  startRecordedServer,
} from "./support/recordedServer.ts";
import { aliasOf, creditedOf, expectExecution, idOf, mintOf, tokenOf, transferOf } from "./support/vectors.ts";

const CHAIN = "hyperliquid";
const NATIVE = `0x${"0".repeat(32)}`;
const DOLLAR = "0x6d1e7cde53ba9467b783cb7c530ce054";
const COIN = "0x0d01dc56dcaaca66ad901c959b4011ec";
const DEPOSITORY = "0x1111111111111111111111111111111111111111";
const SECOND = "0x2222222222222222222222222222222222222222";
const MAPPING = "0x3333333333333333333333333333333333333333";
const ALICE: Hex = "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const BOB: Hex = "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
const CAROL: Hex = "0xcccccccccccccccccccccccccccccccccccccccc";
const ID: Hex = `0x${"c1".repeat(32)}`;
/** Unix seconds of every transaction, each of which happens 789 milliseconds later. */
const TIME = 1_790_000_000;
const HOUR = 3_600;
const MAPPING_ABI = parseAbi(["function getEntry(address,bytes32) view returns (bytes data, uint256 createdAt)"]);
const encode = (address: string): Hex => address.toLowerCase() as Hex;

describe("the oracle on the first exchange", () => {
  const transactions = new Map<string, object>();
  const ledgers = new Map<string, object[]>();
  const mappings = new Map<string, { readonly data: Hex; readonly createdAt: bigint }>();
  let exchange: RecordedServer;
  let hub: RecordedServer;
  let oracle: Oracle;
  let now = (TIME + 2 * HOUR) * 1000;
  let nonce = 1_761_563_890_000;
  const { deposits, fill, refund } = familyRoutes(() => oracle, CHAIN);

  const answerExchange = ({ path, body }: RecordedCall): RecordedAnswer => {
    const { type, hash, user, startTime } = JSON.parse(body) as Record<string, string>;
    if (path === "/explorer" && type === "txDetails") {
      const tx = transactions.get(hash ?? "");
      return { body: tx === undefined ? { type: "error", message: "Transaction not found" } : { type, tx } };
    }
    if (type === "spotMeta") {
      const token = { weiDecimals: 8, isCanonical: true };
      const tokens = [
        { ...token, name: "USDC", index: 0, tokenId: DOLLAR, szDecimals: 8 },
        { ...token, name: "COIN", index: 150, tokenId: COIN, szDecimals: 2 },
      ];
      return { body: { tokens, universe: [] } };
    }
    return { body: ledgers.get(`${user} at ${startTime}`) ?? [] };
  };

  const chainAt = (httpRpcUrl: string, additionalData: ChainConfig["additionalData"] = {}) => ({
    id: CHAIN,
    vmType: "hyperliquid-vm" as const,
    httpRpcUrl,
    additionalData,
    depository: DEPOSITORY,
    additionalDepositories: [SECOND],
  });
  const start = (chain: ReturnType<typeof chainAt>) =>
    startFamilyOracle({ chain, hubUrl: hub.url, genericMappingAddress: MAPPING, now: () => now });

  before(async () => {
    exchange = await startRecordedServer(answerExchange);
    hub = await startRecordedServer(
      jsonRpc((_method, [call]) => {
        const { to, data } = call as { to: string; data: Hex };
        const [user, id] = decodeFunctionData({ abi: MAPPING_ABI, data }).args;
        const entry = mappings.get([to, user.toLowerCase(), id].join()) ?? { data: "0x" as const, createdAt: 0n };
        return encodeFunctionResult({
          abi: MAPPING_ABI,
          functionName: "getEntry",
          result: [entry.data, entry.createdAt],
        });
      }),
    );
    oracle = await start(chainAt(exchange.url));
  });
  beforeEach(() => {
    now = (TIME + 2 * HOUR) * 1000;
  });
  after(async () => {
    await oracle.close();
    for (const server of [exchange, hub]) server.close();
  });

  interface Sent {
    readonly destination: string;
    readonly amount: string;
    /** Omitted for the older action, which moves dollars of the main market. */
    readonly token?: string;
    readonly market?: string;
    readonly error?: string | null;
    readonly sender?: Hex;
    readonly time?: number;
  }

  /** Adds a transfer to the exchange. */
  function send({ destination, amount, token, market = "", error = null, sender = ALICE, time = TIME }: Sent) {
    nonce += 1;
    const hash = `0x${createHash("sha256").update(`${nonce}`).digest("hex")}`;
    const common = { signatureChainId: "0x1", hyperliquidChain: "Mainnet", destination, amount };
    const action =
      token === undefined
        ? { type: "usdSend", ...common, time: nonce }
        : { type: "sendAsset", ...common, sourceDex: "", destinationDex: market, token, fromSubAccount: "", nonce };
    transactions.set(hash, { time: time * 1000 + 789, user: sender, action, block: 776_752_679, hash, error });
    return { hash, nonce };
  }

  /** Adds an entry for a nonce to the hub's mapping. */
  function bind(toNonce: number, data: Hex, createdAt = TIME + 60, wallet: Hex = ALICE): void {
    const entryId = `0x${createHash("sha256").update(`NONCE_MAPPING:${toNonce}`).digest("hex")}`;
    mappings.set([MAPPING, aliasOf(CHAIN, wallet), entryId].join(), { data, createdAt: BigInt(createdAt) });
  }

  interface Expected {
    readonly id: Hex;
    readonly currency: string;
    readonly amount: bigint;
    readonly depository?: string;
    readonly depositor?: Hex;
  }

  /** Checks the whole response against the transfer and the published derivations. */
  async function expectDeposit(transactionId: string, expected: Expected): Promise<void> {
    const { id, currency, amount, depository = DEPOSITORY, depositor = ALICE } = expected;
    const { status, body } = await deposits(transactionId);
    expect({ status, messages: body.messages }).to.deep.equal({
      status: 200,
      messages: [
        {
          data: { chainId: CHAIN, transactionId },
          result: {
            onchainId: idOf(CHAIN, transactionId, "0"),
            depository,
            depositor,
            currency,
            amount: amount.toString(),
            depositId: id,
          },
          extraData: { timestamp: TIME.toString() },
        },
      ],
    });
    await expectExecution(body.execution, idOf(CHAIN, transactionId), [
      mintOf(creditedOf(CHAIN, depositor, TIME, id), tokenOf(CHAIN, encode(currency)), amount),
    ]);
  }

  it("reports deposits of every currency, with the id that the hub binds the sender's nonce to", async () => {
    const cases: [Sent, string, bigint][] = [
      [{ destination: DEPOSITORY, amount: "100.0" }, NATIVE, 10_000_000_000n],
      [{ destination: DEPOSITORY, amount: "0.00000001", token: `USDC:${DOLLAR}` }, NATIVE, 1n],
      [{ destination: DEPOSITORY, amount: "10.04", token: `USDC:${DOLLAR}`, market: "spot" }, DOLLAR, 1_004_000_000n],
      [
        { destination: DEPOSITORY, amount: "5", token: `COIN:${COIN}`, market: "xyz" },
        `${COIN}${stringToHex("xyz").slice(2)}`,
        500n,
      ],
      [
        { destination: DEPOSITORY, amount: "98765432109876543.21", token: `COIN:${COIN}`, market: "spot" },
        COIN,
        9_876_543_210_987_654_321n,
      ],
    ];
    for (const [sent, currency, amount] of cases) {
      const transfer = send(sent);
      bind(transfer.nonce, ID);
      await expectDeposit(transfer.hash, { id: ID, currency, amount });
    }
  });

  it("credits the account in the mapping, and reports the depository", async () => {
    const named = send({ destination: SECOND.toUpperCase().replace("0X", "0x"), amount: "1" });
    bind(named.nonce, concat([ID, BOB]));
    const deposit = { currency: NATIVE, amount: 10n ** 8n, depository: SECOND };
    await expectDeposit(named.hash, { ...deposit, id: ID, depositor: BOB });
    const nobody = send({ destination: SECOND, amount: "1" });
    bind(nobody.nonce, concat([ID, zeroAddress]));
    await expectDeposit(nobody.hash, { ...deposit, id: ID });
  });

  it("waits an hour for a mapping, after which a deposit has no id", async () => {
    const deposit = { currency: NATIVE, amount: 10n ** 8n };
    const transfer = send({ destination: DEPOSITORY, amount: "1" });
    now = (TIME + HOUR) * 1000 + 789;
    const missing = `No nonce mapping found for nonce ${transfer.nonce} and depositor ${ALICE}`;
    await expectRefused(deposits(transfer.hash), missing);
    now += 1;
    await expectDeposit(transfer.hash, { ...deposit, id: zeroHash });
    const late = send({ destination: DEPOSITORY, amount: "1" });
    bind(late.nonce, ID, TIME + HOUR + 1);
    await expectDeposit(late.hash, { ...deposit, id: zeroHash });
    const inTime = send({ destination: DEPOSITORY, amount: "1" });
    bind(inTime.nonce, ID, TIME + HOUR);
    await expectDeposit(inTime.hash, { ...deposit, id: ID });
  });

  it("is empty for transfers to others, and for other actions", async () => {
    const elsewhere = send({ destination: BOB, amount: "1" });
    const other = send({ destination: DEPOSITORY, amount: "1" });
    transactions.set(other.hash, { ...transactions.get(other.hash), action: { type: "order", orders: [] } });
    for (const { hash } of [elsewhere, other]) {
      expect(await deposits(hash)).to.deep.equal({ status: 200, body: { messages: [] } });
    }
  });

  it("is rejected if missing or failed, and for tokens without a market", async () => {
    const missing = `0x${"ee".repeat(32)}`;
    const failed = send({ destination: DEPOSITORY, amount: "1", error: "Insufficient balance" });
    const coin = send({ destination: DEPOSITORY, amount: "1", token: `COIN:${COIN}` });
    const unknown = send({ destination: DEPOSITORY, amount: "1", token: `X:0x${"12".repeat(16)}`, market: "spot" });
    for (const [hash, message] of [
      [missing, `Missing transaction ${missing} on chain ${CHAIN}`],
      [failed.hash, `Transaction failed: ${failed.hash}`],
      [coin.hash, "Only USDC is supported as a Perps token"],
      [unknown.hash, "Could not retrieve payment currency decimals"],
    ] as const) {
      await expectRefused(deposits(hash), message);
    }
    await expectRefused(deposits("hash"), 'transactionId is "hash": it is not hex of whole bytes');
  });

  it("fails when the mapping has another value", async () => {
    const odd = send({ destination: DEPOSITORY, amount: "1" });
    bind(odd.nonce, "0x1234");
    expect(await deposits(odd.hash)).to.deep.equal(INTERNAL_ERROR);
  });

  it("reads a transaction once, and its mapping until it is settled", async () => {
    const transfer = send({ destination: DEPOSITORY, amount: "1" });
    bind(transfer.nonce, ID);
    const first = await deposits(transfer.hash);
    const calls = exchange.calls.length + hub.calls.length;
    expect(await deposits(transfer.hash)).to.deep.equal(first);
    expect(exchange.calls.length + hub.calls.length).to.equal(calls);
  });

  describe("of a solver", () => {
    /** Creates an order, and the deposit that pays it. */
    function pay(change: Partial<FamilyOrder> = {}) {
      const order = familyOrder({
        chainId: CHAIN,
        currency: NATIVE,
        recipient: getAddress(BOB),
        amount: "4000000000",
        salt: nonce,
        ...change,
      });
      const orderId = familyOrderId(order, encode);
      const transfer = send({ destination: DEPOSITORY, amount: "60" });
      const token = order.inputs[0]?.payment.currency === NATIVE ? undefined : `COIN:${COIN}`;
      const paid =
        token === undefined ? transfer : send({ destination: DEPOSITORY, amount: "60", token, market: "spot" });
      bind(paid.nonce, orderId);
      return { order, orderId, paidBy: { transactionId: paid.hash, onchainId: idOf(CHAIN, paid.hash, "0") } };
    }

    /** A transfer by the solver. */
    function settle(orderId: Hex, sent: Partial<Sent>) {
      const transfer = send({ destination: BOB, amount: "40", sender: CAROL, ...sent });
      bind(transfer.nonce, orderId, TIME + 10 * HOUR, CAROL);
      return transfer;
    }

    it("reports a fill, by either action", async () => {
      for (const token of [undefined, `USDC:${DOLLAR}`]) {
        const { order, orderId, paidBy } = pay();
        const { hash } = settle(orderId, token === undefined ? {} : { token });
        const { status, body } = await fill(order, orderId, paidBy, hash);
        expect({ status, result: body.message.result }).to.deep.equal({
          status: 200,
          result: { orderId, status: 1, totalWeightedInputPaymentBpsDiff: (5n * 10n ** 17n).toString() },
        });
        const native = tokenOf(CHAIN, encode(NATIVE));
        const solverAlias = aliasOf(SOLVER_CHAIN, encode(solver.address));
        await expectExecution(body.execution, idOf(idOf(paidBy.onchainId), orderId), [
          transferOf(creditedOf(CHAIN, ALICE, TIME, orderId), solverAlias, native, 6_000_000_000n),
          transferOf(solverAlias, aliasOf(CHAIN, BOB), native, 3n),
        ]);
      }
    });

    it("reports a fill in another currency, and by the solver's ledger", async () => {
      const { order, orderId, paidBy } = pay({ currency: COIN, amount: "4000" });
      const { hash } = settle(orderId, { token: `COIN:${COIN}`, market: "spot" });
      expect((await fill(order, orderId, paidBy, hash)).status).to.equal(200);

      const time = TIME * 1000 + 789;
      const byLedger = pay({ currency: COIN, amount: "4000" });
      const transfer = settle(byLedger.orderId, { token: `COIN:${COIN}`, market: "spot" });
      transactions.delete(transfer.hash);
      const delta = {
        type: "send",
        user: CAROL,
        destination: BOB,
        sourceDex: "spot",
        destinationDex: "spot",
        token: "COIN",
        amount: "40",
        usdcValue: "40",
        fee: "0",
        nativeTokenFee: "0",
        nonce: transfer.nonce,
        feeToken: "",
      };
      ledgers.set(`${CAROL} at ${time}`, [{ time, hash: transfer.hash, delta }]);
      const hints = { "hyperliquid-vm": { user: CAROL, timestamp: time } };
      const { order: other, orderId: otherId, paidBy: otherPaid } = byLedger;
      await expectRefused(
        fill(other, otherId, otherPaid, transfer.hash, { hints: { "hyperliquid-vm": { user: BOB, timestamp: time } } }),
        `Missing or reverted transaction ${transfer.hash}`,
      );
      expect((await fill(other, otherId, otherPaid, transfer.hash, { hints })).status).to.equal(200);
    });

    it("is rejected for the wrong amount, recipient, currency, order or time, and for failed fills", async () => {
      const { order, orderId, paidBy } = pay();
      const unbound = send({ destination: BOB, amount: "40", sender: CAROL });
      const foreign = settle(ID, {});
      const action = settle(orderId, {});
      transactions.set(action.hash, { ...transactions.get(action.hash), action: { type: "order" } });
      const failed = settle(orderId, { error: "no" }).hash;
      const late = settle(orderId, { time: 2_000_000_001 }).hash;
      const missing = `0x${"ee".repeat(32)}`;
      const short =
        "Insufficient fill amount for order output payment 0 (paidAmount=3999999999, minimumAmount=4000000000)";
      for (const [hash, message] of [
        [settle(orderId, { amount: "39.99999999" }).hash, short],
        [settle(orderId, { destination: ALICE }).hash, "Could not detect payment"],
        [settle(orderId, { token: `USDC:${DOLLAR}`, market: "spot" }).hash, "Could not detect payment"],
        [settle(orderId, { token: `COIN:${COIN}` }).hash, "Could not detect payment"],
        [action.hash, "Could not detect payment"],
        [unbound.hash, `Nonce mapping mismatch for nonce ${unbound.nonce} and sender ${CAROL}`],
        [foreign.hash, `Nonce mapping mismatch for nonce ${foreign.nonce} and sender ${CAROL}`],
        [late, `Transaction ${late} executed after deadline`],
        [failed, `Missing or reverted transaction ${failed}`],
        [missing, `Missing or reverted transaction ${missing}`],
      ] as const) {
        await expectRefused(fill(order, orderId, paidBy, hash), message);
      }
    });

    it("attests a refund, and rejects one below the deposited amount", async () => {
      const { order, orderId, paidBy } = pay();
      await expectRefused(
        refund(order, orderId, paidBy, settle(orderId, { amount: "59" }).hash),
        "Insufficient refund amount for order input payment 0 (paidAmount=5900000000, minimumAmount=6000000000)",
      );
      const { status, body } = await refund(order, orderId, paidBy, settle(orderId, { amount: "60" }).hash);
      expect(status).to.equal(200);
      await expectExecution(body.execution, idOf(idOf(paidBy.onchainId), orderId), [
        transferOf(
          creditedOf(CHAIN, ALICE, TIME, orderId),
          aliasOf(SOLVER_CHAIN, encode(solver.address)),
          tokenOf(CHAIN, encode(NATIVE)),
          6_000_000_000n,
        ),
      ]);
    });
  });

  describe("with unreliable hosts", () => {
    it("falls back to the proxy if the explorer limits the rate", async () => {
      const proxy = await startRecordedServer((call) => answerExchange({ ...call, path: "/explorer" }));
      await using limited = await start(
        chainAt(exchange.url, { proxyApiUrl: `${proxy.url}/asks`, proxyApiKey: "key" }),
      );
      const transfer = send({ destination: DEPOSITORY, amount: "1" });
      bind(transfer.nonce, ID);
      exchange.answer((call) =>
        call.path === "/explorer"
          ? { status: 429, body: "More than 100 archived blocks queried in one day" }
          : answerExchange(call),
      );
      expect((await deposits(transfer.hash, limited)).status).to.equal(200);
      expect(await deposits(transfer.hash)).to.deep.equal(INTERNAL_ERROR);
      exchange.answer();
      const [call] = proxy.calls;
      expect([call?.path, call?.headers["x-nft-api-key"], call?.headers.url]).to.deep.equal([
        "/asks",
        "key",
        `${exchange.url}/explorer`,
      ]);
      expect(await rpcFailures(limited)).to.have.length(1);
      proxy.close();
    });

    it("rejects responses about another transaction, and attests nothing that only one host reports", async () => {
      const [foreign, disputed] = [1, 2].map(() => send({ destination: DEPOSITORY, amount: "1" }));
      const shape = transactions.get(disputed?.hash ?? "");
      transactions.set(foreign?.hash ?? "", shape ?? {});
      expect(await deposits(foreign?.hash ?? "")).to.deep.equal(INTERNAL_ERROR);
      const liar = await startRecordedServer(() => ({
        body: { type: "txDetails", tx: { ...shape, user: BOB } },
      }));
      await using agreeing = await start(chainAt(exchange.url, { rpcUrls: [liar.url], rpcAgreement: 2 }));
      expect(await deposits(disputed?.hash ?? "", agreeing)).to.deep.equal(INTERNAL_ERROR);
      expect(await rpcFailures(agreeing)).to.have.length(2);
      liar.close();
    });

    it("fails if the exchange or the hub is down", async () => {
      const transfer = send({ destination: DEPOSITORY, amount: "1" });
      await using alone = await start(chainAt("http://127.0.0.1:1"));
      expect(await deposits(transfer.hash, alone)).to.deep.equal(INTERNAL_ERROR);
      const genericMappingAddress = MAPPING;
      await using without = await startFamilyOracle({ chain: chainAt(exchange.url), genericMappingAddress });
      expect(await deposits(transfer.hash, without)).to.deep.equal(INTERNAL_ERROR);
      await using unnamed = await startFamilyOracle({ chain: chainAt(exchange.url), hubUrl: hub.url });
      expect(await deposits(transfer.hash, unnamed)).to.deep.equal(INTERNAL_ERROR);
    });
  });
});
