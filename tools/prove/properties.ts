import type { Engine } from "./smtChecker.ts";
import { missedSelector, moveBeforeAccept, wrongWrite } from "./formulas.ts";
import type { Reading, Replacement } from "./sources.ts";

/** A formula that only a counterexample satisfies, and mutations of the source that must have a counterexample. */
export interface FormulaProperty {
  readonly name: string;
  readonly path: string;
  readonly formula: (source: string) => string;
  readonly mutations: readonly Omit<Mutation, "source">[];
}

/** A proof, and changes to the code that must make it fail. */
export interface Property {
  readonly name: string;
  /** Source in `proofs` with the contract `Proof`. */
  readonly proof: string;
  readonly engine: Engine;
  /** Sources that the proof reads, by name. */
  readonly contracts: Readonly<Record<string, Reading>>;
  /** Sources in `proofs/stubs` that replace others. */
  readonly stubs?: Readonly<Record<string, string>>;
  /** Faults. Each one must have a counterexample; otherwise, the proof has no value. */
  readonly mutations: readonly Mutation[];
}

export interface Mutation {
  readonly name: string;
  /** Source name. */
  readonly source: string;
  readonly replace: readonly Replacement[];
}

const GUARD = "contracts/libraries/ReentryGuard.sol";
const RECEIVER = "contracts/receiver/RequestReceiver.sol";
const VERIFIER = "contracts/attestation/AttestationVerifier.sol";
const RUNNER = "contracts/executor/StepRunner.sol";
const TAKEN = "tools/prove/proofs/Taken.sol";

