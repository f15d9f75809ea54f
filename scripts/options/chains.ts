import { Option } from "commander";

import type { ChainOptions } from "../../src/localnet/index.ts";
import { parseInteger } from "./numbers.ts";

/** `--chain id[=url]`, repeatable: the chains of the network, instead of two new ones in this process. */
export function chainOption(): Option {
  return new Option(
    "--chain <id[=url]>",
    "a chain, on a local node at the URL or in this process; repeatable (default: 31337 and 31338 in this process)",
  ).argParser<readonly ChainOptions[] | undefined>((text, chains) => {
    const [id = "", ...rest] = text.split("=");
    const rpcUrl = rest.join("=");
    return [...(chains ?? []), { id: parseInteger(id), ...(rpcUrl === "" ? {} : { rpcUrl }) }];
  });
}
