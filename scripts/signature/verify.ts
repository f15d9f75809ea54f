import { Command, InvalidArgumentError, Option } from "commander";

import { parseEvmAddress } from "../../src/chains/address.ts";
import { verifySignature, type VerifySignatureParameters } from "../../src/client/verifySignature.ts";
import { InvalidInputError } from "../../src/core/errors.ts";
import { parseData } from "../../src/protocol/parse.ts";
import {
  RequestSignatureSchema,
  type SignedRequestData,
  SignedRequestDataSchema,
} from "../../src/protocol/requestSignature.ts";
import { connectChains } from "../options/rpcUrls.ts";
import { readJson } from "../options/readJson.ts";
import { addServiceOptions, openService, type ServiceOptions } from "../options/serviceOptions.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { describeVerification } from "./describeVerification.ts";

interface VerifyOptions extends ServiceOptions {
  readonly signer?: readonly string[];
  readonly expect?: Partial<SignedRequestData>;
  readonly signed?: string;
  readonly rpcUrl?: string;
  readonly receiver?: string;
  readonly json?: boolean;
}

/** `crosscall signature verify`: whether the signature holds, by the library and by a deployed receiver. */
export function verifyCommand(): Command {
  return addServiceOptions(
    new Command("verify")
      .description("Check the service's signature over a request. Exits with 1 when it does not hold.")
      .argument("<requestId>", "the request"),
  )
    .option("--signer <address>", "who may have signed; repeatable (default: the service's solver wallets)", addSigner)
    .addOption(
      new Option(
        "--expect <field=value>",
        "what must have been signed, such as originAmount=5000000; repeatable",
      ).argParser(addExpected),
    )
    .option("--signed <file>", "check this signature, as `signature get --json` prints it, not the service's")
    .option("--receiver <address>", "ask this deployed receiver, too; needs --rpc-url")
    .addOption(new Option("--rpc-url <url>", "JSON-RPC endpoint of the receiver's chain").env("CROSSCALL_RPC_URL"))
    .option("--json", "print one JSON object instead of text; `ok` is false where it exits with 1")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall signature verify 0x… --expect originAmount=5000000",
        "  crosscall signature verify 0x… --receiver 0x… --rpc-url https://… --json",
      ].join("\n"),
    )
    .action(runVerify);
}

async function runVerify(requestId: string, { json = false, ...options }: VerifyOptions): Promise<void> {
  const interrupt = interruptOnCtrlC();
  try {
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
  } finally {
    interrupt.release();
  }
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
      reason: "the receiver is asked on its chain",
      cure: "Give the endpoint of its chain by the option or in CROSSCALL_RPC_URL.",
    });
  }
  const [target] = (await connectChains([rpcUrl], signal)).values();
  return target === undefined ? {} : { receiver: { address, client: target.client } };
}

function addSigner(signer: string, others: readonly string[] | undefined): readonly string[] {
  return [...(others ?? []), signer];
}

function addExpected(text: string, others: Partial<SignedRequestData> | undefined): Partial<SignedRequestData> {
  const [field = "", ...rest] = text.split("=");
  const value = rest.join("=");
  if (!Object.hasOwn(SignedRequestDataSchema.properties, field) || value === "") {
    const fields = Object.keys(SignedRequestDataSchema.properties).join(", ");
    throw new InvalidArgumentError(`Write <field>=<value>; the fields are ${fields}.`);
  }
  return { ...others, [field]: value };
}
