import { Option } from "commander";

/** For commands that verify quotes. */
export function trustOption(): Option {
  return new Option(
    "--trust <file>",
    "JSON of further pinned chains, by chain id: name, depositories, solvers, routers, spenders, programs, delegates, payees",
  );
}
