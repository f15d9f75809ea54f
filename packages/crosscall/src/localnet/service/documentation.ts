import swagger from "@fastify/swagger";

import { documentationPages } from "@crosscall/oracle/server";
import type { ServiceApp } from "./route.ts";
import { VERSION } from "../../artifacts.ts";

export interface AppInfo {
  readonly title: string;
  readonly description: string;
}

const TAGS = {
  admin: "Controls of the local network. They require the admin key and do not exist on the live service.",
  service: "Endpoints of the live service.",
};

export async function addDocumentation(app: ServiceApp, info: AppInfo): Promise<void> {
  app.addHook("onRoute", (route) => {
    const isControl = route.url.startsWith("/admin/");
    route.schema = {
      ...route.schema,
      tags: [isControl ? "admin" : "service"],
      // The empty entry makes the key optional.
      security: isControl ? [{ adminKey: [] }] : [{}, { apiKey: [] }],
    };
  });
  await app.register(swagger, {
    openapi: {
      info: { ...info, version: VERSION },
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          adminKey: { type: "apiKey", in: "header", name: "x-admin-key" },
          apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
        },
      },
    },
  });
  await app.register(documentationPages, { prefix: "/documentation" });
}
