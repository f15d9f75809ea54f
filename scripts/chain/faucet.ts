import { Command } from "commander";

import { EVM_NATIVE_CURRENCY } from "../../src/chains/address.ts";
import { FaucetAnswerSchema } from "../../src/localnet/service/admin/chainSchemas.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { parseInteger } from "../options/numbers.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface FaucetOptions extends AdminOptions {
  readonly amount: string;
  readonly currency: string;
  readonly json?: boolean;
}

/** `crosscall chain faucet`: gives an account native or tokens. */
export function faucetCommand(): Command {
  const command = new Command("faucet")
    .description("Give an account native or any token of the network; it needs nothing for it.")
    .argument("<chainId>", "the chain, as `crosscall up` lists it", parseInteger)
    .argument("<address>", "who gets it")
    .requiredOption("--amount <amount>", "how much, in the smallest unit")
    .option("--currency <currency>", "symbol or address; the zero address is native", EVM_NATIVE_CURRENCY);
  return addAdminOptions(command)
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall chain faucet 31337 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --amount 1000000000000000000",
        "  crosscall chain faucet 31338 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --currency USDT --amount 5000000",
      ].join("\n"),
    )
    .action((chainId: number, address: string, options: FaucetOptions) =>
      runAdmin((signal) => runFaucet(chainId, address, options, signal)),
    );
}

async function runFaucet(
  chainId: number,
  address: string,
  { amount, currency, json = false, ...options }: FaucetOptions,
  signal: AbortSignal,
): Promise<string> {
  const given = await callAdmin(options, {
    method: "POST",
    path: `/admin/chains/${chainId}/faucet`,
    body: { address, currency, amount },
    schema: FaucetAnswerSchema,
    signal,
  });
  return json ? toJsonLine({ ok: true, ...given }) : `${given.address} got ${given.amount} ${given.symbol}\n`;
}
