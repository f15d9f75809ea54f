// Runs programs one after another in this process: for each path that the parent sends it imports the file and sends back
// what the program wrote to standard output, or why it failed.
process.on("message", (url) => void run(url).then((result) => process.send(result)));
process.on("disconnect", () => process.exit());

async function run(url) {
  const { write } = process.stdout;
  let output = "";
  process.stdout.write = (chunk) => {
    output += chunk.toString();
    return true;
  };
  try {
    await import(url);
    return { output };
  } catch (error) {
    return { output, error: error instanceof Error ? error.stack : String(error) };
  } finally {
    process.stdout.write = write;
  }
}
