export { type Order, OrderSchema } from "./order.ts";
export { decodeFillContract, decodeOrderCall, encodeFillContract, encodeOrderCall } from "./orderCalls.ts";
export { type EncodeOrderAddress, hashOrder } from "./orderId.ts";
