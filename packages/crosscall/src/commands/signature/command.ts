import { InvalidArgumentError, Option } from "commander";

import type { Command } from "../../options/command.ts";
import { addServiceOptions } from "../../options/commonOptions.ts";
import type { ExpectedData } from "./verify.ts";

export function defineSignature(command: Command): Command {
  addServiceOptions(command.command("get", { isDefault: true }))
    .description("Show the service's signature over a request and the signed data, without verifying the signature.")
    .argument("<requestId>", "request id")
    .addOption(signatureVersionOption())
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall signature 0x…", "crosscall signature get 0x… --json > signed.json"])
    .lazyAction(async () => (await import("./verify.ts")).runGet);

  addServiceOptions(command.command("verify"))
    .description(
      "Verify the service's signature over a request: signer, signed data and, optionally, a deployed receiver. Exits with 1 if it is invalid.",
    )
    .argument("<requestId>", "request id")
    .option("--signer <address>", "accepted signer; repeatable (default: the service's solver wallets)", addSigner)
    .addOption(
      new Option("--expect <field=value>", "expected signed value, such as originAmount=5000000; repeatable").argParser(
        addExpected,
      ),
    )
    .option("--signed <file>", "verify this signature from `signature get --json` instead of fetching one")
    .addOption(signatureVersionOption())
    .option("--receiver <address>", "also verify a v1 signature with this deployed receiver; needs --rpc-url")
    .addOption(new Option("--rpc-url <url>", "JSON-RPC endpoint of the receiver's chain").env("CROSSCALL_RPC_URL"))
    .option("--json", "print one JSON object instead of text; `ok` is false if the exit code is 1")
    .examples([
      "crosscall signature verify 0x… --expect originAmount=5000000",
      "crosscall signature verify 0x… --expect destinationCurrency=0x… # a v2 field",
      "crosscall signature verify 0x… --receiver 0x… --rpc-url https://… --json",
    ])
    .lazyAction(async () => (await import("./verify.ts")).runVerify);

  return command;
}

function signatureVersionOption(): Option {
  const description = "version of the signature (default: v1 if the service has one, otherwise v2)";
  return new Option("--signature-version <version>", description).choices(["v1", "v2"]);
}

function addSigner(signer: string, others: readonly string[] | undefined): readonly string[] {
  return [...(others ?? []), signer];
}

const EXPECTED_FIELDS: readonly string[] = Object.keys({
  originChainId: true,
  originUser: true,
  originCurrency: true,
  originAmount: true,
  destinationChainId: true,
  destinationUser: true,
  destinationCurrency: true,
} satisfies Readonly<Record<keyof ExpectedData, true>>);

function addExpected(text: string, others: Partial<ExpectedData> | undefined): Partial<ExpectedData> {
  const [field = "", ...rest] = text.split("=");
  const value = rest.join("=");
  if (!EXPECTED_FIELDS.includes(field) || value === "") {
    throw new InvalidArgumentError(`Write <field>=<value>; the fields are ${EXPECTED_FIELDS.join(", ")}.`);
  }
  return { ...others, [field]: value };
}
