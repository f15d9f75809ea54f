import { Argument } from "commander";

import type { Command } from "../../options/command.ts";

export function defineCompletion(command: Command): Command {
  return command
    .addArgument(
      new Argument("<shell>", "shell to print the script for").choices(["bash", "zsh", "fish", "powershell"]),
    )
    .examples(["crosscall completion bash"])
    .addHelpText(
      "after",
      `
To install the completion for the \`crosscall\` in your PATH:
  bash        echo 'source <(crosscall completion bash)' >> ~/.bashrc
  zsh         echo 'source <(crosscall completion zsh)' >> ~/.zshrc, after the line with compinit
  fish        crosscall completion fish > ~/.config/fish/completions/crosscall.fish
  powershell  Add-Content $PROFILE 'crosscall completion powershell | Out-String | Invoke-Expression'

Then open a new shell. To use the crosscall of a project, add its node_modules/.bin to your PATH.`,
    )
    .lazyAction(async () => (await import("./printScript.ts")).printScript);
}

/** Defines the command that the completion scripts run. */
export function defineComplete(command: Command): Command {
  return command
    .argument("[words...]", "words after `crosscall`; the last one is completed")
    .lazyAction(async () => (await import("./runComplete.ts")).runComplete);
}
