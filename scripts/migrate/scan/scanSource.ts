import ts from "typescript";

import type { Finding } from "./finding.ts";
import { type Read, toFindings } from "./findings.ts";
import { followValues } from "./followValues.ts";
import { parseSource } from "./parseSource.ts";
import { readOfRecord } from "./readsOfRecords.ts";
import { readsOfCall, readsOfText } from "./readsOfUrls.ts";
import { readOfValue } from "./readsOfValues.ts";

/** Prefilter: without a URL or one of these names, a file is not parsed. */
const NAMES =
  /(?:in|out)Txs|feesUsd|paidAppFees|subsidized(?:Request|Fee)|[cC]urrencyObject|expandedPriceImpact|depositAddressType|[fF]ailReason|feeSponsorship|supersededByRequestId|\bfees\b|\bmetadata\b/u;

function needsTree(text: string): boolean {
  return NAMES.test(text) || (/requests/iu.test(text) && /v2/iu.test(text));
}

/** @param name path of the file; its extension determines the language */
export function scanSource(name: string, text: string): Finding[] {
  if (!needsTree(text)) return [];
  const source = parseSource(`/${name}`, text);
  const flow = followValues(source);
  const reads: Read[] = [];
  const visit = (node: ts.Node): void => {
    const single = readOfRecord(flow, node) ?? readOfValue(flow, node);
    if (single !== undefined) reads.push(single);
    reads.push(...readsOfText(flow, node), ...readsOfCall(flow, node));
    ts.forEachChild(node, visit);
  };
  visit(source.file);
  // The status name alone is not evidence.
  const isEvident = reads.some(({ confidence, reads: what }) => confidence === "certain" || what !== "status delayed");
  return isEvident ? toFindings(source.file, name, reads) : [];
}
