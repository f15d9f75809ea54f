import type * as Type from "typebox";
import { type Hex, isHex } from "viem";
import { getBlockNumber } from "viem/actions";

import { InvalidInputError, MalformedDataError, UnsupportedStepError } from "@crosscall/protocol/core";
import { type PlannedSignature, quotedInput } from "@crosscall/protocol/quote/rules";
import { type Step, StepSchema } from "@crosscall/protocol/quote";
import { doc, anyFields, isPresent, parseData, type Unreadable } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import type { VerifiedStep } from "../verify/verifiedSteps.ts";
import { callService } from "../client/callService.ts";
import type { ServiceClient } from "../client/client.ts";
import type { OutgoingCall } from "../client/transport/exchange.ts";
import type { PreparedExecution } from "./execution.ts";
import { describePermit, type LiveAuthorization, LiveAuthorizations } from "./liveAuthorizations.ts";
import { askNode } from "./node.ts";
import { askUser } from "./walletErrors.ts";
import type { StepWallet } from "./wallets.ts";

const ResponseSchema = T.Object({ steps: T.Optional(T.Array(StepSchema)) });

/** The newer permit endpoint returns v3 steps. */
const FLAT_ENDPOINT = "/execute/permits/v2";

const PlainSchema = T.Object({ message: T.String() });

const MembersSchema = T.Array(T.Object({ name: T.String(), type: T.String() }));

const TypedSchema = T.Object({
  domain: anyFields(doc("EIP-712 domain.")),
  types: T.Unsafe<Record<string, Type.Static<typeof MembersSchema>>>({
    type: "object",
    additionalProperties: MembersSchema,
    description: doc("EIP-712 types."),
  }),
  primaryType: T.String(),
  value: anyFields(doc("What is signed.")),
});

/**
 * Signs and posts a step's message (spec 4, sections 4 and 6). The signature is journaled before it is posted, so a
 * later run posts the same signature. A posted permit stays usable until its deadline, regardless of the service's
 * response, so it is journaled as live until the service accepts it.
 *
 * @returns the steps that follow
 */
export async function performSignature(
  execution: PreparedExecution,
  planned: PlannedSignature,
): Promise<readonly Step[]> {
  const { service, wallets, store, journal, requestId, signal, onEvent } = execution;
  const { stepId, position } = planned;
  const target = readTarget(service, planned);
  const signer = requireSigner(wallets.signer(execution.originChainId));
  const live = describeLive(execution, planned, signer);
  const authorizations = live === undefined ? undefined : new LiveAuthorizations(store, live);
  let signature = await journal.signature(position);
  const earlier = await authorizations?.list();
  let fromBlock = earlier?.find((one) => one.requestId === requestId && one.nonce === live?.nonce)?.fromBlock;
  if (signature === undefined) {
    // Switches the chain before the verification. Wallets only sign for their current chain, and a switch can outlast a
    // deadline.
    const wallet = live === undefined ? signer : await wallets.on(live.chainId, signer.address);
    if (live !== undefined) {
      const { chainId } = live;
      const block = await askNode(chainId, "its latest block", () => getBlockNumber(wallet.client, { cacheTime: 0 }));
      fromBlock = block.toString();
    }
    const step = await execution.verify(planned);
    signature = await askUser(stepId, () => sign(wallet, step));
    if (live !== undefined && fromBlock !== undefined) await authorizations?.add({ ...live, fromBlock });
    await journal.setStep(position, { signature });
  }
  onEvent({ kind: "signed", stepId, signature });
  const { steps, unreadable } = await post(execution, {
    method: "POST",
    path: target.path,
    query: { ...target.query, signature },
    body: planned.post.body,
    signal,
    requestId,
  });
  if (live !== undefined && fromBlock !== undefined) await authorizations?.accept({ ...live, fromBlock });
  // Unreadable steps must be an error, because without them the request would stay incomplete.
  const wrong = unreadable?.fields.find(({ path }) => path.startsWith("steps"));
  if (!isPresent(steps) && wrong !== undefined) {
    throw new MalformedDataError({ what: `the response of POST ${target.path}`, ...wrong });
  }
  return steps ?? [];
}

