import { collectDefaultMetrics, Registry } from "prom-client";
import { fastify } from "fastify";

// A server with an attestation route that does nothing, to measure the HTTP overhead. Sends its URL to the parent
// process, and exits with it.
const RESPONSE = { execution: "x".repeat(1_200) };
const registry = new Registry();
collectDefaultMetrics({ register: registry });
const app = fastify();
app.post("/attestations/depository-deposits/v1", () => RESPONSE);
app.get("/metrics", () => registry.metrics());
process.send?.({ url: await app.listen({ port: 0, host: "127.0.0.1" }) });
process.on("disconnect", () => process.exit());
