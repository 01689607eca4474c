// Asks the server through the official TypeScript SDK and prints what it would hand to the model.
// Usage: node ask.mjs SERVER, where SERVER is JSON with command, args and env; the SDK is found by its folder in SDK.
import { pathToFileURL } from "node:url";

const sdk = (path) => import(pathToFileURL(`${process.env.SDK}/dist/esm/client/${path}`));
const { Client } = await sdk("index.js");
const { StdioClientTransport } = await sdk("stdio.js");

const client = new Client({ name: "test", version: "1" });
await client.connect(new StdioClientTransport(JSON.parse(process.argv[2])));
const result = await client.callTool({ name: "search_and_scrape", arguments: { query: "solar panels" } });
console.log(JSON.stringify({ text: result.content[0].text }));
await client.close();
