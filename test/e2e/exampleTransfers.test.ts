import { testExampleTransfers } from "../support/exampleTransfers.ts";

/** Debian's packages for the crates (apt-get install librust-ureq-dev librust-serde-json-dev). */
const REGISTRY = "/usr/share/cargo/registry";
const DEBIAN = `--config 'source.crates-io.replace-with="debian"' --config 'source.debian.directory="${REGISTRY}"'`;

/** Runs cargo in a copy, with Debian's crates if they are installed. */
const cargo = (command: string): string =>
  [
    "folder=$(mktemp -d)",
    'trap "rm -r $folder" EXIT',
    "cp -r examples/rust/. $folder",
    "cd $folder",
    `if test -d ${REGISTRY}/serde_json-1*; then cargo ${command} ${DEBIAN}; else cargo ${command}; fi`,
  ].join("; ");

describe("the programs in examples/ that need a compiler", () => {
  testExampleTransfers([
    { language: "go", needs: ["go version"], command: "go run examples/go/transfer.go" },
    { language: "rust", needs: ["cargo --version", cargo("-q fetch")], command: cargo("-q run") },
  ]);
});
