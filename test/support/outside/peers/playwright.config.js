export default {
  testDir: ".",
  timeout: 300_000,
  use: { launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: ["--no-sandbox"] } },
};
