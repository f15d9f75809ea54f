import {
  createServiceClient,
  executeSteps,
  type ExecutionEvent,
  getQuote,
  getSignature,
  getStatus,
  requestIdOf,
} from "@crosscall/sdk";
import {
  type Amount,
  type Call,
  formatCurrencyAmount,
  type Order,
  OrderSchema,
  parseData,
  type Quote,
  type QuoteRequest,
  recoverRequestSigner,
} from "@crosscall/protocol";
import { type Address, createWalletClient, erc20Abi, erc4626Abi, type Hex, http, parseEther, zeroAddress } from "viem";
import { getTransactionReceipt, readContract } from "viem/actions";

import { InvalidStateError, systemClock, unixSeconds } from "@crosscall/protocol/core";
import { formatAmount } from "@crosscall/protocol/encoding";
import { isPresent } from "@crosscall/protocol/schema";
import { chainClient, type ChainClient, describeChain } from "../../localnet/devchain/chainClient.ts";
import type { Localnet, LocalnetChain } from "../../localnet/index.ts";
import { planVaultDeposit } from "../../localnet/market/demoRequest.ts";
import type { Stages } from "../../terminal/stages.ts";
import { attestRequest, type DemoAttestation } from "./attest.ts";

/** In wei. */
const PAYMENT = parseEther("1");

/** Deadline of the vault call, in seconds. */
const CALL_LIFETIME_SECONDS = 3_600;

/**
 * Composes the demo's request: pays 1 ETH on the origin chain, and deposits all delivered dollars in a vault for the
 * user on the destination chain.
 */
export function composeDemoRequest(
  { accounts: { user } }: Localnet,
  origin: LocalnetChain,
  destination: LocalnetChain,
  nowSeconds: number,
): QuoteRequest {
  const { contracts } = destination;
  return {
    user: user.address,
    recipient: user.address,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: zeroAddress,
    destinationCurrency: contracts.dollar,
    ...planVaultDeposit(contracts, PAYMENT, BigInt(nowSeconds + CALL_LIFETIME_SECONDS)),
  };
}

/** Milliseconds between polls. A local fill takes a fraction of a second. */
const POLL_INTERVAL_MS = 50;

export interface DemoResult {
  readonly requestId: string;
  readonly orderId: string;
  readonly quote: Quote;
  readonly txs: readonly Call[];
  readonly depositHash: Hex;
  readonly fillHash: Hex;
  /** In order. */
  readonly statuses: readonly string[];
  readonly signer: Address;
  readonly outcome: Outcome;
  readonly attestation: DemoAttestation;
}

export async function playIntegrator(network: Localnet, stages: Stages, signal: AbortSignal): Promise<DemoResult> {
  const [origin, destination] = network.chains;
  const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  const { user } = network.accounts;

  const request = await stages.run("Compose the calls", ({ note }) => {
    const composed = composeDemoRequest(network, origin, destination, unixSeconds(systemClock));
    note(`${composed.txs?.length ?? 0} txs: reset the allowance, approve, proxy`);
    return Promise.resolve(composed);
  });

  const quote = await stages.run("Quote", async ({ note }) => {
    const quoted = await getQuote(client, { ...request, signal });
    for (const line of describeQuote(quoted)) note(line);
    return quoted;
  });
  const requestId = requestIdOf(quote);

  const statuses: string[] = [];
  const { depositHash, execution } = await stages.run("Deposit on the origin chain", async (progress) => {
    statuses.push((await getStatus(client, { requestId, signal })).status);
    const wallet = createWalletClient({
      account: user,
      chain: describeChain(origin.id, origin.rpcUrl),
      transport: http(origin.rpcUrl),
      pollingInterval: POLL_INTERVAL_MS,
    });
    const confirmed = Promise.withResolvers<Hex>();
    const execution = executeSteps(client, {
      quote,
      wallet,
      pollIntervalMs: POLL_INTERVAL_MS,
      signal,
      onEvent(event) {
        if (event.kind === "status") statuses.push(event.status.status);
        if (event.kind === "confirmed" && event.stepId === "deposit") confirmed.resolve(event.txHash);
        progress.update(describeEvent(event));
      },
    });
    // A failure before the confirmation ends this stage; a later failure ends the next one.
    await Promise.race([confirmed.promise, execution]);
    const depositHash = await confirmed.promise;
    progress.note(`${depositHash} deposits with the orderId in the depository`);
    // Wrapped in an object, so that `await` does not wait for the promise.
    return { depositHash, execution: { promise: execution } };
  });

  const fillHash = await stages.run("Fill on the destination chain", async ({ note }) => {
    const { status } = await execution.promise;
    const hash = requireHash(status.txHashes?.[0], "fill");
    note(`${hash}: ${statuses.join(" -> ")}`);
    return hash;
  });

  const signer = await stages.run("Check the request signature", async ({ note }) => {
    const signed = await getSignature(client, { requestId, signal });
    const recovered = await recoverRequestSigner({ requestId, ...signed });
    if (recovered !== network.solver) {
      throw new InvalidStateError({
        message: `the request is signed by ${recovered}, not by the solver ${network.solver}`,
        hint: "Do not use this service.",
      });
    }
    note(`signed by the solver ${recovered}`);
    return recovered;
  });

  const outcome = await stages.run("Check the outcome", async ({ note }) => {
    const read = await readOutcome(
      chainClient(destination.id, destination.rpcUrl),
      destination,
      user.address,
      fillHash,
    );
    note(`${formatAmount(read.assets, 6)} USDC in the vault for the user; nothing left on router and proxy`);
    return read;
  });
  const { orderId, orderData: order } = requireOrder(quote);
  const attestation = await stages.run("Attest deposit and fill with two oracles", async ({ note }) => {
    const settled = { order, orderId: orderId as Hex, depositHash, fillHash };
    const attested = await attestRequest(network, destination, settled, signal);
    note(describeAttestation(attested));
    return attested;
  });
  const ids = { requestId, orderId, depositHash, fillHash };
  return { ...ids, quote, txs: request.txs ?? [], statuses, signer, outcome, attestation };
}

