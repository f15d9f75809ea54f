import { type Abi, type Address, concat, encodeDeployData, getContractAddress, type Hex } from "viem";

/** Address of the CREATE2 factory, the same on every chain, so that deployments have the same address everywhere. */
export const CREATE2_FACTORY: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

export const CREATE2_FACTORY_CODE: Hex =
  "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

/** CREATE2 salt. It is zero, so that each contract is deployed once per set of constructor arguments. */
export const CREATE2_SALT: Hex = "0x0000000000000000000000000000000000000000000000000000000000000000";

export interface CreatableCode {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

export interface Deployable {
  readonly artifact: CreatableCode;
  readonly args?: readonly unknown[];
  /** CREATE2 salt. Defaults to {@link CREATE2_SALT}. */
  readonly salt?: Hex;
}

/** Returns the address of a contract, which is the same on every chain. */
export function deploymentAddress(deployable: Deployable): Address {
  return getContractAddress({
    opcode: "CREATE2",
    from: CREATE2_FACTORY,
    salt: deployable.salt ?? CREATE2_SALT,
    bytecode: creationCode(deployable),
  });
}

export function deploymentData(deployable: Deployable): Hex {
  return concat([deployable.salt ?? CREATE2_SALT, creationCode(deployable)]);
}

export function creationCode({ artifact, args }: Deployable): Hex {
  return encodeDeployData({ abi: artifact.abi, bytecode: artifact.bytecode, args: args ?? [] });
}
