import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "e2e",
  // Only ends tests that hang.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  use: {
    baseURL: "http://127.0.0.1:5173",
    // Only if you do not use the browsers that Playwright installs.
    launchOptions: { executablePath: process.env.CHROMIUM_PATH },
  },
  webServer: { command: "npm run preview", url: "http://127.0.0.1:5173", timeout: 300_000 },
});
