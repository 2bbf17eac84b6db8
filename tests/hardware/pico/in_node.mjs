// Runs the bench in MicroPython, compiled to WebAssembly: a command on each line of standard input, the state
// of the board after it on each line of standard output.
// Usage: node in_node.mjs micropython.mjs bench.py main.py wiring-as-JSON [board.json]

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => {
    process.stderr.write(`${error.message}\n`);  // without the source line, which is the whole of MicroPython
    process.exit(1);
});
const [runtime, bench, source, wiring, settings] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(runtime));
const python = await loadMicroPython({
    heapsize: 192 * 1024,
    linebuffer: true,
    stdout: (line) => process.stderr.write(`${line}\n`),
});
python.FS.writeFile("/bench.py", readFileSync(bench));
python.FS.writeFile("/main.py", readFileSync(source));
if (settings) python.FS.writeFile("/board.json", readFileSync(settings));
python.runPython(`
import json, sys
sys.path.insert(0, "/")
from bench import PicoBench
board = PicoBench(open("/main.py").read(), "/", json.loads(${JSON.stringify(wiring)}))
obey = board.obey
`);
const obey = python.globals.get("obey");
for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${obey(line)}\n`);
}
