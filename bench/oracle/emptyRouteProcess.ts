import { collectDefaultMetrics, Registry } from "prom-client";
import { fastify } from "fastify";

// A server whose attestation route does nothing, to measure HTTP alone. Sends its URL. Exits with its parent.
const RESPONSE = { execution: "x".repeat(1_200) };
const registry = new Registry();
collectDefaultMetrics({ register: registry });
const app = fastify();
app.post("/attestations/depository-deposits/v1", () => RESPONSE);
app.get("/metrics", () => registry.metrics());
process.send?.({ url: await app.listen({ port: 0, host: "127.0.0.1" }) });
process.on("disconnect", () => process.exit());
