import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "e2e",
  // Ends only tests that hang.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  use: {
    baseURL: "http://127.0.0.1:5173",
    // Only needed for browsers that Playwright did not install.
    launchOptions: { executablePath: process.env.CHROMIUM_PATH },
  },
  webServer: { command: "npm run preview", url: "http://127.0.0.1:5173", timeout: 300_000 },
});
