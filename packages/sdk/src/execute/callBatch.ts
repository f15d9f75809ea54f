import { InvalidInputError, InvalidStateError, UnsupportedStepError } from "@crosscall/protocol/core";
import type { PlannedStep } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import { isPresent } from "@crosscall/protocol/schema";
import { requireApiKey, type ServiceClient } from "../client/client.ts";
import { kitErrorIn } from "./boundClient.ts";
import type { VerificationOptions } from "./requireVerified.ts";
import type { RequestJournal } from "./requestJournal.ts";
import type { BatchCalls } from "./journalEntries.ts";
import type { StepWallet } from "./stepWallet.ts";
import { readAtomicCapability } from "./walletAnswers.ts";
import type { StepWallets } from "./wallets.ts";

/** Calls that are made at once, in their order. */
export interface CallBatch {
  /** `bundle`: the wallet sends them (EIP-5792). `gasless`: the service does (`POST /execute`). */
  readonly kind: "bundle" | "gasless";
  readonly calls: BatchCalls;
}

export interface ChooseBatchSubject {
  readonly quote: Quote;
  readonly journal: RequestJournal;
  readonly actions: readonly PlannedStep[];
}

export interface ChooseBatchParameters {
  readonly wallets: StepWallets;
  readonly gasless?: boolean;
}

/** The transactions that actions begin with, if they are made at once. What an earlier run began stays as it was. */
export async function chooseBatch(
  { quote, journal, actions }: ChooseBatchSubject,
  { wallets, gasless = false }: ChooseBatchParameters,
): Promise<CallBatch | undefined> {
  const calls = firstCalls(actions);
  if (calls === undefined) return undefined;
  const earlier = await journal.batchOf(calls);
  if (earlier !== undefined) return { kind: earlier.kind, calls };
  const hasBegun = await journal.hasBegun(calls);
  if (gasless) {
    if (!hasBegun) return { kind: "gasless", calls };
    throw new InvalidStateError({
      message: "an earlier run began to send the transactions itself",
      hint: "Execute the quote without `gasless`, or request a new quote.",
    });
  }
  // Without an order, the service finds the payment by the call data of its transaction, which a bundle changes.
  const hasOrder = isPresent(quote.protocol?.v2?.orderId);
  if (hasBegun || calls.length < 2 || !hasOrder) return undefined;
  const [{ chainId, from }] = calls;
  return (await canBundle(await wallets.on(chainId, from), chainId)) ? { kind: "bundle", calls } : undefined;
}

/** Of one account, on one chain. */
function firstCalls([first, ...others]: readonly PlannedStep[]): BatchCalls | undefined {
  if (first?.kind !== "transaction") return undefined;
  const calls: [typeof first, ...(typeof first)[]] = [first];
  for (const action of others) {
    if (action.kind !== "transaction" || action.chainId !== first.chainId || action.from !== first.from) break;
    calls.push(action);
  }
  return calls;
}

/** A wallet that is `ready` asks the user before it upgrades the account. */
async function canBundle({ client, address, mayBundle }: StepWallet, chainId: number): Promise<boolean> {
  if (!mayBundle) return false;
  try {
    const answer: unknown = await client.request({ method: "wallet_getCapabilities", params: [address] });
    return readAtomicCapability(answer, chainId);
  } catch (error) {
    const kitError = kitErrorIn(error);
    if (kitError?.code === "ABORTED") throw kitError;
    return false;
  }
}

export interface RequireGaslessParameters extends Pick<VerificationOptions, "trust"> {
  readonly wallets: StepWallets;
  readonly destinationClient?: unknown;
}

/** Before the service or a chain is asked. */
export async function requireGasless(
  client: ServiceClient,
  actions: readonly PlannedStep[],
  { wallets, trust, destinationClient, isSameChain }: RequireGaslessParameters & { readonly isSameChain: boolean },
): Promise<void> {
  requireApiKey(client, "POST /execute");
  if (trust === "service") {
    throw new InvalidInputError({
      field: "gasless",
      value: true,
      reason: "without pinned addresses, no contract is known that the account may delegate to",
      hint: 'Leave out `gasless`, or pass pinned addresses instead of `trust: "service"`.',
    });
  }
  if (isSameChain && destinationClient !== undefined) {
    throw new InvalidInputError({
      field: "destinationClient",
      value: undefined,
      reason: "on one chain, no transaction of the user's shows that the request is filled",
      hint: "Leave out `destinationClient`, or `gasless`.",
    });
  }
  const calls = firstCalls(actions);
  const other = actions[calls?.length ?? 0];
  if (other !== undefined) throw new UnsupportedStepError({ stepId: other.stepId, kind: `gasless ${other.kind}` });
  if (calls !== undefined) requireAuthorizer(await wallets.on(calls[0].chainId, calls[0].from));
}

/** @throws {@link InvalidInputError} when the wallet does not hold its key */
export function requireAuthorizer({ signAuthorization }: StepWallet): NonNullable<StepWallet["signAuthorization"]> {
  if (signAuthorization !== undefined) return signAuthorization;
  throw new InvalidInputError({
    field: "wallet",
    value: undefined,
    reason: "it cannot sign EIP-7702 authorizations, which a gasless payment needs",
    hint: "Pass a viem wallet client with a local account.",
  });
}
