import { networkInterfaces } from "node:os";

/** An address of this machine other than 127.0.0.1, if possible not on loopback. */
export const OTHER_ADDRESS =
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.2";
