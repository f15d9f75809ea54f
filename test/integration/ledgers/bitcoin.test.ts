import { request } from "node:http";

import { adaptBitcoinWallet } from "@relayprotocol/relay-bitcoin-wallet-adapter";
import { axios, createClient, type Execute } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { p2pkh, p2sh, p2tr, p2wpkh, RawTx, Script, SigHash, Transaction } from "@scure/btc-signer";
import { pubECDSA, pubSchnorr } from "@scure/btc-signer/utils.js";
import { initEccLib } from "bitcoinjs-lib";
import { expect } from "chai";
import * as ecc from "tiny-secp256k1";
import { bytesToHex, hexToBytes, parseEther, stringToBytes, zeroAddress } from "viem";

import { BITCOIN_CHAIN_ID } from "../../../packages/protocol/src/chains/chainIds.ts";
import type { ChainEntry, IntentStatus, Quote } from "../../../packages/protocol/src/complete.ts";
import type { RawTransaction } from "../../../packages/crosscall/src/localnet/ledgers/bitcoin/signatures.ts";
import { isTerminalStatus } from "../../../packages/protocol/src/index.ts";
import { attest } from "../../../packages/sdk/src/attestation.ts";
import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import { until } from "../../support/until.ts";
import { chainsOf, useNetwork } from "../../support/useNetwork.ts";
import { callAdmin } from "../support/adminCalls.ts";
import { dollarsOf, userWallet } from "../support/parties.ts";
import { depositAndWatch } from "../support/requests.ts";
import { type Answer, get, post, recordOf } from "../support/serviceCalls.ts";

const NATIVE = "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8";
const DEPOSITORY = "bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu";
const SOLVER = "bc1qq2mvrp4g3ugd424dw4xv53rgsf8szkrv853jrc";

const KEY = new Uint8Array(32).fill(7);
const PUBLIC_KEY = pubECDSA(KEY);
const own = p2wpkh(PUBLIC_KEY).address;

/** Spending condition of an input. */
interface Unlocking {
  readonly scriptSig?: Uint8Array;
  readonly witness?: Uint8Array[];
}

interface Unspent {
  readonly txid: string;
  readonly vout: number;
  readonly value: number;
}

interface ExplorerTransaction {
  readonly txid: string;
  readonly vin: readonly { readonly prevout: { readonly scriptpubkey_address: string } | null }[];
  readonly vout: readonly {
    readonly value: number;
    readonly scriptpubkey: string;
    readonly scriptpubkey_address?: string;
  }[];
  readonly status: { readonly confirmed: boolean; readonly block_height: number; readonly block_hash: string };
}

