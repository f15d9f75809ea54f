import { Connection, Keypair, VersionedTransaction } from "@solana/web3.js";
import { expect } from "chai";
import { encodeFunctionData, erc20Abi, getAddress, type Hex, numberToHex } from "viem";

import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import {
  createServiceClient,
  type ExecuteStepsParameters,
  type ExecutionJournal,
  executeSteps,
} from "../../../packages/sdk/src/index.ts";
import { svmWallet } from "../../../packages/sdk/src/svm.ts";
import { getQuote } from "../../support/complete.ts";
import { postJson, serve, type TestServer } from "../../support/httpServer.ts";
import { rejected } from "../../support/rejection.ts";
import { chainsOf, useNetwork } from "../../support/useNetwork.ts";
import { callAdmin } from "./adminCalls.ts";

export const SVM = 792_703_809;
export const SOL = "11111111111111111111111111111111";
export const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
export const DEPOSITORY = "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2";
export const ONE_SOL = 1_000_000_000n;
/** More than 150 slots, and the margin. */
export const EXPIRY_MS = 75_000;

export interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly [string, Record<string, unknown>?];
}

type Wallet = Parameters<typeof svmWallet>[0];

/** Starts a network with Solana, and a server in front of its node, through which quotes are paid. */
export function useSvmPayments() {
  const network = useNetwork({ svm: true });
  const [chain] = chainsOf(network);
  let server: TestServer;
  const state = {
    connection: undefined as unknown as Connection,
    calls: [] as RpcCall[],
    /** Changes the node's responses. */
    answer: (call: RpcCall, forward: (call: RpcCall) => Promise<unknown>): Promise<unknown> => forward(call),
    keypair: Keypair.generate(),
    user: "",
    signed: [] as VersionedTransaction[],
  };
  const forwardAll = state.answer;

  before(async () => {
    const target = network.svm?.rpcUrl ?? expect.fail("no Solana");
    state.connection = new Connection(target, "confirmed");
    const forward = async (call: RpcCall): Promise<unknown> =>
      (await postJson(target, JSON.stringify({ jsonrpc: "2.0", ...call }))).json();
    server = await serve(async (_request, response, body) => {
      const call = JSON.parse(body) as RpcCall;
      state.calls.push(call);
      const answered = await state.answer(call, forward);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answered));
    });
  });
  after(() => server.close());
  beforeEach(() => {
    const keypair = Keypair.generate();
    Object.assign(state, { calls: [], signed: [], answer: forwardAll, keypair, user: keypair.publicKey.toBase58() });
  });

  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });

  /** Signs a serialized transaction, and remembers it. */
  const sign = (bytes: Uint8Array): VersionedTransaction => {
    const transaction = VersionedTransaction.deserialize(bytes);
    transaction.sign([state.keypair]);
    state.signed.push(transaction);
    return transaction;
  };
  const wallet = (options: Partial<Wallet> = {}) =>
    svmWallet({
      signer: { address: state.user, signTransaction: (bytes) => Promise.resolve(sign(bytes).serialize()) },
      rpcUrl: server.url,
      pollIntervalMs: 10,
      ...options,
    });
  const execute = (quote: Quote, journal: ExecutionJournal, options: Partial<ExecuteStepsParameters> = {}) =>
    executeSteps(client(), {
      quote,
      journal,
      onSvmTransaction: wallet(),
      trust: network.trust,
      pollIntervalMs: 25,
      ...options,
    });

  return Object.assign(state, {
    network,
    chain,
    sign,
    wallet,
    execute,
    resultOf: (id: unknown, result: unknown) => ({ jsonrpc: "2.0", id, result }),
    advance: (ms: number): void => network.clock.setOffset(network.clock.offsetMs + ms),
    fund: async (amount: bigint, currency = SOL, address = state.user): Promise<void> => {
      const body = { address, currency, amount: amount.toString() };
      expect((await callAdmin(network, "POST", `/admin/chains/${SVM}/faucet`, body)).status).to.equal(200);
    },
    otherAccount: () => getAddress(numberToHex(BigInt(Date.now()) * 1_000n + BigInt(state.calls.length), { size: 20 })),
    /** Quotes a payment whose calls transfer a dollar to another account. */
    quoteOf: (recipient: Hex, options: Partial<QuoteRequest> = {}): Promise<Quote> => {
      const { dollar } = chain.contracts;
      const amount = 1_000_000n;
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, amount] });
      return getQuote(client(), {
        user: state.user,
        recipient: network.accounts.user.address,
        includeProtocolData: true,
        originChainId: SVM,
        destinationChainId: chain.id,
        originCurrency: SOL,
        destinationCurrency: dollar,
        tradeType: "EXACT_OUTPUT",
        amount: amount.toString(),
        txs: [{ to: dollar, value: "0", data }],
        ...options,
      });
    },
    /** Executes a quote until its transaction is signed, and stops before the node gets it. */
    stopBeforeSending: async (
      quote: Quote,
      journal: ExecutionJournal,
      options: Partial<ExecuteStepsParameters> = {},
    ): Promise<void> => {
      const stop = new AbortController();
      state.answer = async (call, forward) => {
        if (call.method === "sendTransaction") stop.abort();
        return call.method === "sendTransaction" ? undefined : forward(call);
      };
      await rejected(execute(quote, journal, { ...options, signal: stop.signal }));
    },
    /** Returns the ids of the account's deposits, which is also the number of payments. */
    deposits: async (): Promise<string[]> => {
      const listed = await state.connection.getSignaturesForAddress(state.keypair.publicKey);
      const found = await Promise.all(
        listed.map(async ({ signature, err }) => {
          const sent = await state.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
          const keys = sent?.transaction.message.staticAccountKeys.map(String) ?? [];
          return err === null && keys.includes(DEPOSITORY) ? [signature] : [];
        }),
      );
      return found.flat();
    },
    sends: (): RpcCall[] => state.calls.filter(({ method }) => method === "sendTransaction"),
  });
}
