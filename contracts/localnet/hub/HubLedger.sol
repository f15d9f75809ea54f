// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC6909} from "@openzeppelin/contracts/token/ERC6909/ERC6909.sol";
import {IAttestationVerifier} from "../../interfaces/IAttestationVerifier.sol";
import {OracleExecution} from "../../libraries/OracleExecution.sol";
import {HubSigned} from "./HubSigned.sol";

/// @title The balances of the local settlement hub, which change through executions that oracles sign
/// @notice An account is the hub alias of an address, or the account of an order or of a withdrawal. A token represents
/// a currency of a chain.
abstract contract HubLedger is HubSigned, ERC6909 {
    uint256 private constant _MINT = 0;
    uint256 private constant _BURN = 1;
    uint256 private constant _TRANSFER = 2;
    uint256 private constant _FAST_MINT = 3;

    /// @notice Whether the execution with this key has run.
    mapping(bytes32 idempotencyKey => bool) public executed;

    /// @notice An execution ran.
    event Executed(bytes32 indexed idempotencyKey);

    /// @notice An execution with this key has already run.
    error ExecutionRepeated(bytes32 idempotencyKey);

    /// @notice The action is not the ABI encoding of a known kind.
    error ActionMalformed(bytes action);

    /// @notice A fast mint has a fee calculator. The live hub's calls to it are not documented.
    error FeeNotSupported(address feeCalculator);

    /// @notice Runs an execution that enough oracles signed: all actions or none.
    /// @dev A fast mint is credited in full, without its rate limiter.
    /// @param execution The execution, accepted once.
    /// @param signatures Signatures for `IAttestationVerifier.verify`.
    function execute(
        OracleExecution.Execution calldata execution,
        IAttestationVerifier.OracleSignature[] calldata signatures
    ) external {
        bytes32 key = execution.idempotencyKey;
        if (executed[key]) revert ExecutionRepeated(key);
        executed[key] = true;
        verifier.verify(execution, signatures);
        for (uint256 i = 0; i < execution.actions.length; ++i) {
            _act(execution.actions[i]);
        }
        emit Executed(key);
    }

    /// @notice The contract that stores the balances.
    // solhint-disable-next-line func-name-mixedcase
    function HUB() external view returns (address) {
        return address(this);
    }

    function _act(bytes calldata action) private {
        uint256 kind = action.length < 32 ? type(uint256).max : uint256(bytes32(action[:32]));
        if (kind == _MINT && action.length == 128) {
            (, address to, uint256 id, uint256 amount) = abi.decode(action, (uint8, address, uint256, uint256));
            _mint(to, id, amount);
        } else if (kind == _BURN && action.length == 128) {
            (, address from, uint256 id, uint256 amount) = abi.decode(action, (uint8, address, uint256, uint256));
            _burn(from, id, amount);
        } else if (kind == _TRANSFER && action.length == 160) {
            (, address from, address to, uint256 id, uint256 amount) =
                abi.decode(action, (uint8, address, address, uint256, uint256));
            _transfer(from, to, id, amount);
        } else if (kind == _FAST_MINT && action.length >= 320) {
            _fastMint(action);
        } else {
            revert ActionMalformed(action);
        }
    }

    function _fastMint(bytes calldata action) private {
        (
            uint8 kind,
            address to,
            uint256 id,
            uint256 amount,
            address calculator,
            bytes memory calculatorData,
            address limiter,
            bytes memory limiterData
        ) = abi.decode(action, (uint8, address, uint256, uint256, address, bytes, address, bytes));
        bytes memory encoded = abi.encode(kind, to, id, amount, calculator, calculatorData, limiter, limiterData);
        // The decoder ignores extra bytes, which could hide what was signed.
        if (keccak256(encoded) != keccak256(action)) revert ActionMalformed(action);
        if (calculator != address(0)) revert FeeNotSupported(calculator);
        _mint(to, id, amount);
    }
}
