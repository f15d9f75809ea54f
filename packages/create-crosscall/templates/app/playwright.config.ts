import { defineConfig } from "@playwright/test";

const URL = "http://127.0.0.1:5173";

export default defineConfig({
  testDir: "e2e",
  // End only tests that hang.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  use: {
    baseURL: URL,
    // Only needed for a browser that Playwright did not install.
    launchOptions: { executablePath: process.env.CHROMIUM_PATH },
  },
  webServer: { command: "vite preview --host 127.0.0.1 --port 5173 --strictPort", url: URL },
});
