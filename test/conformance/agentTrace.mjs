// Checks trace records against the published JSON schema of Agent Trace.
//
//   node test/conformance/agentTrace.mjs <schema> <records>
//
// schema: https://agent-trace.dev/schemas/v1/trace-record.json, or the README of https://github.com/cursor/agent-trace, which
// has the schema as its first block of JSON. That of 0.1.0 is in test/fixtures/agentTrace. records: one as JSON on each line, as the extension exports them.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

const [schemaFile, recordsFile] = process.argv.slice(2);
if (recordsFile === undefined) throw new Error('usage: agentTrace.mjs <schema> <records>');

const source = readFileSync(schemaFile, 'utf8');
const schema = JSON.parse(/^```json\n(.*?)^```/ms.exec(source)?.[1] ?? source);
const validate = new Ajv2020({
  allErrors: true,
  formats: {
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
    uri: (text) => URL.canParse(text),
  },
}).compile(schema);

const lines = readFileSync(recordsFile, 'utf8').split('\n');
let count = 0;
for (const [at, line] of lines.entries()) {
  if (line === '') continue;
  count++;
  if (validate(JSON.parse(line))) continue;
  for (const { instancePath, message } of validate.errors) console.error(`line ${at + 1}: ${instancePath} ${message}`);
  process.exitCode = 1;
}
console.log(`${count} records checked against ${schema.$id}`);
if (count === 0) process.exitCode = 1;