export const PROPERTIES: readonly Property[] = [
  {
    name: "ReentryGuard: one guarded function runs at a time, for any behavior of the called contracts",
    proof: "Guard.sol",
    engine: "chc",
    contracts: {
      [GUARD]: {
        path: GUARD,
        // The checker does not read assembly.
        replace: [
          [/uint256 private constant _SLOT = \w+;/gu, "uint256 private _state;"],
          [/assembly \("memory-safe"\) \{\s+state := tload\(_SLOT\)\s+\}/gu, "state = _state;"],
          [/assembly \("memory-safe"\) \{\s+tstore\(_SLOT, state\)\s+\}/gu, "_state = state;"],
        ],
      },
    },
    mutations: [
      { name: "the flag is not set", source: GUARD, replace: [["        _writeState(_ENTERED);\n", ""]] },
      {
        name: "the flag is not read",
        source: GUARD,
        replace: [["if (_readState() > _OPEN) revert Reentered();", ""]],
      },
      {
        name: "the flag is cleared before the function runs",
        source: GUARD,
        replace: [["_writeState(_ENTERED);\n", "_writeState(_ENTERED);\n_writeState(_OPEN);\n"]],
      },
    ],
  },
  {
    name: "StepRunner: shares of an amount never exceed it together",
    proof: "Share.sol",
    engine: "bmc",
    contracts: {
      [TAKEN]: {
        path: RUNNER,
        take: ["_WHOLE_BPS", "_share"],
        replace: [
          ["_share(uint256 amount,", "_share(uint256 quotient, uint256 remainder,"],
          [/\(?amount \/ _WHOLE_BPS\)?/gu, "quotient"],
          [/\(?amount % _WHOLE_BPS\)?/gu, "remainder"],
        ],
      },
    },
    mutations: [
      {
        name: "the share of the remainder is rounded up",
        source: TAKEN,
        replace: [["* shareBps) / _WHOLE_BPS;", "* shareBps + _WHOLE_BPS - 1) / _WHOLE_BPS;"]],
      },
      {
        name: "the quotient counts twice",
        source: TAKEN,
        replace: [["(amount / _WHOLE_BPS) * shareBps", "(amount / _WHOLE_BPS) * shareBps * 2"]],
      },
    ],
  },
  {
    name: "StepRunner: draws of a token never exceed the balance that their shares began with",
    proof: "Draws.sol",
    engine: "bmc",
    contracts: {
      [TAKEN]: {
        path: RUNNER,
        take: ["_WHOLE_BPS", "_drawToken"],
        replace: [
          [
            "abstract contract Taken {",
            `abstract contract Taken {
              uint256 internal _BASE_word;
              uint256 internal _DRAWN_BPS_word;
              uint256 internal _LAST_STEP_word;
              uint256 internal _ofBps;
              uint256 internal _sharedAmount;
              uint256 internal _sharedBps;
              function _share(uint256 amount, uint256 bps) internal returns (uint256) {
                (_sharedAmount, _sharedBps) = (amount, bps);
                return _ofBps;
              }`,
          ],
          [/_drawToken\([^)]*\) internal view/gu, "_drawToken(uint256 step, uint256 bps, uint256 live) internal"],
          // The sums stay below 2^17 because of their types.
          ["unchecked {", "{"],
          ["Words share = shares.from(_SHARE_WORDS * draw.index());", ""],
          // Represents the word for a token's draws as its two fields.
          ["uint256 draws = share.wordAt(_DRAWS);", ""],
          ["draws >> 16", "_LAST_STEP_word"],
          ["uint16(draws)", "_DRAWN_BPS_word"],
          ["draws = (step + 1) << 16;", "_LAST_STEP_word = step + 1;"],
          ["share.setWordAt(_DRAWS, draws);", "_DRAWN_BPS_word = 0;"],
          [/share\.setWordAt\(_DRAWS, draws \| (\w+)\);/gu, "_DRAWN_BPS_word = $1;"],
          [/share\.wordAt\((\w+)\)/gu, "$1_word"],
          [/_live\(token, _nativeBefore\(program, shares\)\)/gu, "live"],
          [/share\.setWordAt\((\w+), (.*)\);/gu, "$1_word = $2;"],
          [/draw\.shareBps\(\)/gu, "bps"],
          [/!program\.isDry\(\)/gu, "true"],
        ],
      },
    },
    mutations: [
      {
        name: "shares may sum up to more than the whole",
        source: TAKEN,
        replace: [["draw.shareBps() == 0 || sumBps > _WHOLE_BPS", "draw.shareBps() == 0"]],
      },
      { name: "drawn shares do not count", source: TAKEN, replace: [["draws | sumBps", "draws | drawnBps"]] },
      {
        name: "the first share takes from an old balance",
        source: TAKEN,
        replace: [["drawnBps == 0 && step != 0", "drawnBps == 0 && step == 0"]],
      },
    ],
  },
  {
    name: "AttestationVerifier: an accepted execution has distinct, known, checked signers, none zero, and enough of them",
    proof: "Verifier.sol",
    engine: "chc",
    contracts: {
      [VERIFIER]: {
        path: VERIFIER,
        replace: [
          ["address[] private _signers;", "address[] private _signers; address internal _watched;"],
          [
            "digest = execution.digest(domainSeparator);",
            "digest = execution.digest(domainSeparator); (uint256 count, uint256 ofWatched, address checked) = (0, 0, address(0));",
          ],
          ["SignedHash.requireSigned(", "checked = SignedHash.requireSigned("],
          // Removed, because this check can only reject more executions.
          ["if (signer.code.length != 0) _requireOwn(digest, signatures, i);", ""],
          ["SignedHash.recover(digest, signatures[index].signature)", "wallet"],
          ["SignedHash.recover(digest, signatures[i].signature) == key", "false"],
          [
            /previous = signer;\s+\}\s+\}/gu,
            `previous = signer;
              unchecked { ++count; }
              if (signer == _watched) { unchecked { ++ofWatched; } }
              assert(ofWatched <= 1);
              assert(signer != address(0) && isSigner[signer] && checked == signer);
            }
            assert(count >= threshold && count == signatures.length);
          }`,
          ],
        ],
      },
    },
    stubs: {
      "contracts/libraries/OracleExecution.sol": "OracleExecution.sol",
      "contracts/libraries/SignedHash.sol": "SignedHash.sol",
    },
    mutations: [
      {
        name: "signers need not ascend",
        source: VERIFIER,
        replace: [["if (signer <= previous) revert SignaturesNotAscending(previous, signer);", ""]],
      },
      {
        name: "a signer may sign twice",
        source: VERIFIER,
        replace: [
          [
            "if (signer <= previous) revert SignaturesNotAscending",
            "if (signer < previous) revert SignaturesNotAscending",
          ],
        ],
      },
      {
        name: "any account is a signer",
        source: VERIFIER,
        replace: [["if (!isSigner[signer]) revert UnknownSigner(signer);", ""]],
      },
      {
        name: "one signature fewer is enough",
        source: VERIFIER,
        replace: [["signatures.length < threshold", "signatures.length + 1 < threshold"]],
      },
      {
        name: "the signature of another account is checked",
        source: VERIFIER,
        replace: [["requireSigned(digest, signer,", "requireSigned(digest, previous,"]],
      },
    ],
  },
  {
    name: "RequestReceiver: a request is accepted once, by the solver's signature, and stays recorded",
    proof: "Receiver.sol",
    engine: "bmc",
    contracts: {
      [TAKEN]: {
        path: RECEIVER,
        take: ["paid", "depository", "policy", "verify", "_accept"],
        replace: [
          ["abstract contract Taken {", "abstract contract Taken { bytes4 internal _answer;"],
          [/ override/gu, ""],
          [/ immutable/gu, ""],
          [
            /RequestSignature\.Request calldata request/gu,
            "bytes32 requestId, uint256 originChainId, bytes32 originUser, uint256 originAmount, bool isSigned",
          ],
          ["Terms calldata terms", "bytes32 orderId, uint256 validUntil"],
          [/,\s+bytes calldata signature/gu, ""],
          [/,\s+address currency/gu, ""],
          ["IRequestPolicy public", "address public"],
          ["verify(request, signature)", "verify(requestId, originChainId, originUser, originAmount, isSigned)"],
          ["request.requireSigned(solver, signature)", "require(isSigned)"],
          // A policy may return anything.
          ["if (address(policy) == address(0)) return;", ""],
          ["policy.check(request)", "_answer"],
          [/IRequestPolicy\.check\.selector/gu, "bytes4(0x12345678)"],
          [/emit [^;]*;/gu, ""],
          [/if \(terms\.orderId == bytes32\(0\)\)\s+\}/gu, "}"],
          [/(?:request|terms)\.(\w+)/gu, "$1"],
        ],
      },
    },
    mutations: [
      {
        name: "a paid request is not rejected",
        source: TAKEN,
        replace: [["if (paid[request.requestId]) revert RequestAlreadyPaid(request.requestId);", ""]],
      },
      {
        name: "the payment is not recorded",
        source: TAKEN,
        replace: [["paid[request.requestId] = true;", "paid[request.requestId] = false;"]],
      },
    ],
  },
];

