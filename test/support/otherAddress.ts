import { networkInterfaces } from "node:os";

/** Address of this machine other than 127.0.0.1, and not on loopback if possible. */
export const OTHER_ADDRESS =
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.2";
