import { anyFields, doc, isPresent, parseData, type Unreadable } from "@crosscall/protocol/schema";
import type * as Type from "typebox";
import { type Hex, isHex } from "viem";
import { getBlockNumber } from "viem/actions";

import {
  type Clock,
  InvalidInputError,
  MalformedDataError,
  throwIfAborted,
  UnsupportedStepError,
} from "@crosscall/protocol/core";
import { type PlannedSignature, quotedInput, type StepTerms } from "@crosscall/protocol/quote/rules";
import { type Quote, type Step, StepSchema } from "@crosscall/protocol/quote";
import { callService } from "../client/callService.ts";
import type { ServiceClient } from "../client/client.ts";
import type { OutgoingCall } from "../client/transport/call.ts";
import type { VerifiedStep } from "../verify/verifiedSteps.ts";
import type { RequestJournal } from "./requestJournal.ts";
import { describePermit, type LiveAuthorization, type LiveAuthorizations } from "./liveAuthorizations.ts";
import type { VerifyStep } from "./requireVerified.ts";
import type { StepWallet } from "./stepWallet.ts";
import { askUser } from "./walletErrors.ts";
import type { StepWallets } from "./wallets.ts";
import * as T from "@crosscall/protocol/schema/type";

const AnswerSchema = T.Object({ steps: T.Optional(T.Array(StepSchema)) });

/** The successor of the endpoint of permits returns steps of version 3. */
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

interface SignatureAnswer {
  readonly steps?: readonly Step[] | null | undefined;
  readonly unreadable?: Unreadable | undefined;
}

export interface PerformSignatureParameters {
  readonly planned: PlannedSignature;
  readonly quote: Quote;
  readonly requestId: string;
  readonly originChainId: number;
  /** Called right before a wallet is prompted. */
  readonly verify: VerifyStep;
  readonly wallets: StepWallets;
  readonly journal: RequestJournal;
  readonly authorizations: (account: Pick<LiveAuthorization, "chainId" | "account">) => LiveAuthorizations;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly onSigned: (signature: Hex) => void;
}

/**
 * Signs and posts a step's message (spec 4, sections 4 and 6). The signature is journaled before it is posted, so a later run posts
 * the same one. A posted permit stays usable until its deadline, whatever the service responds: it is journaled as live until the
 * service accepts it.
 *
 * @returns the steps that follow
 */
export async function performSignature(
  client: ServiceClient,
  parameters: PerformSignatureParameters,
): Promise<readonly Step[]> {
  const { planned, journal, signal, onSigned } = parameters;
  const target = readTarget(client, planned);
  const signer = requireSigner(parameters.wallets.signer(parameters.originChainId));
  const live = describeLive(signer, parameters);
  const authorizations = live === undefined ? undefined : parameters.authorizations(live);
  let signature = await journal.signature(planned.position);
  const { requestId } = parameters;
  const earlier = await authorizations?.list();
  let fromBlock = earlier?.find((one) => one.requestId === requestId && one.nonce === live?.nonce)?.fromBlock;
  if (signature === undefined) {
    // Wallets refuse to sign for another chain than the one they are on. A switch can take longer than a deadline.
    const wallet = live === undefined ? signer : await parameters.wallets.on(live.chainId, signer.address);
    if (live !== undefined) fromBlock = (await getBlockNumber(wallet.client, { cacheTime: 0 })).toString();
    const step = await parameters.verify(planned);
    throwIfAborted(signal, `step ${planned.stepId}`);
    signature = await askUser(planned.stepId, () => sign(wallet, step));
    if (live !== undefined && fromBlock !== undefined) await authorizations?.add({ ...live, fromBlock });
    await journal.setSignature(planned.position, signature);
  }
  onSigned(signature);
  const { steps, unreadable } = await post(client, {
    method: "POST",
    path: target.path,
    query: { ...target.query, signature },
    body: planned.post.body,
    signal,
    requestId,
    sender: parameters.quote.details?.sender,
  });
  if (live !== undefined && fromBlock !== undefined) await authorizations?.accept({ ...live, fromBlock });
  // Unreadable steps must not count as none, which would leave the request half done.
  const wrong = unreadable?.fields.find(({ path }) => path.startsWith("steps"));
  if (!isPresent(steps) && wrong !== undefined) {
    throw new MalformedDataError({ what: `the response of POST ${target.path}`, ...wrong });
  }
  return steps ?? [];
}

interface SignaturePost extends OutgoingCall, Pick<StepTerms, "sender"> {
  readonly requestId: string;
}

async function post(client: ServiceClient, { sender, ...call }: SignaturePost): Promise<SignatureAnswer> {
  if (call.path !== FLAT_ENDPOINT) return callService(client, { ...call, schema: AnswerSchema });
  const { PermitAnswerV3Schema, toSteps } = await import("@crosscall/protocol/quote/v3");
  const { steps, unreadable } = await callService(client, { ...call, schema: PermitAnswerV3Schema });
  return { steps: isPresent(steps) ? toSteps(steps, { requestId: call.requestId, sender }) : steps, unreadable };
}

/** Undefined for a message that pays nothing by itself. */
function describeLive(
  { address: account }: StepWallet,
  { planned, quote, requestId, originChainId: chainId, clock }: PerformSignatureParameters,
): Omit<LiveAuthorization, "fromBlock"> | undefined {
  if (planned.sign.signatureKind !== "eip712") return undefined;
  const permit = describePermit(planned.sign);
  const currency = quote.details?.currencyIn?.currency?.address;
  if (permit === undefined || !isPresent(currency)) return undefined;
  const [amount, askedAtMs] = [quotedInput(quote).toString(), clock.now()];
  return { requestId, stepId: planned.stepId, chainId, account, currency, amount, askedAtMs, ...permit };
}

/** Runs before anything is done. */
export function requireSignable(client: ServiceClient, planned: PlannedSignature): void {
  readTarget(client, planned);
  const { signatureKind } = planned.sign;
  if (signatureKind === "eip191") readPlain(planned);
  else if (signatureKind === "eip712") readTyped(planned);
  else throw new UnsupportedStepError({ stepId: planned.stepId, kind: `signature ${signatureKind}` });
}

async function sign(wallet: StepWallet, step: VerifiedStep<PlannedSignature>): Promise<Hex> {
  const { typedDataOf } = await import("../verify/verifiedSteps.ts");
  if (step.sign.signatureKind === "eip712") return wallet.signTypedData(typedDataOf(step, () => readTyped(step)));
  const { message } = readPlain(step);
  // Hex is bytes to sign; anything else is text.
  return wallet.signMessage(isHex(message) ? { raw: message } : message);
}

function readPlain({ sign, stepId }: PlannedSignature): Type.Static<typeof PlainSchema> {
  return parseData(PlainSchema, sign, `step ${stepId}`, "data.sign");
}

function readTyped({ sign, stepId }: PlannedSignature): Type.Static<typeof TypedSchema> {
  return parseData(TypedSchema, sign, `step ${stepId}`, "data.sign");
}

/** Only the service itself, since the API key is sent along. */
function readTarget(
  client: ServiceClient,
  { post: { endpoint, method }, stepId }: PlannedSignature,
): { path: string; query: Record<string, string> } {
  const malformed = (path: string, reason: string): MalformedDataError =>
    new MalformedDataError({ what: `step ${stepId}`, path, reason });
  if (method !== "POST") throw malformed("data.post.method", "it is not POST");
  const base = `${client.baseUrl}/`;
  // Not resolved as a URL: `//host` and `/\host` would lead elsewhere.
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
    reason: "a step needs a signature",
    hint: "Pass the wallet of the quote's user.",
  });
}
