import { hashOrder } from "../../packages/protocol/src/order/orderId.ts";
import type { Order } from "../../packages/protocol/src/order/order.ts";

interface Ordered {
  readonly protocol?:
    | {
        readonly v2?: { readonly orderId?: string | null | undefined; readonly orderData?: unknown } | undefined | null;
      }
    | undefined
    | null;
}

/**
 * Replaces the orderId everywhere in the quote with its order's id, as if the service had created the order.
 *
 * @throws if the order cannot be encoded
 */
export function rehashOrder<Q extends Ordered>(quote: Q): Q {
  const { orderId, orderData } = quote.protocol?.v2 ?? {};
  const changed = hashOrder(orderData as Order).slice(2);
  return JSON.parse(JSON.stringify(quote).replaceAll((orderId ?? "").slice(2), changed)) as Q;
}
