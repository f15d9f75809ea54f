import { InvalidStateError } from "../../core/errors.ts";
import type { VmType } from "../../protocol/attestation/vms/vmCodec.ts";
import { AttestationRefusedError } from "../attestationRefusedError.ts";
import type { VmChain } from "./vmChain.ts";

/** What a family answers whose chains make no calls for an order. As in the public oracle, that is no refusal. */
export function withoutCalls(vmType: VmType): Pick<VmChain, "hasMadeCalls"> {
  return {
    hasMadeCalls() {
      throw new InvalidStateError({
        message: `calls of an order are not read on chains of ${vmType}`,
        cure: "Leave the calls out, or name an output chain that runs EVM contracts.",
      });
    },
  };
}

/** What a family answers whose withdrawals are not read here. */
export function withoutWithdrawals(vmType: VmType): Pick<VmChain, "decodeWithdrawal" | "readWithdrawalStatus"> {
  const refuse = (): never => {
    throw new AttestationRefusedError(`Withdrawals on ${vmType} are not supported by this endpoint`);
  };
  return { decodeWithdrawal: refuse, readWithdrawalStatus: refuse };
}
