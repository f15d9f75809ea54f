import { Command, InvalidArgumentError, Option } from "commander";

import type { SignedRequestData } from "@crosscall/sdk/internal/protocol/request/requestSignature";
import { lazily } from "./options/lazily.ts";
import { addServiceOptions } from "./options/serviceOptions.ts";

/** `crosscall signature`: the service's signatures over requests. */
export function defineSignature(command: Command): Command {
  return command.addCommand(getCommand()).addCommand(verifyCommand());
}

/** `crosscall signature get`: the signature, unchecked. */
function getCommand(): Command {
  return addServiceOptions(
    new Command("get")
      .description("Show the service's signature over a request, and what it covers. It is not checked.")
      .argument("<requestId>", "the request"),
  )
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      ["", "Examples:", "  crosscall signature get 0x…", "  crosscall signature get 0x… --json > signed.json"].join(
        "\n",
      ),
    )
    .action(lazily(async () => (await import("./signature/get.ts")).runGet));
}

/** `crosscall signature verify`: whether the signature holds, by the library and by a deployed receiver. */
function verifyCommand(): Command {
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
    .action(lazily(async () => (await import("./signature/verify.ts")).runVerify));
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
} satisfies Readonly<Record<keyof SignedRequestData, true>>);

function addExpected(text: string, others: Partial<SignedRequestData> | undefined): Partial<SignedRequestData> {
  const [field = "", ...rest] = text.split("=");
  const value = rest.join("=");
  if (!EXPECTED_FIELDS.includes(field) || value === "") {
    throw new InvalidArgumentError(`Write <field>=<value>; the fields are ${EXPECTED_FIELDS.join(", ")}.`);
  }
  return { ...others, [field]: value };
}