function requireHash(hash: string | undefined, what: string): Hex {
  if (hash !== undefined) return hash as Hex;
  throw new InvalidStateError({
    message: `the service reports no ${what} transaction for a successful request`,
    hint: "Find the request with GET /requests/v3.",
  });
}

function requireOrder({ protocol }: Quote): { readonly orderId: string; readonly orderData: Order } {
  const { orderId, orderData } = protocol?.v2 ?? {};
  if (isPresent(orderId)) {
    return { orderId, orderData: parseData(OrderSchema, orderData, "the quote", "protocol.v2.orderData") };
  }
  throw new InvalidStateError({
    message: "the quote has no order",
    hint: "This is a bug in crosscall: report it with the output of --json.",
  });
}

export function describeAttestation({ signers, verifier }: DemoAttestation): string {
  return `deposit and fill signed by ${signers.join(" and ")}, verified by ${verifier}`;
}

/** Describes the fees in US dollars. Quotes list fees as negative price impact. */
export function describeFees({ details }: Quote): string {
  const { expandedPriceImpact, totalImpact } = details ?? {};
  const fee = (impact: { usd?: string | null | undefined } | null | undefined): string =>
    (impact?.usd ?? "not stated").replace(/^-/u, "");
  const { execution, swap, relay, app } = expandedPriceImpact ?? {};
  return `${fee(totalImpact)} USD: execution ${fee(execution)}, swap ${fee(swap)}, platform ${fee(relay)}, app ${fee(app)}`;
}

function describeQuote(quote: Quote): string[] {
  const { currencyIn, currencyOut } = quote.details ?? {};
  const amountOf = (amount: string | null | undefined, side: Amount | null | undefined): string =>
    formatCurrencyAmount(BigInt(amount ?? "0"), side?.currency ?? {});
  const expected = amountOf(currencyOut?.amount, currencyOut);
  const minimum = amountOf(currencyOut?.minimumAmount, currencyOut);
  return [
    `pay ${amountOf(currencyIn?.amount, currencyIn)}, expect ${expected}, at least ${minimum}`,
    `fees ${describeFees(quote)}`,
    `order ${quote.protocol?.v2?.orderId ?? ""}`,
  ];
}

function describeEvent(event: ExecutionEvent): string {
  switch (event.kind) {
    case "bundled":
      return `${event.stepIds.join(" and ")} bundled`;
    case "sent":
      return `${event.stepId} sent ${event.txHash}`;
    case "confirmed":
      return `${event.stepId} confirmed, ${event.gasUsed} gas`;
    case "found":
      return `found ${event.txHash ?? "the deposit"}`;
    case "requoted":
      return "quoted again";
    case "signed":
      return `${event.stepId} signed`;
    case "performed":
      return `${event.stepId} performed`;
    case "status":
      return `status ${event.status.status}`;
  }
}

/** Amounts in the smallest unit. */
export interface Outcome {
  /** Vault shares that the user gained. */
  readonly shares: bigint;
  /** Value of those shares in the vault's dollars. */
  readonly assets: bigint;
  readonly routerTokens: bigint;
  readonly proxyTokens: bigint;
  readonly fillGas: bigint;
}

async function readOutcome(
  client: ChainClient,
  { contracts }: LocalnetChain,
  user: Address,
  fillHash: Hex,
): Promise<Outcome> {
  const { router, dollar, vault, vaultProxy } = contracts;
  const balanceOf = (account: Address): Promise<bigint> =>
    readContract(client, { address: dollar, abi: erc20Abi, functionName: "balanceOf", args: [account] });
  const [shares, routerTokens, proxyTokens, receipt] = await Promise.all([
    readContract(client, { address: vault, abi: erc4626Abi, functionName: "balanceOf", args: [user] }),
    balanceOf(router),
    balanceOf(vaultProxy),
    getTransactionReceipt(client, { hash: fillHash }),
  ]);
  const assets = await readContract(client, {
    address: vault,
    abi: erc4626Abi,
    functionName: "convertToAssets",
    args: [shares],
  });
  const outcome = { shares, assets, routerTokens, proxyTokens, fillGas: receipt.gasUsed };
  if (shares > 0n && routerTokens === 0n && proxyTokens === 0n) return outcome;
  throw new InvalidStateError({
    message: `the fill left ${shares} shares with the user, ${routerTokens} tokens on the router and ${proxyTokens} on the proxy`,
    hint: "This is a bug in crosscall: report it with the output of --json.",
  });
}
