import { testExampleTransfers } from "../support/exampleTransfers.ts";

describe("the programs in examples/ without a compiler", () => {
  testExampleTransfers([
    { language: "python", needs: ["python3 --version"], command: "python3 examples/python/transfer.py" },
    {
      language: "bash",
      needs: ["bash --version", "curl --version", "jq --version"],
      command: "examples/bash/transfer.sh",
    },
  ]);
});
