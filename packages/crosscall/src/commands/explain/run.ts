import { toJsonLine, writeOutput } from "../../terminal/output.ts";
import { formatExplanation, readExplanations } from "./explanations.ts";

export async function runExplain(code: string, { json = false }: { readonly json?: boolean }): Promise<void> {
  const explanations = await readExplanations(code);
  writeOutput(json ? toJsonLine({ ok: true, code, explanations }) : explanations.map(formatExplanation).join("\n"));
}
