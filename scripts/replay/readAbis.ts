import type { Abi } from "viem";

import { readJson } from "../options/readJson.ts";
import { readAbi } from "../plan/readAbi.ts";

/**
 * Files with a JSON ABI, a list of signatures, or a compiler artifact.
 *
 * @throws {@link InvalidInputError} if a file cannot be read, or has none
 */
export async function readAbis(files: readonly string[] = []): Promise<Abi[]> {
  return Promise.all(
    files.map(async (file) => {
      const content = await readJson(file, "--abi");
      const isArtifact = typeof content === "object" && content !== null && "abi" in content;
      return readAbi(isArtifact ? content.abi : content, `--abi ${file}`);
    }),
  );
}
