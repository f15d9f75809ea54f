import { parseEvmAddress } from "@crosscall/sdk/internal/chains/address";
import { getSignature } from "@crosscall/sdk/internal/client/getSignature";
import {
  type SignatureVerification,
  verifySignature,
  type VerifySignatureParameters,
} from "@crosscall/sdk/internal/client/verifySignature";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import {
  RequestSignatureSchema,
  type SignedRequestData,
} from "@crosscall/sdk/internal/protocol/request/requestSignature";
import { parseData } from "@crosscall/sdk/internal/protocol/schema/parse";
import { connectChains } from "../options/connectChains.ts";
import { openService } from "../options/openService.ts";
import { readJson } from "../options/readJson.ts";
import type { ServiceOptions } from "../options/serviceOptions.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface VerifyOptions extends ServiceOptions {
  readonly signer?: readonly string[];
  readonly expect?: Partial<SignedRequestData>;
  readonly signed?: string;
  readonly rpcUrl?: string;
  readonly receiver?: string;
  readonly json?: boolean;
}

export async function runVerify(requestId: string, { json = false, ...options }: VerifyOptions): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const verification = await verifySignature(openService(options), {
    requestId,
    ...(options.signer === undefined ? {} : { expectedSigners: options.signer }),
    ...(options.expect === undefined ? {} : { expected: options.expect }),
    ...(options.signed === undefined ? {} : { signed: await readSigned(options.signed) }),
    ...(await toReceiver(options, signal)),
    signal,
  });
  const { isValid } = verification;
  process.stdout.write(json ? toJsonLine({ ok: isValid, ...verification }) : describeVerification(verification));
  if (!isValid) process.exitCode = 1;
}

async function readSigned(path: string) {
  return parseData(RequestSignatureSchema, await readJson(path, "--signed"), `the signature in ${path}`);
}

async function toReceiver(
  { receiver, rpcUrl }: VerifyOptions,
  signal: AbortSignal,
): Promise<Pick<VerifySignatureParameters, "receiver">> {
  if (receiver === undefined) return {};
  const address = parseEvmAddress(receiver, "--receiver");
  if (rpcUrl === undefined) {
    throw new InvalidInputError({
      field: "--rpc-url",
      value: undefined,
      reason: "verifying with a receiver needs its chain",
      hint: "Pass the endpoint of its chain with the option or in CROSSCALL_RPC_URL.",
    });
  }
  const [target] = (await connectChains([rpcUrl], signal)).values();
  return target === undefined ? {} : { receiver: { address, client: target.client } };
}

function describeVerification({ isValid, offChain, onChain, differences }: SignatureVerification): string {
  const expected = offChain.expectedSigners.join(", ");
  const lines = [
    isValid ? "the signature holds" : "the signature does NOT hold",
    `off-chain  ${offChain.isPassed ? "passed" : "failed"}: signed by ${offChain.signer ?? "an unknown account"}, expected ${expected}`,
  ];
  if (onChain !== undefined) {
    const { isPassed, receiver, solver, refusal } = onChain;
    const reason =
      refusal === undefined ? "" : `, which rejects the payment with ${refusal.error ?? "an unknown error"}`;
    const passed = isPassed ? "passed" : "failed";
    lines.push(`on-chain   ${passed}: receiver ${receiver} trusts ${solver}${reason}`);
  }
  for (const { field, expected: wanted, signed } of differences) {
    lines.push(`differs    ${field}: expected ${wanted}, signed ${signed}`);
  }
  return `${lines.join("\n")}\n`;
}

export async function runGet(
  requestId: string,
  { json = false, ...options }: ServiceOptions & { readonly json?: boolean },
): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const signed = await getSignature(openService(options), { requestId, signal: interrupt.signal });
  if (json) {
    process.stdout.write(toJsonLine({ ok: true, requestId, ...signed }));
    return;
  }
  const fields = Object.entries(signed.requestData ?? {}).map(([name, value]) => `${name.padEnd(18)}  ${value}\n`);
  process.stdout.write(`${fields.join("")}${"signature".padEnd(18)}  ${signed.signature}\n`);
}
