import { emptyTask, task } from "hardhat/config";
import { definePlugin } from "hardhat/plugins";
import { ArgumentType } from "hardhat/types/arguments";
import type { HardhatPlugin } from "hardhat/types/plugins";

// Declares `connection.crosscall`.
export type {} from "./connection.ts";
// The plugin registers the matchers in a test run.
export type * from "../testing/matcherTypes.ts";

/**
 * Hardhat 3 plugin. `connection.crosscall` fills plans and decodes the errors of your contracts. Chai matchers check
 * the fills. Tasks replay fills and deploy crosscall's contracts. `plugins: [toolbox, crosscall]`.
 */
const crosscall: HardhatPlugin = definePlugin({
  id: "crosscall",
  npmPackage: "crosscall",
  // Imports all code lazily, because every task of a project loads this plugin.
  hookHandlers: { network: async () => ({ default: (await import("./networkHooks.ts")).createNetworkHooks }) },
  tasks: [
    emptyTask("crosscall", "Replay fills, and deploy crosscall's contracts").build(),
    task(
      ["crosscall", "replay"],
      "Replay a fill on a fork of --network, and decode the errors of the project's contracts",
    )
      .addPositionalArgument({
        name: "what",
        description: "Request id, transaction hash of a fill, quote.json, plan.json, or a module that exports `plan`",
      })
      .addOption(textOption("amount", "Delivered amount, in the smallest unit"))
      .addOption(
        textOption(
          "block",
          "Use the state after this block (default: the fill's block, or the block that the fork is pinned to)",
        ),
      )
      .addOption(textOption("recipient", "Account that receives the output, if the plan has no recipient"))
      .addOption(
        textOption(
          "apiUrl",
          "Base URL of the service (default: CROSSCALL_API_URL); the API key is read from CROSSCALL_API_KEY",
        ),
      )
      .addOption(textOption("html", "Write the report to this file as a self-contained HTML page"))
      .addFlag({
        name: "envelope",
        description: "Try a range of delivered amounts and find those that work",
      })
      .addFlag({ name: "json", description: "Print one JSON object with the complete report" })
      .addFlag({ name: "noCompile", description: "Do not compile the project first" })
      .setAction(async () => ({ default: (await import("./replay.ts")).runReplayTask }))
      .build(),
    task(
      ["crosscall", "deploy"],
      "Deploy crosscall's contracts to --network, from its first account, at the addresses of the release",
    )
      .addVariadicArgument({
        name: "names",
        description: "Deploy only these contracts and their dependencies",
        defaultValue: [],
      })
      .addOption(textOption("parameters", "JSON file that lists contracts to deploy in addition to the standard ones"))
      .addOption(
        textOption(
          "folder",
          "Folder for deployment records (default: deployments; for local chains .crosscall/deployments)",
        ),
      )
      .addFlag({ name: "dryRun", description: "Print addresses and missing contracts without sending transactions" })
      .addFlag({ name: "yes", description: "Send without confirmation" })
      .setAction(async () => ({ default: (await import("./deploy.ts")).runDeployTask }))
      .build(),
  ],
});

/** Returns an option without a default value. */
function textOption<Name extends string>(name: Name, description: string) {
  return { name, description, type: ArgumentType.STRING_WITHOUT_DEFAULT as const, defaultValue: undefined };
}

// Hardhat's convention for plugins.
// oxlint-disable-next-line no-restricted-exports
export default crosscall;