export const FORMULAS: readonly FormulaProperty[] = [
  {
    name: "DeniedSelectors: the bitmaps have the first byte and the remainder of each selector of the list",
    path: "contracts/libraries/DeniedSelectors.sol",
    formula: missedSelector,
    mutations: [
      { name: "the first bitmap misses a byte", replace: [["= 0x44", "= 0x40"]] },
      { name: "the second bitmap misses a remainder", replace: [["= 0x001d", "= 0x001c"]] },
      { name: "the modulus differs", replace: [["_MODULUS = 245", "_MODULUS = 244"]] },
      {
        name: "the list has another selector",
        replace: [["// ERC-1363 and ERC-677.", 'if (selector == bytes4(keccak256("other()"))) return true;']],
      },
    ],
  },
  {
    name: "PackedField: a write sets its field to the value and changes nothing else, for every width",
    path: "contracts/libraries/PackedField.sol",
    formula: wrongWrite,
    mutations: [
      { name: "the old value stays", replace: [["xor(was, field)", "field"]] },
      { name: "the mask is not lowered by one", replace: [["sub(shl(shl(3, width), 1), 1)", "shl(shl(3, width), 1)"]] },
      { name: "the mask counts bits instead of bytes", replace: [["shl(shl(3, width), 1)", "shl(width, 1)"]] },
    ],
  },
  {
    name: "RequestReceiver: every function accepts the request before it moves funds or calls a token's permit",
    path: RECEIVER,
    formula: moveBeforeAccept,
    mutations: [
      {
        name: "tokens move first",
        replace: [
          [
            /(_accept\(request, terms, signature, msg\.sender, address\(token\)\);)\s+(_pull\(token, request\.originAmount\);)/gu,
            "$2 $1",
          ],
        ],
      },
      {
        name: "a function does not accept",
        replace: [["        _accept(request, terms, signature, payer, address(token));\n", ""]],
      },
    ],
  },
];
