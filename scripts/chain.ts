import { Command } from "commander";

import { accountsCommand } from "./chain/accounts.ts";
import { faucetCommand } from "./chain/faucet.ts";
import { latencyCommand, mineCommand, miningCommand, reorgCommand, stateCommand } from "./chain/tell.ts";

/** `crosscall chain`: what can be done to the chains of a running network. */
export function chainCommand(): Command {
  return new Command("chain")
    .description("Control the chains of a running network: faucet, blocks, reorgs, latency.")
    .addCommand(faucetCommand())
    .addCommand(stateCommand())
    .addCommand(mineCommand())
    .addCommand(reorgCommand())
    .addCommand(miningCommand())
    .addCommand(latencyCommand())
    .addCommand(accountsCommand());
}
