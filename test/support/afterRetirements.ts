// Preloaded with `--import`: moves a program's clock to a day after the last announced end of an endpoint.
import { ENDPOINTS, type EndpointGeneration } from "../../packages/protocol/src/generations/endpoints.ts";

const ends = ENDPOINTS.flatMap(({ endsOn }: EndpointGeneration) => (endsOn === undefined ? [] : [Date.parse(endsOn)]));
const RealDate = Date;
const shiftMs = Math.max(0, Math.max(...ends) + 86_400_000 - RealDate.now());

class LaterDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...(given as [number]));
  }

  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

globalThis.Date = LaterDate as DateConstructor;
