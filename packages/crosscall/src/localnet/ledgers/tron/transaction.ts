import * as Type from "typebox";
import {
  type Address,
  bytesToHex,
  concatBytes,
  type Hex,
  hexToBytes,
  sha256,
  stringToBytes,
  toFunctionSelector,
} from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { parseData } from "@crosscall/protocol/schema";
import { readAddress, toBase58, toHexForm } from "./address.ts";

interface Transfer {
  readonly type: "TransferContract";
  readonly owner: Address;
  readonly to: Address;
  /** Sun. */
  readonly amount: number;
}

export interface ContractCall {
  readonly type: "TriggerSmartContract";
  readonly owner: Address;
  readonly contract: Address;
  /** Sun. */
  readonly callValue: number;
  readonly data: Hex;
}

/** Operation of a transaction, which the chain calls a contract. */
export type Operation = Transfer | ContractCall;

/** The signed part of a transaction. */
export interface RawTransaction {
  readonly operation: Operation;
  /** Last two bytes of a recent block's number. */
  readonly refBlockBytes: Hex;
  /** Bytes 8 to 16 of the recent block's id. */
  readonly refBlockHash: Hex;
  /** Milliseconds. */
  readonly expiration: number;
  /** Milliseconds. */
  readonly timestamp: number;
  /** Sun. */
  readonly feeLimit: number;
  readonly memo: Hex;
}

const NUMBER_BY_TYPE = { TransferContract: 1, TriggerSmartContract: 31 } as const;

const TYPE_URL = "type.googleapis.com/protocol.";

/** Encodes the protobuf message whose SHA-256 hash is the transaction's id. */
function encodeRaw(raw: RawTransaction): Uint8Array {
  const { type } = raw.operation;
  const parameter = [
    bytesField(1, stringToBytes(`${TYPE_URL}${type}`)),
    bytesField(2, concatBytes(encodeOperation(raw.operation))),
  ];
  const contract = [integerField(1, NUMBER_BY_TYPE[type]), bytesField(2, concatBytes(parameter))];
  return concatBytes([
    bytesField(1, hexToBytes(raw.refBlockBytes)),
    bytesField(4, hexToBytes(raw.refBlockHash)),
    integerField(8, raw.expiration),
    bytesField(10, hexToBytes(raw.memo)),
    bytesField(11, concatBytes(contract)),
    integerField(14, raw.timestamp),
    integerField(18, raw.feeLimit),
  ]);
}

function encodeOperation(operation: Operation): Uint8Array[] {
  const addressField = (id: number, address: Address) => bytesField(id, hexToBytes(`0x${toHexForm(address)}`));
  const owner = addressField(1, operation.owner);
  switch (operation.type) {
    case "TransferContract":
      return [owner, addressField(2, operation.to), integerField(3, operation.amount)];
    case "TriggerSmartContract":
      return [
        owner,
        addressField(2, operation.contract),
        integerField(3, operation.callValue),
        bytesField(4, hexToBytes(operation.data)),
      ];
  }
}

// Fields with default values are omitted.

function bytesField(id: number, content: Uint8Array): Uint8Array {
  if (content.length === 0) return content;
  return concatBytes([varint((id << 3) | 2), varint(content.length), content]);
}

function integerField(id: number, value: number): Uint8Array {
  return value === 0 ? new Uint8Array() : concatBytes([varint(id << 3), varint(value)]);
}

/** Encodes a number as a varint: seven bits per byte, lowest bits first. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}

/** Returns the transaction's id: 64 hex characters without 0x. */
export function idOf(raw: RawTransaction): string {
  return sha256(encodeRaw(raw)).slice(2);
}

/** Returns the JSON form of a transaction. `visible` selects base58 addresses. */
export function toJson(raw: RawTransaction, visible = false) {
  const write = visible ? toBase58 : toHexForm;
  const { operation, memo, feeLimit } = raw;
  return {
    visible,
    txID: idOf(raw),
    raw_data: {
      contract: [
        {
          parameter: { value: operationToJson(operation, write), type_url: `${TYPE_URL}${operation.type}` },
          type: operation.type,
        },
      ],
      ref_block_bytes: raw.refBlockBytes.slice(2),
      ref_block_hash: raw.refBlockHash.slice(2),
      expiration: raw.expiration,
      timestamp: raw.timestamp,
      ...(feeLimit === 0 ? {} : { fee_limit: feeLimit }),
      ...(memo === "0x" ? {} : { data: memo.slice(2) }),
    },
    raw_data_hex: bytesToHex(encodeRaw(raw)).slice(2),
  };
}

