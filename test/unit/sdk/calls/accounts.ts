import { type Address, getAddress } from "viem";

const account = (digit: string): Address => getAddress(`0x${digit.repeat(40)}`);

export const ROUTER = account("a");
export const TOKEN = account("b");
export const OTHER_TOKEN = account("c");
export const PROXY = account("d");
export const OTHER_PROXY = account("e");
export const RECIPIENT = account("1");
export const OTHER_RECIPIENT = account("2");
