import { Option } from "commander";

export function rpcUrlOption(): Option {
  return new Option(
    "--rpc-url <[id=]url>",
    "JSON-RPC endpoint of a chain, optionally with the expected chain id; repeatable",
  )
    .env("CROSSCALL_RPC_URL")
    .argParser<readonly string[] | undefined>((text, others) => [...(others ?? []), text]);
}

export function destinationRpcUrlOption(description: string): Option {
  return new Option("--rpc-url <url>", description).env("CROSSCALL_RPC_URL");
}
