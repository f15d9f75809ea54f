import { Connection, Keypair } from "@solana/web3.js";
import { zeroAddress } from "viem";

import { SVM_CHAIN_ID } from "../../packages/protocol/src/chains/chainIds.ts";
import { SYSTEM_PROGRAM } from "../../packages/protocol/src/vms/svmPrograms.ts";
import { createServiceClient, getQuote, planSteps, requestIdOf } from "../../packages/sdk/src/index.ts";
import type { SvmTransactionData } from "../../packages/crosscall/src/localnet/market/quote/routes/svmDeposit.ts";
import { type Localnet, localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { signWeb3, toWeb3Instructions } from "../../test/support/solanaWeb3.ts";
import { callAdmin } from "../../test/integration/support/adminCalls.ts";

/** Median times in milliseconds. */
export interface SolanaTimes {
  readonly startMs: number;
  readonly startWithoutMs: number;
  /** First call of Solana's API, which creates the chain. */
  readonly firstCallMs: number;
  /** From quote to success, with an EVM origin. */
  readonly evmMs: number;
  /** From quote to success, with Solana as the origin. */
  readonly svmMs: number;
}

export interface SolanaWork {
  readonly starts: number;
  readonly warm: number;
  readonly requests: number;
  /** Requests and pays with an EVM origin. Returns the request id. */
  readonly deposit: (network: Localnet) => Promise<string>;
  readonly untilSuccess: (network: Localnet, requestId: string) => Promise<void>;
  readonly median: (values: readonly number[]) => number;
}

/** Lamports of a request. */
const AMOUNT = 10_000_000n;

/** Times a network with Solana and one without, and requests from Solana and from an EVM chain, in turns. */
export async function measureSolana({
  starts,
  warm,
  requests,
  deposit,
  untilSuccess,
  median,
}: SolanaWork): Promise<SolanaTimes> {
  const [startsWith, startsWithout]: [number[], number[]] = [[], []];
  // The first starts load code.
  for (let done = -1; done < starts; done += 1) {
    for (const [svm, times] of [
      [true, startsWith],
      [false, startsWithout],
    ] as const) {
      const ms = await timeStart(svm);
      if (done >= 0) times.push(ms);
    }
  }
  await using network = await localnet({ limits: "off", svm: true });
  const firstCallMs = await timeCall(network);
  const pay = await createSolanaPayer(network, BigInt(warm + requests));
  const [evm, svm]: [number[], number[]] = [[], []];
  for (let done = -warm; done < requests; done += 1) {
    for (const [makeDeposit, times] of [
      [deposit, evm],
      [pay, svm],
    ] as const) {
      const started = performance.now();
      await untilSuccess(network, await makeDeposit(network));
      if (done >= 0) times.push(performance.now() - started);
    }
  }
  return {
    startMs: median(startsWith),
    startWithoutMs: median(startsWithout),
    firstCallMs,
    evmMs: median(evm),
    svmMs: median(svm),
  };
}

async function timeStart(svm: boolean): Promise<number> {
  const started = performance.now();
  await using _network = await localnet({ limits: "off", svm });
  return performance.now() - started;
}

async function timeCall({ svm }: Localnet): Promise<number> {
  const started = performance.now();
  await new Connection(svm?.rpcUrl ?? "").getSlot();
  return performance.now() - started;
}

/** Funds an account for a number of requests. Returns a function that requests a quote and pays it. */
async function createSolanaPayer(network: Localnet, requests: bigint): Promise<(network: Localnet) => Promise<string>> {
  const keypair = Keypair.generate();
  const user = keypair.publicKey.toBase58();
  const amount = (requests + 1n) * (AMOUNT + 5_000n);
  await callAdmin(network, "POST", `/admin/chains/${SVM_CHAIN_ID}/faucet`, {
    address: user,
    currency: SYSTEM_PROGRAM,
    amount: amount.toString(),
  });
  const connection = new Connection(network.svm?.rpcUrl ?? "", "confirmed");
  const [, destination] = network.chains;
  return async ({ url, apiKey }) => {
    const quote = await getQuote(createServiceClient({ baseUrl: url, apiKey, limits: false }), {
      user,
      recipient: network.accounts.user.address,
      originChainId: SVM_CHAIN_ID,
      destinationChainId: destination.id,
      originCurrency: SYSTEM_PROGRAM,
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      amount: AMOUNT.toString(),
    });
    const [step] = planSteps(quote.steps, SVM_CHAIN_ID);
    if (step?.kind !== "svmTransaction") throw new Error("the quote has no deposit");
    const { instructions } = step.data as Partial<SvmTransactionData>;
    const transaction = await signWeb3(connection, keypair, toWeb3Instructions(instructions ?? []));
    await connection.sendTransaction(transaction);
    return requestIdOf(quote);
  };
}
