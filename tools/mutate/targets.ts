/** A source to mutate. */
export interface Target {
  readonly file: string;
  /** Contracts that contain the source's code, by source name. They are compiled again and replaced in the tests. */
  readonly contracts: readonly string[];
  /** Test folders and files, the most relevant first. */
  readonly tests: readonly string[];
}

const EXECUTOR = ["contracts/executor/PushExecutor.sol"];
const EXECUTOR_TESTS = ["test/contracts/executor/", "test/contracts/Fill.t.sol"];
const VERIFIER = ["contracts/attestation/AttestationVerifier.sol"];
const RECEIVER = ["contracts/receiver/RequestReceiver.sol"];
const SIGNATURES = ["contracts/mocks/harness/SignatureCaller.sol", "contracts/mocks/harness/SignatureV2Caller.sol"];
const VAULT_PROXY = ["contracts/proxies/Erc4626Proxy.sol"];
const VAULT_TESTS = ["test/contracts/proxies/Erc4626Proxy", "test/contracts/proxies/DestinationProxy.t.sol"];
const PROXIES = [
  ...VAULT_PROXY,
  "contracts/proxies/AaveV3Proxy.sol",
  "contracts/proxies/CompoundV3Proxy.sol",
  "contracts/proxies/WrappedNativeProxy.sol",
];

export const TARGETS: readonly Target[] = [
  {
    file: "contracts/libraries/SignedHash.sol",
    contracts: SIGNATURES,
    tests: ["test/contracts/libraries/RequestSignature"],
  },
  {
    file: "contracts/libraries/RequestSignature.sol",
    contracts: SIGNATURES,
    tests: ["test/contracts/libraries/RequestSignature"],
  },
  { file: "contracts/libraries/OracleExecution.sol", contracts: VERIFIER, tests: ["test/contracts/attestation/"] },
  {
    file: "contracts/attestation/AttestationVerifier.sol",
    contracts: VERIFIER,
    tests: ["test/contracts/attestation/"],
  },
  { file: "contracts/receiver/RequestReceiver.sol", contracts: RECEIVER, tests: ["test/contracts/receiver/"] },
  {
    file: "contracts/libraries/ReentryGuard.sol",
    contracts: ["contracts/mocks/GuardNeighbor.sol", ...VAULT_PROXY],
    tests: ["test/contracts/libraries/ReentryGuard.t.sol", ...VAULT_TESTS],
  },
  {
    file: "contracts/proxies/DestinationProxy.sol",
    contracts: PROXIES,
    tests: [...VAULT_TESTS, "test/contracts/proxies/"],
  },
  { file: "contracts/proxies/Erc4626Proxy.sol", contracts: VAULT_PROXY, tests: VAULT_TESTS },
  {
    file: "contracts/libraries/PackedField.sol",
    contracts: EXECUTOR,
    tests: ["test/contracts/executor/PushExecutor.patches.t.sol", ...EXECUTOR_TESTS],
  },
  {
    file: "contracts/libraries/DeniedSelectors.sol",
    contracts: EXECUTOR,
    tests: [
      "test/contracts/executor/PushExecutor.denied.t.sol",
      "test/contracts/executor/PushExecutor.selectors.t.sol",
    ],
  },
  {
    file: "contracts/executor/LivePuller.sol",
    contracts: ["contracts/executor/LivePuller.sol", ...EXECUTOR],
    tests: ["test/contracts/executor/LivePuller.t.sol", ...EXECUTOR_TESTS],
  },
  { file: "contracts/executor/PushExecutor.sol", contracts: EXECUTOR, tests: EXECUTOR_TESTS },
  { file: "contracts/executor/StepRunner.sol", contracts: EXECUTOR, tests: EXECUTOR_TESTS },
];
