import type { Address, Hex } from "viem";

import { CrosscallError } from "../core/errors.ts";
import { CREATE2_FACTORY } from "./create2.ts";

/** Account that deploys the factory with a published, presigned transaction. */
const FACTORY_DEPLOYER: Address = "0x3fAB184622Dc19b6109349B94811493BF3a45362";

/** The CREATE2 factory is missing, or other code is at its address. */
export class FactoryMissingError extends CrosscallError {
  readonly code = "FACTORY_MISSING";
  /** The chain without the factory. */
  declare readonly chainId: number;
  /** The address of the factory. */
  readonly factory = CREATE2_FACTORY;

  constructor(parameters: { chainId: number; hasOtherCode: boolean }) {
    const seen = parameters.hasOtherCode ? "has code other than the CREATE2 factory's" : "has no CREATE2 factory";
    super(
      {
        message: `chain ${parameters.chainId} ${seen} at ${CREATE2_FACTORY}`,
        hint: parameters.hasOtherCode
          ? "Contracts cannot be deployed to the usual addresses on this chain. Contact the chain's operator."
          : `Fund ${FACTORY_DEPLOYER} and send the presigned transaction of github.com/Arachnid/deterministic-deployment-proxy, or ask the chain's operator. Chains of \`crosscall up\` have the factory.`,
      },
      { chainId: parameters.chainId },
    );
  }
}

/** Code at a contract's address differs from the build. */
export class ForeignCodeError extends CrosscallError {
  readonly code = "FOREIGN_CODE";
  /** The chain of the contract. */
  declare readonly chainId: number;
  /** Name of the contract in the deployment. */
  declare readonly contract: string;
  /** Address with the different code. */
  declare readonly address: Address;
  /** Keccak-256 of the code on the chain. */
  declare readonly codeHash: Hex;
  /** Offset of the first different byte. */
  declare readonly offset: number;

  constructor(parameters: { chainId: number; contract: string; address: Address; codeHash: Hex; offset: number }) {
    super(
      {
        message: `the code at ${parameters.address} on chain ${parameters.chainId} is not the build's ${parameters.contract}: it differs at byte ${parameters.offset}`,
        hint: "Do not use the contract at this address. Restart a local node; on any other chain, ask its operator how the chain derives CREATE2 addresses.",
      },
      {
        chainId: parameters.chainId,
        contract: parameters.contract,
        address: parameters.address,
        codeHash: parameters.codeHash,
        offset: parameters.offset,
      },
    );
  }
}

export class InsufficientFundsError extends CrosscallError {
  readonly code = "INSUFFICIENT_FUNDS";
  /** The chain of the transactions. */
  declare readonly chainId: number;
  /** The account that sends the transactions. */
  declare readonly account: Address;
  /** Decimal, in wei. */
  declare readonly balance: string;
  /** Estimated cost of all transactions at twice the base fee, in wei (decimal). */
  declare readonly needed: string;

  constructor(parameters: { chainId: number; account: Address; balance: bigint; needed: bigint }) {
    super(
      {
        message: `${parameters.account} has ${parameters.balance} wei on chain ${parameters.chainId}, but the deployment may cost ${parameters.needed}`,
        hint: `Send ${parameters.account} at least ${parameters.needed - parameters.balance} wei more.`,
      },
      {
        chainId: parameters.chainId,
        account: parameters.account,
        balance: String(parameters.balance),
        needed: String(parameters.needed),
      },
    );
  }
}

/** The build differs from this release's deployment record for the chain. */
export class ReleaseMismatchError extends CrosscallError {
  readonly code = "RELEASE_MISMATCH";
  /** The chain of the record. */
  declare readonly chainId: number;
  /** Path in the record, such as `contracts.RequestReceiver.creationCodeHash`. */
  declare readonly field: string;
  /** The value in the record. */
  declare readonly recorded: string;
  /** The value of the installed build. */
  declare readonly planned: string;

  constructor(parameters: { chainId: number; field: string; recorded: string; planned: string }) {
    const { chainId, field, recorded, planned } = parameters;
    super(
      {
        message: `deployments/${chainId}.json of the release has ${recorded} at ${field}, but the build has ${planned}`,
        hint: "Install the package again. In a checkout, run `npm run generate` after you change a contract.",
      },
      { chainId, field, recorded, planned },
    );
  }
}
