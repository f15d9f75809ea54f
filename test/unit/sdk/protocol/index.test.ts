import { readdirSync } from "node:fs";

import { expect } from "chai";

import { minimumOutput } from "../../../../sdk/src/protocol/minimumOutput.ts";
import { readResponse, requireField } from "../../../../sdk/src/protocol/readResponse.ts";
import * as protocol from "../../../../sdk/src/protocol/index.ts";

/** Files whose exports are for the protocol's own use, and what of them is public. */
const INTERNAL = [
  "attestation/bitcoinOutputs.ts",
  "attestation/messages/order.ts",
  "attestation/messages/recoverFields.ts",
  "attestation/messages/requestParts.ts",
  "attestation/missingAdditionalData.ts",
  "attestation/vms/bitcoin.ts",
  "attestation/vms/bitcoinScript.ts",
  "attestation/vms/ethereum.ts",
  "attestation/vms/hyperliquid.ts",
  "attestation/vms/lighter.ts",
  "attestation/vms/readText.ts",
  "attestation/vms/sha256Bytes.ts",
  "attestation/vms/solana.ts",
  "attestation/vms/ton.ts",
  "attestation/vms/tron.ts",
  "attestation/vms/xrp.ts",
  "feeTable.ts",
  "findMismatch.ts",
  "index.ts",
  "json.ts",
  "listSchemaErrors.ts",
  "minimumOutput.ts",
  "orderAddress.ts",
  "quoteAddressRules.ts",
  "quoteCallRules.ts",
  "quoteDepositAddressRules.ts",
  "quoteProblem.ts",
  "quoteRouteRules.ts",
  "quoteSponsorshipRules.ts",
  "quoteTermRules.ts",
  "readResponse.ts",
  "reverts/classifyRevert.ts",
  "reverts/findKnownError.ts",
  "reverts/knownErrors.ts",
  "schemaParts.ts",
  "jsonSchemaKeywords.ts",
  "v2/feesV2.ts",
  "v2/fillRecord.ts",
  "v2/jsonTree.ts",
  "v2/moveFees.ts",
  "v2/moveRoute.ts",
  "v2/moveSponsorship.ts",
  "v2/partsV2.ts",
  "v2/recordTransfer.ts",
];

describe("@crosscall/sdk/protocol", () => {
  it("exports every value of its public files", async () => {
    const folder = new URL("../../../../sdk/src/protocol/", import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && !INTERNAL.includes(file),
    );
    const modules = await Promise.all(
      files.map(async (file) => (await import(new URL(file, folder).href)) as Record<string, unknown>),
    );
    expect({ ...protocol }).to.deep.equal(Object.assign({ minimumOutput, readResponse, requireField }, ...modules));
  });
});