describe("the Bitcoin ledger", () => {
  const network = useNetwork({ chains: [{ id: 900_001 }, { id: 900_002 }], defaultApiKey: "crosscall-local" });
  const [, destination] = chainsOf(network);
  let api = "";
  let redirect = 0;

  before(async () => {
    // The adapter's library requires this field to finalize Taproot inputs.
    initEccLib(ecc);
    const { body } = await get(network, "/chains");
    api = (body as { chains: ChainEntry[] }).chains.find(({ id }) => id === BITCOIN_CHAIN_ID)?.httpRpcUrl ?? "";
    // The published adapter uses a fixed URL.
    redirect = axios.interceptors.request.use((config) => ({
      ...config,
      url: (config.url ?? "").replace("https://mempool.space/api", api),
    }));
  });
  after(() => axios.interceptors.request.eject(redirect));

  const read = async <Body>(path: string): Promise<Body> => (await (await fetch(`${api}${path}`)).json()) as Body;
  const readTransaction = (txid: string): Promise<ExplorerTransaction> => read(`/tx/${txid}`);
  const balanceOf = async (address: string): Promise<number> => {
    const unspent = await read<{ value: number }[]>(`/address/${address}/utxo`);
    return unspent.reduce((sum, { value }) => sum + value, 0);
  };
  const fund = async (address: string, satoshis: number): Promise<void> => {
    const path = `/admin/chains/${BITCOIN_CHAIN_ID}/faucet`;
    const { status } = await callAdmin(network, "POST", path, { address, amount: `${satoshis}` });
    expect(status).to.equal(200);
  };
  const broadcast = async (hex: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${api}/tx`, { method: "POST", body: hex });
    return { status: response.status, text: await response.text() };
  };

  const sign = (psbt: Uint8Array, key = KEY): Transaction => {
    const transaction = Transaction.fromPSBT(psbt, { allowUnknownOutputs: true });
    transaction.sign(key);
    return transaction;
  };
  const finalHex = (psbtHex: string, key = KEY): string => {
    const transaction = sign(hexToBytes(`0x${psbtHex}`), key);
    transaction.finalize();
    return bytesToHex(transaction.extract()).slice(2);
  };

  /** Signs a transaction that spends all outputs of `own` and returns the change to it. */
  const spendOwn = async (
    outputs: readonly { readonly to: string; readonly amount: bigint }[],
    texts: readonly string[] = [],
    kinds?: SigHash,
  ): Promise<string> => {
    const transaction = new Transaction({ allowUnknownOutputs: true });
    const { script } = p2wpkh(PUBLIC_KEY);
    let left = -5_000n;
    for (const { txid, vout: index, value } of await read<Unspent[]>(`/address/${own}/utxo`)) {
      transaction.addInput({
        txid,
        index,
        witnessUtxo: { script, amount: BigInt(value) },
        ...(kinds === undefined ? {} : { sighashType: kinds }),
      });
      left += BigInt(value);
    }
    for (const { to, amount } of outputs) {
      transaction.addOutputAddress(to, amount);
      left -= amount;
    }
    for (const text of texts) {
      transaction.addOutput({ script: Script.encode(["RETURN", stringToBytes(text)]), amount: 0n });
    }
    transaction.addOutput({ script, amount: left });
    transaction.sign(KEY, kinds === undefined ? undefined : [kinds]);
    transaction.finalize();
    return bytesToHex(transaction.extract()).slice(2);
  };

  const requestFrom = (user: string, change: object = {}) => ({
    user,
    recipient: network.accounts.user.address,
    originChainId: BITCOIN_CHAIN_ID,
    destinationChainId: destination.id,
    originCurrency: NATIVE,
    destinationCurrency: destination.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: "100000",
    ...change,
  });
  const tryQuote = (body: object): Promise<Answer> => post(network, "/quote/v2", body);
  const quoteFrom = async (user: string, change: object = {}): Promise<Quote> => {
    const { status, body } = await tryQuote(requestFrom(user, change));
    expect([status, body]).to.have.nested.property("[0]", 200, JSON.stringify(body));
    return body as Quote;
  };
  const psbtOf = ({ steps }: Pick<Quote, "steps">): string => (steps[0]!.items[0]!.data as { psbt: string }).psbt;
  const endOf = (quote: Quote): Promise<{ status: string; txHashes?: string[]; inTxHashes?: string[] }> =>
    until(async () => {
      const { body } = await get(network, `/intents/status/v3?requestId=${quote.steps[0]?.requestId}`);
      const status = body as { status: string };
      return isTerminalStatus(status.status as IntentStatus["status"]) ? status : undefined;
    });

  const client = async () => {
    const created = createClient({
      baseApiUrl: network.url,
      source: "app.example",
      chains: [],
      pollingInterval: 50,
      websocket: { enabled: false },
    });
    await configureDynamicChains();
    return created;
  };

  const payers = [
    ["P2WPKH", p2wpkh(PUBLIC_KEY).address, undefined],
    ["P2TR", p2tr(pubSchnorr(KEY)).address, PUBLIC_KEY],
    ["P2SH-P2WPKH", p2sh(p2wpkh(PUBLIC_KEY)).address, PUBLIC_KEY],
    ["P2PKH", p2pkh(PUBLIC_KEY).address, undefined],
  ] as const;

  for (const [kind, address, publicKey] of payers) {
    it(`completes a request from the published SDK and wallet adapter, paid from ${kind}`, async () => {
      await fund(address, 70_000);
      await fund(address, 60_000);
      const sdk = await client();
      const user = network.accounts.user.address;
      const before = await dollarsOf(destination, user);
      const quote: Execute = await sdk.actions.getQuote({
        chainId: BITCOIN_CHAIN_ID,
        toChainId: destination.id,
        currency: NATIVE,
        toCurrency: destination.contracts.dollar,
        amount: "100000",
        tradeType: "EXACT_INPUT",
        user: address,
        recipient: user,
        ...(publicKey === undefined
          ? {}
          : { options: { additionalData: { userPublicKey: bytesToHex(publicKey).slice(2) } } }),
      });
      let hash = "";
      await sdk.actions.execute({
        quote,
        wallet: adaptBitcoinWallet(address, (_address, psbt) =>
          Promise.resolve(Buffer.from(sign(psbt.toBuffer()).toPSBT()).toString("base64")),
        ),
        onProgress: ({ txHashes }) => {
          hash = txHashes?.[0]?.txHash ?? hash;
        },
      });
      const { status, inTxHashes } = await endOf(quote as Quote);
      expect([status, inTxHashes]).to.deep.equal(["success", [hash]]);
      expect((await dollarsOf(destination, user)) - before).to.equal(BigInt(quote.details?.currencyOut?.amount ?? 0));
      const { vin, vout } = await readTransaction(hash);
      expect(vin.map(({ prevout }) => prevout?.scriptpubkey_address)).to.deep.equal([address, address]);
      expect(vout[0]).to.include({ value: 100_000, scriptpubkey_address: DEPOSITORY });
    });
  }

  it("fills a request from the published SDK with a payment that the API shows", async () => {
    const recipient = p2tr(pubSchnorr(KEY.map((byte) => byte + 1))).address;
    const sdk = await client();
    const quote: Execute = await sdk.actions.getQuote({
      chainId: network.chains[0].id,
      toChainId: BITCOIN_CHAIN_ID,
      currency: zeroAddress,
      toCurrency: NATIVE,
      amount: parseEther("0.1").toString(),
      tradeType: "EXACT_INPUT",
      user: network.accounts.user.address,
      recipient,
    });
    await sdk.actions.execute({ quote, wallet: userWallet(network, network.chains[0]) });
    const { status, txHashes = [] } = await endOf(quote as Quote);
    expect(status).to.equal("success");
    const amount = Number(quote.details?.currencyOut?.amount);
    expect(await balanceOf(recipient)).to.equal(amount);
    const { vin, vout } = await readTransaction(txHashes[0] ?? "");
    expect(vin[0]?.prevout?.scriptpubkey_address).to.equal(SOLVER);
    expect(vout[0]).to.include({ value: amount, scriptpubkey_address: recipient });
    const orderId = (quote as Quote).protocol?.v2.orderId ?? "";
    expect(vout[1]?.scriptpubkey).to.equal(`6a42${bytesToHex(stringToBytes(orderId)).slice(2)}`);
  });

  it("quotes a user without a wallet, as the published SDK does", async () => {
    const sdk = await client();
    const quote = await sdk.actions.getQuote(
      {
        chainId: BITCOIN_CHAIN_ID,
        toChainId: destination.id,
        currency: NATIVE,
        toCurrency: destination.contracts.dollar,
        amount: "100000",
        tradeType: "EXACT_INPUT",
      },
      true,
    );
    expect(psbtOf(quote as Quote)).to.match(/^70736274ff/u);
  });

  it("returns prices and the payer's balance in quotes", async () => {
    const payer = p2wpkh(pubECDSA(KEY.map(() => 21))).address;
    await fund(payer, 234_567);
    for (const path of ["/price", "/quote/v3"]) {
      const { status, body } = await post(network, path, requestFrom(payer));
      expect([path, status]).to.deep.equal([path, 200]);
      expect(body).to.have.nested.property("details.userBalance", "234567");
    }
  });

  it("lists the chain as the live service does", async () => {
    const { body } = await get(network, "/chains");
    const chain = (body as { chains: ChainEntry[] }).chains.find(({ id }) => id === BITCOIN_CHAIN_ID);
    expect(chain).to.deep.include({
      name: "bitcoin",
      displayName: "Bitcoin",
      vmType: "bvm",
      solverAddresses: [SOLVER],
    });
    expect(chain?.currency).to.deep.include({ id: "btc", symbol: "BTC", address: NATIVE, decimals: 8 });
    expect(chain?.protocol?.v2?.depository).to.equal(DEPOSITORY);
  });

  for (const [field, value] of [
    ["user", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
    ["user", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],
    ["refundTo", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn"],
    ["recipient", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
    ["recipient", NATIVE],
  ] as const) {
    it(`rejects ${value} as ${field}`, async () => {
      const toBitcoin = {
        user: network.accounts.user.address,
        originChainId: destination.id,
        originCurrency: zeroAddress,
        destinationChainId: BITCOIN_CHAIN_ID,
        destinationCurrency: NATIVE,
        amount: parseEther("1").toString(),
      };
      const change = field === "recipient" ? { ...toBitcoin, [field]: value } : { [field]: value };
      const { status, body } = await tryQuote(requestFrom(own, change));
      expect(status).to.equal(400);
      expect(body).to.include({ field });
    });
  }

  for (const [what, field, errorCode, change] of [
    ["a payer whose outputs are too small", "user", "INSUFFICIENT_FUNDS", { amount: "99000000000000" }],
    [
      "the public key of another payer",
      "additionalData.userPublicKey",
      "INVALID_REQUEST",
      { additionalData: { userPublicKey: bytesToHex(pubECDSA(KEY.map(() => 9))).slice(2) } },
    ],
    [
      "a strict deposit address",
      "strict",
      "UNSUPPORTED_EXECUTION_TYPE",
      { useDepositAddress: true, strict: true, refundTo: own },
    ],
    [
      "a recovery address",
      "recoveryAddress",
      "UNSUPPORTED_EXECUTION_TYPE",
      { useDepositAddress: true, recoveryAddress: `0x${"12".repeat(20)}` },
    ],
    ["a refund to the payer without a deposit address", "refundTo", "INVALID_ADDRESS", { refundTo: NATIVE }],
  ] as const) {
    it(`rejects ${what}`, async () => {
      await fund(own, 200_000);
      const { status, body } = await tryQuote(requestFrom(own, change));
      expect(status).to.equal(400);
      expect(body).to.include({ field, errorCode });
    });
  }

  describe("a broadcast transaction", () => {
    /** Changes the signed transaction in a PSBT and encodes it. */
    const changed = (psbtHex: string, change: (transaction: RawTransaction) => RawTransaction): string =>
      bytesToHex(RawTx.encode(change(RawTx.decode(hexToBytes(`0x${finalHex(psbtHex)}`))))).slice(2);
    const errorOf = ({ status, text }: { status: number; text: string }): { code: number; message: string } => {
      expect([status, text.slice(0, 28)]).to.deep.equal([400, "sendrawtransaction RPC error"]);
      return JSON.parse(text.slice("sendrawtransaction RPC error: ".length)) as { code: number; message: string };
    };
    const funded = async (change: object = {}): Promise<Quote> => {
      await fund(own, 300_000);
      return quoteFrom(own, change);
    };

    for (const [kind, address, publicKey] of payers) {
      it(`is rejected from ${kind} if its outputs were changed after signing`, async () => {
        await fund(address, 300_000);
        const additionalData = publicKey && { userPublicKey: bytesToHex(publicKey).slice(2) };
        const quote = await quoteFrom(address, additionalData === undefined ? {} : { additionalData });
        const forged = changed(psbtOf(quote), (transaction) => ({
          ...transaction,
          outputs: transaction.outputs.map((output, at) =>
            at === 0 ? { ...output, amount: output.amount - 1n } : output,
          ),
        }));
        const { code, message } = errorOf(await broadcast(forged));
        expect([code, message]).to.deep.equal([
          -26,
          kind === "P2TR"
            ? "mandatory-script-verify-flag-failed (Invalid Schnorr signature)"
            : "mandatory-script-verify-flag-failed (Signature must be zero for failed CHECK(MULTI)SIG operation)",
        ]);
      });
    }

    const thief = pubECDSA(KEY.map(() => 9));
    const thiefScript = p2wpkh(thief).script;
    const nothing = new Uint8Array();

    for (const [what, payer, message, unlock] of [
      ["another key", 0, "Witness program hash mismatch", (signature) => ({ witness: [signature, thief] })],
      [
        "another key",
        3,
        "Script failed an OP_EQUALVERIFY operation",
        (signature) => ({ scriptSig: Script.encode([signature, thief]) }),
      ],
      [
        "another redeem script",
        2,
        "Script evaluated without error but finished with a false/empty top stack element",
        (signature) => ({ scriptSig: Script.encode([thiefScript]), witness: [signature, thief] }),
      ],
      [
        "a script besides its witness",
        0,
        "Witness requires empty scriptSig",
        (signature) => ({ scriptSig: Script.encode([thief]), witness: [signature, PUBLIC_KEY] }),
      ],
      [
        "a witness besides its script",
        3,
        "Witness provided for non-witness script",
        (signature) => ({ scriptSig: Script.encode([signature, PUBLIC_KEY]), witness: [thief] }),
      ],
      [
        "a script path",
        1,
        "this ledger checks the key path of P2TR only",
        (signature) => ({ witness: [signature, thief] }),
      ],
      [
        "an empty signature",
        0,
        "this ledger accepts signatures of the kind SIGHASH_ALL only",
        () => ({ witness: [nothing, PUBLIC_KEY] }),
      ],
    ] satisfies readonly (readonly [string, number, string, (signature: Uint8Array) => Unlocking])[]) {
      const [kind, address, publicKey] = payers[payer]!;
      it(`is rejected from ${kind} with ${what}`, async () => {
        await fund(address, 300_000);
        const additionalData = publicKey && { userPublicKey: bytesToHex(publicKey).slice(2) };
        const quote = await quoteFrom(address, additionalData === undefined ? {} : { additionalData });
        const forged = changed(psbtOf(quote), (transaction) => {
          const unlocked = transaction.inputs.map((input, at) => {
            const [inScript] = kind === "P2PKH" ? Script.decode(input.finalScriptSig) : [];
            const signature = inScript instanceof Uint8Array ? inScript : transaction.witnesses?.[at]?.[0];
            return { scriptSig: nothing, witness: [], ...unlock(signature ?? nothing) };
          });
          return {
            ...transaction,
            segwitFlag: unlocked.some(({ witness }) => witness.length > 0),
            inputs: transaction.inputs.map((input, at) => ({ ...input, finalScriptSig: unlocked[at]!.scriptSig })),
            witnesses: unlocked.map(({ witness }) => witness),
          };
        });
        expect(errorOf(await broadcast(forged))).to.deep.equal({
          code: -26,
          message: `mandatory-script-verify-flag-failed (${message})`,
        });
      });
    }

    it("is rejected if it pays no fee", async () => {
      const quote = await funded();
      const forged = changed(psbtOf(quote), (transaction) => {
        const spent = Transaction.fromPSBT(hexToBytes(`0x${psbtOf(quote)}`), { allowUnknownOutputs: true });
        return {
          ...transaction,
          outputs: transaction.outputs.map((output, at) =>
            at === 0 ? { ...output, amount: output.amount + spent.fee } : output,
          ),
        };
      });
      expect(errorOf(await broadcast(forged)).message).to.match(/^min relay fee not met, 0 < /u);
    });

    it("is rejected before its lock time", async () => {
      const quote = await funded();
      const forged = changed(psbtOf(quote), (transaction) => ({ ...transaction, lockTime: 400_000 }));
      expect(errorOf(await broadcast(forged)).message).to.equal("non-final");
    });

    for (const kind of ["NONE", "ALL_ANYONECANPAY"] as const) {
      it(`is rejected if its signatures are ${kind}, which cover only a part of it`, async () => {
        await fund(own, 300_000);
        const hex = await spendOwn([{ to: DEPOSITORY, amount: 1_000n }], [], SigHash[kind]);
        expect(errorOf(await broadcast(hex)).message).to.include("SIGHASH_ALL only");
      });
    }

    it("is rejected without a signature", async () => {
      const quote = await funded();
      const forged = changed(psbtOf(quote), (transaction) => ({
        ...transaction,
        segwitFlag: false,
        witnesses: undefined,
      }));
      expect(errorOf(await broadcast(forged))).to.include({ code: -26 });
    });

    it("is rejected if it is sent again, and pays for the request once", async () => {
      const quote = await funded();
      const hex = finalHex(psbtOf(quote));
      const first = await broadcast(hex);
      expect(first.status).to.equal(200);
      expect((await endOf(quote)).status).to.equal("success");
      expect(errorOf(await broadcast(hex))).to.deep.equal({
        code: -27,
        message: "Transaction outputs already in utxo set",
      });
      const { inTxHashes } = await endOf(quote);
      expect(inTxHashes).to.deep.equal([first.text]);
    });

    it("is rejected if an output is already spent, and its request stays waiting", async () => {
      await fund(own, 1_000_000);
      const [first, second] = [await quoteFrom(own), await quoteFrom(own)];
      expect((await broadcast(finalHex(psbtOf(first)))).status).to.equal(200);
      expect(errorOf(await broadcast(finalHex(psbtOf(second))))).to.deep.equal({
        code: -25,
        message: "bad-txns-inputs-missingorspent",
      });
      expect(await recordOf(network, second.steps[0]?.requestId ?? "")).to.include({ status: "waiting" });
    });

    it("is rejected if it spends the same output twice", async () => {
      const quote = await funded();
      const forged = changed(psbtOf(quote), (transaction) => ({
        ...transaction,
        inputs: [...transaction.inputs, ...transaction.inputs],
        witnesses: [...(transaction.witnesses ?? []), ...(transaction.witnesses ?? [])],
      }));
      expect(errorOf(await broadcast(forged)).message).to.equal("bad-txns-inputs-duplicate");
    });

    for (const [what, amount, message] of [
      ["pays more than it spends", 2_000_000_000n, /^bad-txns-in-belowout/u],
      ["pays more than all bitcoins", 2_100_000_000_000_001n, /^bad-txns-vout-toolarge$/u],
      ["has an output that is too small to relay", 293n, /^dust$/u],
    ] as const) {
      it(`is rejected if it ${what}`, async () => {
        const quote = await funded();
        const forged = changed(psbtOf(quote), (transaction) => ({
          ...transaction,
          outputs: transaction.outputs.map((output, at) => (at === 0 ? { ...output, amount } : output)),
        }));
        expect(errorOf(await broadcast(forged)).message).to.match(message);
      });
    }

    for (const [what, text] of [
      ["not hex", "no transaction"],
      ["not a transaction", "00ff"],
      ["empty", ""],
    ] as const) {
      it(`is rejected if it is ${what}`, async () => {
        expect(errorOf(await broadcast(text))).to.include({ code: -22 });
      });
    }

    it("is rejected if it creates coins", async () => {
      const listed = await read<{ txid: string }[]>(`/address/${own}/txs`);
      const hexes = await Promise.all(listed.map(async ({ txid }) => (await fetch(`${api}/tx/${txid}/hex`)).text()));
      const coinbase = hexes.find((hex) => hex.includes("0".repeat(64))) ?? "";
      const raw = RawTx.decode(hexToBytes(`0x${coinbase}`));
      const forged = bytesToHex(RawTx.encode({ ...raw, lockTime: 7 })).slice(2);
      expect(errorOf(await broadcast(forged)).message).to.equal("coinbase");
    });
  });

  describe("a deposit", () => {
    /** Signs a PSBT that pays a different amount and returns the change. */
    const pay = async (from: Quote, change: { to?: string; amount?: bigint }): Promise<string> => {
      const psbt = Transaction.fromPSBT(hexToBytes(`0x${psbtOf(from)}`), { allowUnknownOutputs: true });
      const rebuilt = new Transaction({ allowUnknownOutputs: true });
      for (let at = 0; at < psbt.inputsLength; at += 1) rebuilt.addInput(psbt.getInput(at));
      for (let at = 0; at < psbt.outputsLength; at += 1) {
        const { script, amount } = psbt.getOutput(at);
        if (at === 0 && change.to !== undefined) rebuilt.addOutputAddress(change.to, change.amount ?? amount ?? 0n);
        else if (script !== undefined)
          rebuilt.addOutput({ script, amount: at === 0 ? (change.amount ?? amount ?? 0n) : (amount ?? 0n) });
      }
      rebuilt.sign(KEY);
      rebuilt.finalize();
      const { status, text } = await broadcast(bytesToHex(rebuilt.extract()).slice(2));
      expect([status, text]).to.have.property("0", 200);
      return text;
    };

    it("that is too small is refunded with a payment on the ledger", async () => {
      const refundTo = p2pkh(pubECDSA(KEY.map(() => 11))).address;
      await fund(own, 300_000);
      const quote = await quoteFrom(own, { refundTo });
      await pay(quote, { amount: 60_000n });
      expect(await endOf(quote)).to.include({ status: "refund", failReason: "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL" });
      expect(await balanceOf(refundTo)).to.equal(60_000);
    });

    it("to another address does not pay for a request", async () => {
      await fund(own, 300_000);
      const quote = await quoteFrom(own);
      await pay(quote, { to: SOLVER });
      expect(await recordOf(network, quote.steps[0]?.requestId ?? "")).to.include({ status: "waiting" });
    });

    it("is kept if it is the second deposit for an order", async () => {
      await fund(own, 700_000);
      const quote = await quoteFrom(own);
      const { text: first } = await broadcast(finalHex(psbtOf(quote)));
      const orderId = quote.protocol?.v2.orderId ?? "";
      const { text: second } = await broadcast(await spendOwn([{ to: DEPOSITORY, amount: 100_000n }], [orderId]));
      expect(await readTransaction(second)).to.have.nested.property("vout[0].scriptpubkey_address", DEPOSITORY);
      const { status, inTxHashes } = await endOf(quote);
      expect([status, inTxHashes]).to.deep.equal(["success", [first]]);
    });

    it("counts for the first order that it names", async () => {
      await fund(own, 700_000);
      const [first, second] = [await quoteFrom(own), await quoteFrom(own)];
      const orderIds = [first, second].map(({ protocol }) => protocol?.v2.orderId ?? "");
      await broadcast(await spendOwn([{ to: DEPOSITORY, amount: 100_000n }], orderIds));
      expect((await endOf(first)).status).to.equal("success");
      expect(await recordOf(network, second.steps[0]?.requestId ?? "")).to.include({ status: "waiting" });
    });
  });

  describe("the network's oracle", () => {
    const oracle = () => createServiceClient({ baseUrl: network.oracle?.url ?? "", apiKey: network.apiKey });
    /** Attests a request's deposit, and returns the fields for its settlement. */
    const settlementOf = async ({ protocol }: Quote, chainId: string, transactionId: string) => {
      const { messages } = await attest(oracle(), "depository-deposits/v1", { chainId, transactionId });
      const { result } = messages[0]!;
      const { orderData: order, orderSignature, orderId } = protocol!.v2;
      expect(result.depositId).to.equal(orderId);
      const inputs = [{ transactionId, onchainId: result.onchainId, inputIndex: 0 }];
      return { result, settlement: { order, orderSignature: orderSignature!, inputs } };
    };

    it("attests a deposit and its fill on an EVM chain", async () => {
      await fund(own, 300_000);
      const quote = await quoteFrom(own, { includeProtocolData: true });
      const { text: deposit } = await broadcast(finalHex(psbtOf(quote)));
      const { txHashes } = await endOf(quote);
      const { result, settlement } = await settlementOf(quote, "bitcoin", deposit);
      expect(result).to.include({ depository: DEPOSITORY, depositor: own, currency: NATIVE, amount: "100000" });
      const fill = { transactionId: txHashes?.[0] ?? "" };
      const { message } = await attest(oracle(), "solver-fills/v1", { ...settlement, fill });
      expect(message.result).to.include({ orderId: quote.protocol?.v2.orderId, status: 1 });
    });

    it("attests a fill", async () => {
      const [origin] = network.chains;
      const quote = await quoteFrom(network.accounts.user.address, {
        recipient: own,
        originChainId: origin.id,
        originCurrency: zeroAddress,
        destinationChainId: BITCOIN_CHAIN_ID,
        destinationCurrency: NATIVE,
        amount: parseEther("0.1").toString(),
        includeProtocolData: true,
      });
      const { inTxHashes, txHashes } = await depositAndWatch(network, quote);
      const { settlement } = await settlementOf(quote, `local-${origin.id}`, inTxHashes?.[0] ?? "");
      const fill = { transactionId: txHashes?.[0] ?? "" };
      const { message } = await attest(oracle(), "solver-fills/v1", { ...settlement, fill });
      expect(message.result).to.include({ orderId: quote.protocol?.v2.orderId, status: 1 });
    });

    it("attests a refund", async () => {
      await fund(own, 300_000);
      const change = { includeProtocolData: true, referrer: "debug-force-refund" };
      const quote = await quoteFrom(own, change);
      const { text: deposit } = await broadcast(finalHex(psbtOf(quote)));
      const { status, txHashes } = await endOf(quote);
      expect(status).to.equal("refund");
      const { settlement } = await settlementOf(quote, "bitcoin", deposit);
      const refunds = [{ transactionId: txHashes?.[0] ?? "", inputIndex: 0, refundIndex: 0 }];
      const { message } = await attest(oracle(), "solver-refunds/v1", { ...settlement, refunds });
      expect(message.result).to.include({ orderId: quote.protocol?.v2.orderId });
    });
  });

  describe("a deposit address", () => {
    const quoteAddress = (change: object = {}): Promise<Quote> =>
      quoteFrom(zeroWallet, { useDepositAddress: true, ...change });
    const zeroWallet = "1BitcoinEaterAddressDontSendf59kuE";
    const payTo = async (address: string, amount: bigint): Promise<string> => {
      await fund(own, Number(amount) + 10_000);
      const { status, text } = await broadcast(await spendOwn([{ to: address, amount }]));
      expect([status, text]).to.have.property("0", 200);
      return text;
    };

    it("accepts a plain payment, and its request succeeds", async () => {
      const user = network.accounts.user.address;
      const before = await dollarsOf(destination, user);
      const quote = await quoteAddress({ refundTo: own });
      const { depositAddress, items, requestId } = quote.steps[0] ?? {};
      expect(depositAddress).to.match(/^bc1q/u);
      expect(items?.[0]?.data).to.deep.equal({ to: depositAddress, data: "0x", value: "100000" });
      const hash = await payTo(depositAddress ?? "", 100_000n);
      const { status, inTxHashes } = await endOf(quote);
      expect([status, inTxHashes]).to.deep.equal(["success", [hash]]);
      expect((await dollarsOf(destination, user)) - before).to.equal(BigInt(quote.details.currencyOut.amount));
      const { body } = await get(network, `/deposit-addresses/v1?address=${depositAddress}`, {
        "x-api-key": network.apiKey,
      });
      expect(body).to.include({ requestId, chainId: BITCOIN_CHAIN_ID });
    });

    it("accepts coins from the faucet", async () => {
      const quote = await quoteAddress();
      await fund(quote.steps[0]?.depositAddress ?? "", 100_000);
      expect((await endOf(quote)).status).to.equal("success");
    });

    it("accepts the solver's payment for another request", async () => {
      const quote = await quoteAddress({ refundTo: own });
      const paying = await quoteFrom(network.accounts.user.address, {
        recipient: quote.steps[0]?.depositAddress,
        originChainId: network.chains[0].id,
        originCurrency: zeroAddress,
        destinationChainId: BITCOIN_CHAIN_ID,
        destinationCurrency: NATIVE,
        amount: parseEther("1").toString(),
      });
      expect((await depositAndWatch(network, paying)).status).to.equal("success");
      expect((await endOf(quote)).status).to.equal("success");
    });

    it("is different for each request", async () => {
      const [first, second] = [await quoteAddress(), await quoteAddress()];
      expect(first.steps[0]?.depositAddress).not.to.equal(second.steps[0]?.depositAddress);
    });

    it("refunds a payment that is too small to the payer if refundTo is the native currency's address", async () => {
      const quote = await quoteAddress({ refundTo: NATIVE });
      await payTo(quote.steps[0]?.depositAddress ?? "", 60_000n);
      const { status, txHashes } = await endOf(quote);
      expect(status).to.equal("refund");
      const { vout } = await readTransaction(txHashes?.[0] ?? "");
      expect(vout[0]).to.include({ value: 60_000, scriptpubkey_address: own });
    });

    it("keeps a payment that is too small if refundTo is absent", async () => {
      const quote = await quoteAddress();
      await payTo(quote.steps[0]?.depositAddress ?? "", 60_000n);
      expect((await endOf(quote)).status).to.equal("failure");
    });
  });

  describe("announcements of a deposit", () => {
    const unknown = "ab".repeat(32);
    const announce = (path: string, body: object) => post(network, path, { chainId: `${BITCOIN_CHAIN_ID}`, ...body });

    it("accept transactions that are on the ledger", async () => {
      await fund(own, 300_000);
      const quote = await quoteFrom(own);
      const requestId = quote.steps[0]?.requestId ?? "";
      const { text: txHash } = await broadcast(finalHex(psbtOf(quote)));
      for (const [path, body] of [
        ["/transactions/index", { txHash }],
        ["/transactions/index", { txHash, requestId }],
        ["/transactions/single", { requestId, tx: JSON.stringify({ txHash }) }],
      ] as const) {
        expect(await announce(path, body)).to.deep.equal({ status: 200, body: { message: "Success" } });
      }
      const { body } = await get(network, `/requests/v3?term=${txHash}`, { "x-api-key": network.apiKey });
      expect((body as { requests: { id: string }[] }).requests.map(({ id }) => id)).to.deep.equal([requestId]);
    });

    it("reject other transactions until they are on the ledger", async () => {
      expect((await announce("/transactions/index", { txHash: unknown })).status).to.equal(404);
    });

    it("still require 0x on EVM chains", async () => {
      const { status, body } = await post(network, "/transactions/index", { chainId: destination.id, txHash: unknown });
      expect([status, body]).to.have.nested.property("[0]", 400);
      expect(body).to.include({ field: "txHash" });
    });
  });

  describe("the API", () => {
    it("reports transactions, outputs and addresses in the format of the public explorers", async () => {
      const address = p2wpkh(pubECDSA(KEY.map(() => 13))).address;
      await fund(address, 123_456);
      const [unspent] = await read<{ txid: string; vout: number; value: number }[]>(`/address/${address}/utxo`);
      const { txid = "" } = unspent ?? {};
      expect(unspent).to.include({ vout: 0, value: 123_456 });
      const transaction = await readTransaction(txid);
      expect(transaction.vout[0]).to.include({ scriptpubkey_type: "v0_p2wpkh", scriptpubkey_address: address });
      const { status } = transaction;
      expect(await read(`/tx/${txid}/status`)).to.deep.equal(status);
      expect(await read(`/tx/${txid}/outspend/0`)).to.deep.equal({ spent: false });
      expect(await read<unknown[]>(`/address/${address}/txs`)).to.deep.equal([transaction]);
      expect(await read<unknown[]>(`/address/${address}/txs/chain/${txid}`)).to.deep.equal([]);
      expect(await read(`/address/${address}`))
        .to.have.property("chain_stats")
        .that.deep.equals({
          funded_txo_count: 1,
          funded_txo_sum: 123_456,
          spent_txo_count: 0,
          spent_txo_sum: 0,
          tx_count: 1,
        });
      const block = await read<{ height: number; previousblockhash: string }>(`/block/${status.block_hash}`);
      expect(block.height).to.equal(status.block_height);
      const text = async (path: string) => (await fetch(`${api}${path}`)).text();
      expect(await text("/blocks/tip/height")).to.equal(`${status.block_height}`);
      expect(await text("/blocks/tip/hash")).to.equal(status.block_hash);
      expect(await text(`/block-height/${status.block_height - 1}`)).to.equal(block.previousblockhash);
      expect(RawTx.decode(hexToBytes(`0x${await text(`/tx/${txid}/hex`)}`)).outputs[0]?.amount).to.equal(123_456n);
      expect(await read("/fee-estimates")).to.have.property("1", 2);
      expect(await read("/v1/fees/recommended")).to.have.property("fastestFee", 2);
    });

    for (const [path, status] of [
      [`/tx/${"ab".repeat(32)}`, 404],
      [`/block/${"ab".repeat(32)}`, 404],
      ["/address/nonsense/utxo", 400],
      ["/nothing", 404],
    ] as const) {
      it(`responds with ${status} to ${path.slice(0, 24)}`, async () => {
        expect((await fetch(`${api}${path}`)).status).to.equal(status);
      });
    }

    it("is open only to web pages from this machine", async () => {
      const callAs = async (headers: Record<string, string>): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          request(`${api}/blocks/tip/height`, { headers }, ({ statusCode }) => resolve(statusCode))
            .on("error", reject)
            .end();
        });
      expect(await callAs({ origin: "http://localhost:5173" })).to.equal(200);
      expect(await callAs({ origin: "https://elsewhere.example" })).to.equal(403);
      expect(await callAs({ host: "elsewhere.example" })).to.equal(403);
      const { headers } = await fetch(`${api}/blocks/tip/height`);
      expect(headers.get("access-control-allow-origin")).to.equal("*");
    });
  });
});
