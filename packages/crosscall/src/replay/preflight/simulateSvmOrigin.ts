import {
  compileSvmMessage,
  encodeSvmTransaction,
  NO_SIGNATURE,
  readSvmData,
  readSvmTransaction,
  type SvmInstruction,
  type SvmNode,
} from "@crosscall/sdk/kit";

import { encodeBase64 } from "@crosscall/protocol/encoding";
import { originChainIdOf, planSteps } from "@crosscall/protocol/quote/rules";
import * as T from "@crosscall/protocol/schema/type";
import { svmHeadline } from "../svm/report/svmSummary.ts";
import type { SvmReport } from "../svm/svmReport.ts";
import { toSimulatedReport } from "../svm/toSimulatedReport.ts";
import { originFinding } from "./originFindings.ts";
import type { OriginLeg, PreflightFinding, PreflightSubject, Simulated } from "./preflightReport.ts";
import { readSvmAccounts, SvmAccountsSchema, type SvmStates, toSvmStates } from "./svmAccounts.ts";
import { judgeSvmOrigin, svmChangesOf, type SvmOriginFacts } from "./svmFindings.ts";

const SimulationSchema = T.Object({
  context: T.Object({ slot: T.Integer() }),
  value: T.Object({
    err: T.Unknown(),
    logs: T.Optional(T.Union([T.Array(T.String()), T.Null()])),
    unitsConsumed: T.Optional(T.Integer()),
    accounts: T.Optional(T.Union([SvmAccountsSchema, T.Null()])),
  }),
});

const FeeSchema = T.Object({ value: T.Union([T.Integer(), T.Null()]) });

/**
 * Simulates the transaction of a quote's step at the chain's node, and finds effects beyond the request. Returns no leg
 * if the transaction fails.
 */
export async function simulateSvmOrigin(node: SvmNode, parameters: PreflightSubject): Promise<Simulated<OriginLeg>> {
  const { request, quote } = parameters;
  const [action, ...others] = planSteps(quote.steps, originChainIdOf(quote));
  if (action?.kind !== "svmTransaction" || others.length > 0) {
    return { leg: undefined, findings: [notOne([action, ...others].flatMap((one) => one?.kind ?? []))] };
  }
  const { instructions, addressLookupTableAddresses } = readSvmData(action);
  const payer = request.depositFeePayer ?? request.user;
  const tables = await node.lookupTables(addressLookupTableAddresses);
  const { blockhash } = await node.latestBlockhash();
  const message = compileSvmMessage({ payer, instructions, tables, blockhash });
  const signatures = Array.from({ length: message[1] ?? 1 }, () => NO_SIGNATURE);
  const transaction = encodeSvmTransaction(signatures, message);
  const addresses = writableOf(readSvmTransaction(transaction)?.instructions(tables) ?? [], payer);
  const before = await readSvmAccounts(node, addresses);
  const options = { encoding: "base64", sigVerify: false, replaceRecentBlockhash: true, commitment: "confirmed" };
  const accounts = { encoding: "base64", addresses };
  const { context, value } = await node.read(SimulationSchema, "simulateTransaction", encodeBase64(transaction), {
    ...options,
    accounts,
  });
  const logs = value.logs ?? [];
  if (value.err !== null) {
    const meta = { err: value.err, logMessages: logs, computeUnitsConsumed: value.unitsConsumed };
    return { leg: undefined, findings: [reverted(toSimulatedReport({ payer, instructions, meta }), action.stepId)] };
  }
  const after = toSvmStates(addresses, value.accounts ?? []);
  const [fee, rent] = [await feeOf(node, message), await rentOf(node, before, after)];
  const facts: SvmOriginFacts = { ...parameters, payer, fee, rent, before, after };
  return {
    leg: {
      chainId: request.originChainId,
      blockNumber: BigInt(context.slot),
      gasUsed: BigInt(value.unitsConsumed ?? 0),
      ...svmChangesOf(facts),
      logs,
    },
    findings: judgeSvmOrigin(facts),
  };
}

function notOne(kinds: readonly string[]): PreflightFinding {
  return {
    code: "NOT_SIMULATED",
    leg: "origin",
    severity: "note",
    reason: `the steps are not one transaction: ${kinds.join(", ")}`,
    hint: "The claims of the quote show whether these actions match the request.",
  };
}

/** Lists the accounts that a transaction can change. */
function writableOf(instructions: readonly SvmInstruction[], payer: string): string[] {
  const keys = instructions.flatMap((instruction) => instruction.keys);
  return [...new Set([payer, ...keys.flatMap(({ pubkey, isWritable }) => (isWritable ? [pubkey] : []))])];
}

async function feeOf(node: SvmNode, message: Uint8Array): Promise<bigint> {
  const options = { commitment: "confirmed" };
  const { value } = await node.read(FeeSchema, "getFeeForMessage", encodeBase64(message), options);
  return BigInt(value ?? 0);
}

/** Returns the rent of new token accounts. Their other lamports are wrapped native currency. */
async function rentOf(node: SvmNode, before: SvmStates, after: SvmStates): Promise<bigint> {
  let rent = 0n;
  for (const [address, { token, bytes }] of after) {
    if (token === undefined || before.has(address)) continue;
    rent += BigInt(await node.read(T.Integer(), "getMinimumBalanceForRentExemption", bytes));
  }
  return rent;
}

function reverted(report: SvmReport, stepId: string): PreflightFinding {
  const { failure, logs } = report;
  const reason = `${svmHeadline(report, `transaction of step ${stepId}`)} ${failure?.reason ?? ""}`;
  const finding = originFinding("TRANSACTION_REVERTED", reason);
  return { ...finding, hint: failure?.hint ?? finding.hint, logs };
}
