import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect } from "chai";

import { useNetwork } from "./useNetwork.ts";

const run = promisify(execFile);

/** Program in `examples/` that transfers between chains. */
export interface ExampleTransfer {
  readonly language: string;
  /** Commands that succeed if the programs that the example needs are installed. */
  readonly needs: readonly string[];
  readonly command: string;
}

/** Runs programs against one network, and skips programs in languages that are not installed. */
export function testExampleTransfers(examples: readonly ExampleTransfer[]): void {
  const network = useNetwork({
    like: "mainnet",
    chains: [
      { id: 8_453, blockTimeMs: 0 },
      { id: 42_161, blockTimeMs: 0 },
    ],
    oracle: false,
  });

  for (const { language, needs, command } of examples) {
    it(`transfers with ${language}`, async function transfer() {
      for (const program of needs) {
        if (await succeeds(program)) continue;
        console.log(`  examples/${language} is not run: "${program}" fails.`);
        this.skip();
      }
      const { url, apiKey } = network;
      const env = { ...process.env, CROSSCALL_API_URL: url, CROSSCALL_API_KEY: apiKey };
      const { stdout } = await run("sh", ["-ec", command], { env });
      expect(stdout).to.match(/^quoted \d[\d.]+ USDC\ndeposit 0x[\da-f]{64}\nsuccess 0x[\da-f]{64}\n$/u);
    });
  }
}

async function succeeds(command: string): Promise<boolean> {
  return run("sh", ["-c", command]).then(
    () => true,
    () => false,
  );
}