function operationToJson(operation: Operation, write: (address: Address) => string): object {
  const owner_address = write(operation.owner);
  switch (operation.type) {
    case "TransferContract":
      return { owner_address, to_address: write(operation.to), amount: operation.amount };
    case "TriggerSmartContract": {
      const { contract, callValue, data } = operation;
      const value = callValue === 0 ? {} : { call_value: callValue };
      return { owner_address, contract_address: write(contract), data: data.slice(2), ...value };
    }
  }
}

const hex = Type.String({ pattern: "^(?:0x)?(?:[0-9a-fA-F]{2})*$" });
const integer = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const TransferSchema = Type.Object({ owner_address: Type.String(), to_address: Type.String(), amount: integer });

const CallSchema = Type.Object({
  owner_address: Type.String(),
  contract_address: Type.String(),
  call_value: Type.Optional(integer),
  data: Type.Optional(hex),
  // Signature of the called function. With the encoded arguments, it replaces `data`.
  function_selector: Type.Optional(Type.String()),
  parameter: Type.Optional(hex),
});

const TransactionSchema = Type.Object({
  txID: Type.Optional(Type.String()),
  signature: Type.Optional(Type.Array(hex)),
  raw_data: Type.Object({
    contract: Type.Array(
      Type.Object({
        type: Type.Union([Type.Literal("TransferContract"), Type.Literal("TriggerSmartContract")]),
        parameter: Type.Object({ value: Type.Object({}) }),
      }),
    ),
    ref_block_bytes: hex,
    ref_block_hash: hex,
    expiration: integer,
    timestamp: Type.Optional(integer),
    fee_limit: Type.Optional(integer),
    data: Type.Optional(hex),
  }),
});

export interface SignedTransaction {
  readonly raw: RawTransaction;
  /** Id as given by the sender, in lower case. */
  readonly id: string | undefined;
  readonly signatures: readonly Hex[];
}

/** @throws {@link MalformedDataError} or {@link InvalidInputError} if the ledger does not support the transaction */
export function parseTransaction(body: unknown): SignedTransaction {
  const { txID, signature = [], raw_data } = parseData(TransactionSchema, body, "the transaction");
  const [contract, ...others] = raw_data.contract;
  if (contract === undefined || others.length > 0) {
    throw new InvalidInputError({
      field: "raw_data.contract",
      value: raw_data.contract.length,
      reason: "a transaction has exactly one contract",
      hint: "Send several transactions.",
    });
  }
  const parse = contract.type === "TransferContract" ? parseTransfer : parseCall;
  return {
    id: txID?.toLowerCase(),
    signatures: signature.map(toHex),
    raw: {
      operation: parse(contract.parameter.value),
      refBlockBytes: toHex(raw_data.ref_block_bytes),
      refBlockHash: toHex(raw_data.ref_block_hash),
      expiration: raw_data.expiration,
      timestamp: raw_data.timestamp ?? 0,
      feeLimit: raw_data.fee_limit ?? 0,
      memo: toHex(raw_data.data),
    },
  };
}

export function parseTransfer(value: unknown): Transfer {
  const { owner_address, to_address, amount } = parseData(TransferSchema, value, "the transfer");
  return {
    type: "TransferContract",
    owner: readAddress(owner_address, "owner_address"),
    to: readAddress(to_address, "to_address"),
    amount,
  };
}

export function parseCall(value: unknown): ContractCall {
  const call = parseData(CallSchema, value, "the contract call");
  const { function_selector: signature = "", parameter } = call;
  return {
    type: "TriggerSmartContract",
    owner: readAddress(call.owner_address, "owner_address"),
    contract: readAddress(call.contract_address, "contract_address"),
    callValue: call.call_value ?? 0,
    data: signature === "" ? toHex(call.data) : `${toFunctionSelector(signature)}${toHex(parameter).slice(2)}`,
  };
}

function toHex(text = ""): Hex {
  return `0x${text.replace(/^0x/iu, "").toLowerCase()}`;
}
