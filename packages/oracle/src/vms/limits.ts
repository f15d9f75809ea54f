import { InvalidStateError } from "@crosscall/protocol/core";
import type { VmType } from "@crosscall/protocol/vms";
import type { AdditionalData } from "../chainFiles.ts";
import type { ReportSetting, Settlement } from "./vmChain.ts";

/** Families without calls of orders. As in the public oracle, this is an error, not a refusal. */
export function withoutCalls(vmType: VmType): Pick<Settlement, "hasMadeCalls"> {
  return {
    hasMadeCalls() {
      throw new InvalidStateError({
        message: `calls of an order are not read on chains of ${vmType}`,
        hint: "Leave the calls out, or name an output chain that runs EVM contracts.",
      });
    },
  };
}

/** For routes that do not support the family's withdrawals. */
export function withdrawalsNotSupported(vmType: VmType): string {
  return `Withdrawals on ${vmType} are not supported by this endpoint`;
}

/** A setting without effect would be taken for a check. */
export function refuseGenesisHash({ genesisHash }: AdditionalData, report: ReportSetting, hint: string): void {
  if (genesisHash !== undefined) report("genesisHash", "the chain of this family is not checked by it", hint);
}

/** Fast mode is an error in the settings of a family without it: callers would get slow mode unnoticed. */
export function refuseFastMode(vmType: VmType, { fastMode }: AdditionalData, report: ReportSetting): void {
  if (fastMode !== undefined) report("fastMode", `chains of ${vmType} have none`, "Leave it out.");
}
