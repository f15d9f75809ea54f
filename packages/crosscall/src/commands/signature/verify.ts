import { parseEvmAddress } from "@crosscall/protocol/chains";
import {
  getSignature,
  getSignatureV2,
  type ServiceClient,
  type SignatureVerification,
  verifySignature,
  type VerifySignatureParameters,
  verifySignatureV2,
} from "@crosscall/sdk";
import { isMissingEndpoint, type SignatureVerificationV2 } from "@crosscall/sdk/kit";
import { InvalidInputError, printableData } from "@crosscall/protocol/core";
import {
  type RequestSignature,
  RequestSignatureSchema,
  type RequestSignatureV2,
  RequestSignatureV2Schema,
  type SignedRequestData,
  type SignedRequestDataV2,
} from "@crosscall/protocol/request/signature";
import { isObject, parseData } from "@crosscall/protocol/schema";
import { connectChains } from "../../options/target.ts";
import { endpointsOf, findNetwork, openService } from "../../options/network.ts";
import { readJson } from "../../options/readJson.ts";
import type { ServiceOptions } from "../../options/commonOptions.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";

/** Signed fields of both versions. */
export type ExpectedData = SignedRequestData & SignedRequestDataV2;

type Version = "v1" | "v2";

interface VersionOptions {
  readonly signatureVersion?: Version;
}

interface VerifyOptions extends ServiceOptions, VersionOptions {
  readonly signer?: readonly string[];
  readonly expect?: Partial<ExpectedData>;
  readonly signed?: string;
  readonly rpcUrl?: string;
  readonly receiver?: string;
  readonly json?: boolean;
}

/** A signature by the service, with its version. */
type Signed =
  | { readonly version: "v1"; readonly signed: RequestSignature }
  | { readonly version: "v2"; readonly signed: RequestSignatureV2 };

export async function runVerify(requestId: string, { json = false, ...options }: VerifyOptions): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const client = openService(options);
  const wanted = wantedVersion(options);
  const given =
    options.signed === undefined
      ? await takeSigned(client, { requestId, version: wanted, signal })
      : await readSigned(options.signed);
  const { version } = given;
  requireVersion(wanted, version);
  const common = {
    requestId,
    ...(options.signer === undefined ? {} : { expectedSigners: options.signer }),
    ...(options.expect === undefined ? {} : { expected: options.expect }),
    signal,
  };
  const verification =
    given.version === "v1"
      ? await verifySignature(client, {
          ...common,
          signed: given.signed,
          ...(await toReceiver(options, given.signed.requestData?.originChainId ?? undefined, signal)),
        })
      : await verifySignatureV2(client, { ...common, signed: given.signed });
  const { isValid } = verification;
  writeOutput(
    json ? toJsonLine({ ok: isValid, version, ...verification }) : describeVerification(printableData(verification)),
  );
  if (!isValid) process.exitCode = 1;
}

/** Returns the version that the options require, or undefined if both work. */
function wantedVersion({ signatureVersion, receiver, expect = {} }: VerifyOptions): Version | undefined {
  const needs: readonly (readonly [option: string, version: Version])[] = [
    ...(signatureVersion === undefined ? [] : [["--signature-version", signatureVersion] as const]),
    ...(receiver === undefined ? [] : [["--receiver", "v1"] as const]),
    ...("originAmount" in expect ? [["--expect originAmount", "v1"] as const] : []),
    ...("destinationCurrency" in expect ? [["--expect destinationCurrency", "v2"] as const] : []),
  ];
  const [first] = needs;
  const other = needs.find(([, version]) => version !== first?.[1]);
  if (first === undefined || other === undefined) return first?.[1];
  throw new InvalidInputError({
    field: other[0],
    value: undefined,
    reason: `it requires signature ${other[1]}, and ${first[0]} requires ${first[1]}`,
    hint: "Verify each version separately.",
  });
}

function requireVersion(wanted: Version | undefined, version: Version): void {
  if (wanted === undefined || wanted === version) return;
  throw new InvalidInputError({
    field: "--signed",
    value: undefined,
    reason: `it is a ${version} signature, but the other options require ${wanted}`,
    hint: `Get the signature with \`crosscall signature get --signature-version ${wanted} --json\`.`,
  });
}

interface TakeSigned {
  readonly requestId: string;
  readonly version: Version | undefined;
  readonly signal: AbortSignal;
}

async function takeSigned(client: ServiceClient, { requestId, version, signal }: TakeSigned): Promise<Signed> {
  const second = async (): Promise<Signed> => ({
    version: "v2",
    signed: await getSignatureV2(client, { requestId, signal }),
  });
  if (version === "v2") return second();
  try {
    return { version: "v1", signed: await getSignature(client, { requestId, signal }) };
  } catch (error) {
    if (version === "v1" || !isMissingEndpoint(error)) throw error;
    // If both requests fail, the request id is unknown.
    return second().catch(() => {
      throw error;
    });
  }
}

/** Reads a saved signature. Only v2 signatures have a destination currency. */
async function readSigned(path: string): Promise<Signed> {
  const json = await readJson(path, "--signed");
  const what = `the signature in ${path}`;
  const data = isObject(json) ? json.requestData : undefined;
  if (isObject(data) && "destinationCurrency" in data) {
    return { version: "v2", signed: parseData(RequestSignatureV2Schema, json, what) };
  }
  return { version: "v1", signed: parseData(RequestSignatureSchema, json, what) };
}

/** Connects to the receiver, on the given endpoint or on the origin chain of this folder's network. */
async function toReceiver(
  { receiver, rpcUrl, apiUrl }: VerifyOptions,
  originChainId: number | undefined,
  signal: AbortSignal,
): Promise<Pick<VerifySignatureParameters, "receiver">> {
  if (receiver === undefined) return {};
  const address = parseEvmAddress(receiver, "--receiver");
  const given = rpcUrl === undefined || rpcUrl === "" ? [] : [rpcUrl];
  const endpoints = endpointsOf(given, findNetwork(apiUrl), originChainId === undefined ? [] : [originChainId]);
  const [target] = (await connectChains(endpoints, signal)).values();
  if (target !== undefined) return { receiver: { address, client: target.client } };
  throw new InvalidInputError({
    field: "--rpc-url",
    value: undefined,
    reason: "verification with a receiver requires its chain",
    hint: "Pass the endpoint of its chain with the option or in CROSSCALL_RPC_URL.",
  });
}

function describeVerification({
  isValid,
  offChain,
  differences,
  ...verification
}: SignatureVerification | SignatureVerificationV2): string {
  const onChain = "onChain" in verification ? verification.onChain : undefined;
  const expected = offChain.expectedSigners.join(", ");
  const lines = [
    isValid ? "the signature is valid" : "the signature is NOT valid",
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
  { json = false, signatureVersion, ...options }: ServiceOptions & VersionOptions & { readonly json?: boolean },
): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const { signed } = await takeSigned(openService(options), { requestId, version: signatureVersion, signal });
  if (json) {
    writeOutput(toJsonLine({ ok: true, requestId, ...signed }));
    return;
  }
  const { requestData, signature } = printableData(signed);
  const fields = Object.entries(requestData ?? {}).map(([name, value]) => `${name.padEnd(19)}  ${value}\n`);
  writeOutput(`${fields.join("")}${"signature".padEnd(19)}  ${signature}\n`);
}
