import * as Type from "typebox";
import { type Hex, isHex } from "viem";

import { InvalidInputError, MalformedDataError, UnsupportedStepError } from "../../core/errors.ts";
import { type Step, StepSchema } from "../../protocol/quote/step.ts";
import { parseData } from "../../protocol/schema/parse.ts";
import { isPresent } from "../../protocol/schema/readResponse.ts";
import { anyFields } from "../../protocol/schema/schemaParts.ts";
import { callService } from "../callService.ts";
import type { ServiceClient } from "../client.ts";
import { UserRejectedError } from "./executionErrors.ts";
import type { RequestJournal } from "./journal.ts";
import type { PlannedSignature } from "../../protocol/quote/planSteps.ts";
import type { StepWallet } from "./stepWallet.ts";

/** EIP-1193, ethers and WalletConnect (CAIP-25). */
const REJECTION_CODES: readonly unknown[] = [4_001, "ACTION_REJECTED", 5_000];

/** Some wallets send only this text. */
const REJECTION_WORDS = /\buser (rejected|denied)\b|\brejected by (the )?user\b/iu;

/** Wallet errors are often wrapped, so causes are checked too. */
export function isUserRejection(error: unknown): boolean {
  for (let cause = error; typeof cause === "object" && cause !== null; cause = "cause" in cause ? cause.cause : null) {
    if ("code" in cause && REJECTION_CODES.includes(cause.code)) return true;
    if (cause instanceof Error && REJECTION_WORDS.test(cause.message)) return true;
  }
  return false;
}

export async function askUser<Result>(stepId: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    if (isUserRejection(cause)) throw new UserRejectedError({ stepId, cause });
    throw cause;
  }
}

const AnswerSchema = Type.Object({ steps: Type.Optional(Type.Array(StepSchema)) });

const PlainSchema = Type.Object({ message: Type.String() });

const MembersSchema = Type.Array(Type.Object({ name: Type.String(), type: Type.String() }));

const TypedSchema = Type.Object({
  domain: anyFields("EIP-712 domain."),
  types: Type.Unsafe<Record<string, Type.Static<typeof MembersSchema>>>({
    type: "object",
    additionalProperties: MembersSchema,
    description: "EIP-712 types.",
  }),
  primaryType: Type.String(),
  value: anyFields("What is signed."),
});

export interface PerformSignatureParameters {
  readonly planned: PlannedSignature;
  readonly journal: RequestJournal;
  readonly signal: AbortSignal | undefined;
  readonly onSigned: (signature: Hex) => void;
}

/**
 * Signs and posts a step's message (spec 4, sections 4 and 6). The signature is journaled before it is posted, so a
 * later run posts the same one.
 *
 * @returns the steps that follow
 */
export async function performSignature(
  client: ServiceClient,
  wallet: StepWallet,
  { planned, journal, signal, onSigned }: PerformSignatureParameters,
): Promise<readonly Step[]> {
  const target = readTarget(client, planned);
  const signature =
    (await journal.signature(planned.position)) ?? (await askUser(planned.stepId, () => sign(wallet, planned)));
  await journal.setSignature(planned.position, signature);
  onSigned(signature);
  const { steps, unreadable } = await callService(client, {
    method: "POST",
    path: target.path,
    query: { ...target.query, signature },
    body: planned.post.body,
    schema: AnswerSchema,
    signal,
  });
  // Unreadable steps must not count as none, which would leave the request half done.
  const wrong = unreadable?.fields.find(({ path }) => path.startsWith("steps"));
  if (!isPresent(steps) && wrong !== undefined) {
    throw new MalformedDataError({ what: `the response of POST ${target.path}`, ...wrong });
  }
  return steps ?? [];
}

/** Runs before anything is done. */
export function requireSignable(client: ServiceClient, planned: PlannedSignature): void {
  readTarget(client, planned);
  const { signatureKind } = planned.sign;
  if (signatureKind === "eip191") readPlain(planned);
  else if (signatureKind === "eip712") readTyped(planned);
  else throw new UnsupportedStepError({ stepId: planned.stepId, kind: `signature ${signatureKind}` });
}

function sign(wallet: StepWallet, planned: PlannedSignature): Promise<Hex> {
  if (planned.sign.signatureKind === "eip712") return wallet.signTypedData(readTyped(planned));
  const { message } = readPlain(planned);
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
