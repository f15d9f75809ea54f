import type { OracleContext } from "../oracleContext.ts";
import type { SpentOutput } from "../vms/vmChain.ts";
import { depositoryOf } from "./depositoryOf.ts";

interface Spending {
  readonly chainId: string;
  readonly depository?: string | undefined;
  readonly additionalData?:
    | {
        readonly "bitcoin-vm"?:
          | {
              readonly allocatorUtxos: readonly Omit<SpentOutput, "address">[];
              readonly feeUtxos?: readonly SpentOutput[];
            }
          | undefined;
      }
    | undefined;
}

/**
 * The allocator signs the values that a request states, so they must be what the chain has.
 *
 * @throws {@link AttestationRefusedError} for an output that the withdrawal cannot spend
 */
export async function requireUnspentOutputs(
  { chains }: Pick<OracleContext, "chains">,
  { chainId, depository, additionalData }: Spending,
): Promise<void> {
  const chain = chains.get(chainId);
  const outputs = additionalData?.["bitcoin-vm"];
  if (chain.vmType !== "bitcoin-vm" || outputs === undefined) return;
  const address = depositoryOf(chain, depository);
  const { allocatorUtxos, feeUtxos = [] } = outputs;
  await chains.vm(chainId).requireUnspent?.([...allocatorUtxos.map((output) => ({ ...output, address })), ...feeUtxos]);
}
