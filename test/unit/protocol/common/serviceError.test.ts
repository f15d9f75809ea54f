import { expect } from "chai";

import { parseData } from "../../../../packages/protocol/src/schema/parse.ts";
import {
  KIT_SERVICE_ERROR_CODES,
  SERVICE_ERROR_CODES,
  ServiceErrorSchema,
  isTransientErrorCode,
  serviceErrorStatus,
} from "../../../../packages/protocol/src/common/serviceError.ts";
import { malformed } from "../everyField.ts";

describe("service errors", () => {
  it("have the HTTP status of their code", () => {
    const others = [...SERVICE_ERROR_CODES, ...KIT_SERVICE_ERROR_CODES].flatMap((code) =>
      serviceErrorStatus(code) === 400 ? [] : [[code, serviceErrorStatus(code)]],
    );
    expect(others).to.deep.equal([
      ["FORBIDDEN", 403],
      ["PRICE_FETCH_FAILED", 503],
      ["SERVICE_UNAVAILABLE", 503],
      ["UNAUTHORIZED", 401],
      ["UNAUTHORIZED_QUOTE", 401],
      ["UNKNOWN_ERROR", 500],
      ["RATE_LIMITED", 429],
    ]);
  });

  it("keep the kit's own codes out of the catalogue", () => {
    expect(KIT_SERVICE_ERROR_CODES).to.deep.equal([
      "INVALID_REQUEST",
      "QUERY_TOO_EXPENSIVE",
      "RATE_LIMITED",
      "UNSUPPORTED_FIELD",
    ]);
    expect(SERVICE_ERROR_CODES).not.to.include.members([...KIT_SERVICE_ERROR_CODES]);
    expect(KIT_SERVICE_ERROR_CODES.map(serviceErrorStatus)).to.deep.equal([400, 400, 429, 400]);
  });

  it("are retried for the four transient codes only", () => {
    expect(SERVICE_ERROR_CODES.filter(isTransientErrorCode)).to.deep.equal([
      "PRICE_FETCH_FAILED",
      "REQUEST_TIMED_OUT",
      "RPC_HTTP_ERROR",
      "SERVICE_UNAVAILABLE",
    ]);
    expect(isTransientErrorCode("A_NEW_CODE")).to.equal(false);
    expect(isTransientErrorCode(undefined)).to.equal(false);
  });

  it("are read with only a message, and with any code", () => {
    const listing = { message: "no" };
    const whole = { message: "no", errorCode: "A_NEW_CODE", errorData: "amount: too low" };
    expect(parseData(ServiceErrorSchema, listing, "it")).to.equal(listing);
    expect(parseData(ServiceErrorSchema, whole, "it")).to.equal(whole);
    expect(malformed(() => parseData(ServiceErrorSchema, { errorCode: "NO_QUOTES" }, "it")).path).to.equal("message");
  });
});
