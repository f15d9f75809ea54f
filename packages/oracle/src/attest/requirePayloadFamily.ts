import type { VmType } from "@crosscall/protocol/vms";
import { requireAttested } from "../attestationRefusedError.ts";

/** Its transactions are no payloads of other chains, and the other way around. */
const OWN_FORMAT = "bitcoin-vm";

/** @throws {@link AttestationRefusedError} if payloads that the allocator builds so are not read on the chain */
export function requirePayloadFamily(family: string, families: readonly string[], vmType: VmType): void {
  const isOfChain = (family === OWN_FORMAT) === (vmType === OWN_FORMAT);
  requireAttested(families.includes(family) && isOfChain, "Vm type not implemented");
}