interface SignatureResponse {
  readonly steps?: readonly Step[] | null | undefined;
  readonly unreadable?: Unreadable | undefined;
}

async function post({ service, requestId, quote }: PreparedExecution, call: OutgoingCall): Promise<SignatureResponse> {
  if (call.path !== FLAT_ENDPOINT) return callService(service, { ...call, schema: ResponseSchema });
  const { PermitResponseV3Schema, toSteps } = await import("@crosscall/protocol/quote/v3");
  const { steps, unreadable } = await callService(service, { ...call, schema: PermitResponseV3Schema });
  const terms = { requestId, sender: quote.details?.sender };
  return { steps: isPresent(steps) ? toSteps(steps, terms) : steps, unreadable };
}

/** Returns undefined for a message without a payment. */
function describeLive(
  { quote, requestId, originChainId: chainId, clock }: PreparedExecution,
  { sign, stepId }: PlannedSignature,
  { address: account }: StepWallet,
): Omit<LiveAuthorization, "fromBlock"> | undefined {
  if (sign.signatureKind !== "eip712") return undefined;
  const permit = describePermit(sign);
  const currency = quote.details?.currencyIn?.currency?.address;
  if (permit === undefined || !isPresent(currency)) return undefined;
  const [amount, askedAtMs] = [quotedInput(quote).toString(), clock.now()];
  return { requestId, stepId, chainId, account, currency, amount, askedAtMs, ...permit };
}

/** Requires that a step's endpoint and message are documented. Runs before any other action. */
export function requireSignable(client: ServiceClient, planned: PlannedSignature): void {
  readTarget(client, planned);
  const { signatureKind } = planned.sign;
  if (signatureKind === "eip191") readSign(PlainSchema, planned);
  else if (signatureKind === "eip712") readSign(TypedSchema, planned);
  else throw new UnsupportedStepError({ stepId: planned.stepId, kind: `signature ${signatureKind}` });
}

async function sign(wallet: StepWallet, step: VerifiedStep<PlannedSignature>): Promise<Hex> {
  const { typedDataOf } = await import("../verify/verifiedSteps.ts");
  if (step.sign.signatureKind === "eip712") {
    return wallet.signTypedData(typedDataOf(step, () => readSign(TypedSchema, step)));
  }
  const { message } = readSign(PlainSchema, step);
  // Hex is signed as bytes, and other values as text.
  return wallet.signMessage(isHex(message) ? { raw: message } : message);
}

function readSign<Schema extends typeof PlainSchema | typeof TypedSchema>(
  schema: Schema,
  { sign, stepId }: PlannedSignature,
): Type.Static<Schema> {
  return parseData(schema, sign, `step ${stepId}`, "data.sign");
}

/** Allows only the service itself, because the request contains the API key. */
function readTarget(
  client: ServiceClient,
  { post: { endpoint, method }, stepId }: PlannedSignature,
): { path: string; query: Record<string, string> } {
  const malformed = (path: string, reason: string): MalformedDataError =>
    new MalformedDataError({ what: `step ${stepId}`, path, reason });
  if (method !== "POST") throw malformed("data.post.method", "it is not POST");
  const base = `${client.baseUrl}/`;
  // Compared as text, because `//host` and `/\host` as URLs would lead to another host.
  if (!/^\/[^/\\]/u.test(endpoint)) throw malformed("data.post.endpoint", "it is not a path of the service");
  const url = new URL(endpoint.slice(1), base);
  if (!url.href.startsWith(base)) throw malformed("data.post.endpoint", "it is not a path of the service");
  return { path: url.pathname.slice(new URL(base).pathname.length - 1), query: Object.fromEntries(url.searchParams) };
}

export function requireSigner(wallet: StepWallet | undefined): StepWallet {
  if (wallet !== undefined) return wallet;
  throw new InvalidInputError({
    field: "wallet",
    value: undefined,
    reason: "a step requires a signature",
    hint: "Pass the wallet of the quote's user.",
  });
}
