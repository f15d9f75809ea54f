import { emptyTask, task } from "hardhat/config";
import { definePlugin } from "hardhat/plugins";
import { ArgumentType } from "hardhat/types/arguments";
import type { HardhatPlugin } from "hardhat/types/plugins";

export type * from "./typeExtensions.ts";

/**
 * Plugin of Hardhat 3: `connection.crosscall` fills plans and names the errors of your contracts, Chai matchers check
 * the fills, and tasks replay fills and deploy crosscall's contracts. `plugins: [toolbox, crosscall]`.
 */
const crosscall: HardhatPlugin = definePlugin({
  id: "crosscall",
  npmPackage: "crosscall",
  // All code is imported when it runs: every task of a project loads its configuration.
  hookHandlers: { network: async () => ({ default: (await import("./networkHooks.ts")).createNetworkHooks }) },
  tasks: [
    emptyTask("crosscall", "Replay fills, and deploy crosscall's contracts").build(),
    task(
      ["crosscall", "replay"],
      "Replay a fill on a fork of --network, and name the errors of the project's contracts",
    )
      .addPositionalArgument({
        name: "what",
        description: "Request id, transaction hash of a fill, quote.json, plan.json, or a module that exports `plan`",
      })
      .addOption(textOption("amount", "Delivered amount, in the smallest unit"))
      .addOption(
        textOption(
          "block",
          "Use the state after this block (default: the fill's, or the one that the fork is pinned to)",
        ),
      )
      .addOption(textOption("recipient", "Account that receives the output, if the plan names none"))
      .addOption(
        textOption("apiUrl", "Base URL of the service (default: CROSSCALL_API_URL); its key: CROSSCALL_API_KEY"),
      )
      .addOption(textOption("html", "Write the report as a self-contained page to this file"))
      .addFlag({ name: "envelope", description: "Try a range of amounts and find where the fill succeeds" })
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
      .addOption(textOption("parameters", "JSON file with contracts to deploy in addition to the standard ones"))
      .addOption(
        textOption(
          "folder",
          "Folder of deployment records (default: deployments; for local chains .crosscall/deployments)",
        ),
      )
      .addFlag({ name: "dryRun", description: "Print addresses and missing contracts, and send nothing" })
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
