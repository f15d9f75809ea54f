import { Option } from "commander";

/** `--rpc-url [id=]url`, repeatable: nodes of the chains that a command reads or sends to. */
export function rpcUrlOption(): Option {
  return new Option(
    "--rpc-url <[id=]url>",
    "a chain's JSON-RPC endpoint, with the chain id that it must have; repeatable (or CROSSCALL_RPC_URL for one)",
  )
    .env("CROSSCALL_RPC_URL")
    .argParser<readonly string[] | undefined>((text, others) => [...(others ?? []), text]);
}

/** `--rpc-url`: the node of the destination chain. */
export function destinationRpcUrlOption(description: string): Option {
  return new Option("--rpc-url <url>", description).env("CROSSCALL_RPC_URL");
}
