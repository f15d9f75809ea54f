import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import type { VmType } from "@crosscall/sdk/internal/protocol/vms/vmCodec";
import { AttestationRefusedError } from "../attestationRefusedError.ts";
import type { AdditionalData } from "../chainFiles.ts";
import type { ReportSetting, VmChain } from "./vmChain.ts";

/** What a family answers whose chains make no calls for an order. As in the public oracle, that is no refusal. */
export function withoutCalls(vmType: VmType): Pick<VmChain, "hasMadeCalls"> {
  return {
    hasMadeCalls() {
      throw new InvalidStateError({
        message: `calls of an order are not read on chains of ${vmType}`,
        hint: "Leave the calls out, or name an output chain that runs EVM contracts.",
      });
    },
  };
}

/** What is said of withdrawals that a route has no way for. */
export function withdrawalsNotSupported(vmType: VmType): string {
  return `Withdrawals on ${vmType} are not supported by this endpoint`;
}

/** What a family answers whose withdrawals are not read here. */
export function withoutWithdrawals(vmType: VmType): Pick<VmChain, "decodeWithdrawal" | "readWithdrawalStatus"> {
  const refuse = (): never => {
    throw new AttestationRefusedError(withdrawalsNotSupported(vmType));
  };
  return { decodeWithdrawal: refuse, readWithdrawalStatus: refuse };
}

/** Reports fast mode in the settings of a family that has none: callers would take it for slow without a word. */
export function refuseFastMode(vmType: VmType, { fastMode }: AdditionalData, report: ReportSetting): void {
  if (fastMode !== undefined) report("fastMode", `chains of ${vmType} have none`, "Leave it out.");
}
