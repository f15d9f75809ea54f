import { ShellCompDirective } from "@bomb.sh/tab";
import type { Command } from "commander";

import { readRemembered } from "../../options/rememberedNetwork.ts";
import { type Candidate, type Candidates, complete } from "./complete.ts";
import { writeOutput } from "../../terminal/output.ts";

const FILES = new Set(["file", "files", "folder", "quote.json"]);

const CHAIN = /^chainId$|-chain(?:-id)?s?$/u;

const SCENARIOS = new Set(["scenario", "--scenario"]);

/** Prints a line for each possible word, and the directive for the shell. */
export async function runComplete(this: Command, words: readonly string[]): Promise<void> {
  const { parent } = this;
  if (parent === null) return;
  const candidates = await complete(parent, words, findValues);
  const lines = (candidates ?? []).map(({ value, description }) => `${value}\t${firstSentence(description)}\n`);
  const { ShellCompDirectiveDefault, ShellCompDirectiveNoFileComp } = ShellCompDirective;
  const directive = candidates === undefined ? ShellCompDirectiveDefault : ShellCompDirectiveNoFileComp;
  writeOutput(`${lines.join("")}:${directive}\n`);
}

async function findValues(name: string, placeholder: string): Promise<Candidates> {
  if (FILES.has(placeholder)) return undefined;
  if (CHAIN.test(name)) return Object.keys(readRemembered().rpcUrls).map((value) => ({ value, description: "" }));
  return SCENARIOS.has(name) ? listScenarios() : [];
}

async function listScenarios(): Promise<readonly Candidate[]> {
  const { SCENARIOS: all } = await import("../../localnet/scenarios/catalogue.ts");
  return all.map(({ name, what }) => ({ value: name, description: what }));
}

function firstSentence(text: string): string {
  return /^.*?(?=\.(?:\s|$)|:\s|$)/u.exec(text.replaceAll(/\s+/gu, " "))?.[0] ?? "";
}
