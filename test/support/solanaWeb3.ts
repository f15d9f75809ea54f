import {
  type Connection,
  type Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";

import type { SvmInstruction } from "../../packages/crosscall/src/localnet/market/quote/routes/svmDeposit.ts";

/** Converts a quote's instructions to those of `@solana/web3.js`. */
export function toWeb3Instructions(quoted: readonly SvmInstruction[]): TransactionInstruction[] {
  return quoted.map(
    ({ programId, keys, data }) =>
      new TransactionInstruction({
        programId: new PublicKey(programId),
        keys: keys.map(({ pubkey, ...role }) => ({ pubkey: new PublicKey(pubkey), ...role })),
        data: Buffer.from(data, "hex"),
      }),
  );
}

/** Signs instructions as one transaction, by default with the latest block hash. */
export async function signWeb3(
  connection: Connection,
  keypair: Keypair,
  instructions: readonly TransactionInstruction[],
  blockhash?: string,
): Promise<VersionedTransaction> {
  const recentBlockhash = blockhash ?? (await connection.getLatestBlockhash()).blockhash;
  const message = new TransactionMessage({
    payerKey: keypair.publicKey,
    recentBlockhash,
    instructions: [...instructions],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([keypair]);
  return transaction;
}
