import { Option } from "commander";

/** `--rpc-url [id=]url`, repeatable: nodes of the chains that a command reads or sends to. */
export function rpcUrlOption(): Option {
  return new Option(
    "--rpc-url <[id=]url>",
    "JSON-RPC endpoint of a chain, optionally with the expected chain id; repeatable",
  )
    .env("CROSSCALL_RPC_URL")
    .argParser<readonly string[] | undefined>((text, others) => [...(others ?? []), text]);
}

/** `--rpc-url`: the node of the destination chain. */
export function destinationRpcUrlOption(description: string): Option {
  return new Option("--rpc-url <url>", description).env("CROSSCALL_RPC_URL");
}
