import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { encryptWithSops } from '../../src/config/encrypt-with-sops.ts';
import { Sealed } from '../../src/model/sealed.ts';

const folder = mkdtempSync(join(tmpdir(), 'trueup-sops-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const privateKey = ['-----BEGIN KEY-----', 'MIICANARY/abc+def', 'second line', '-----END KEY-----', ''].join(
  '\n',
);
const sentence = 'a canary sentence that is long enough to be folded, with "quotes" and a \\ in it';

/** What a program in the place of `sops` prints: the metadata of a real file, and these lines. */
const printed = async (file: string, lines: string[]) => {
  writeFileSync(join(folder, 'output'), lines.join('\n'));
  const program = join(folder, 'sops');
  writeFileSync(program, `#!/bin/sh\ncat > /dev/null\ncat '${join(folder, 'output')}'\n`);
  chmodSync(program, 0o755);
  const values = new Map([
    ['KEY', new Sealed(privateKey)],
    ['TEXT', new Sealed(sentence)],
    ['WORD', new Sealed('version')],
    ['PIN', new Sealed('0123')],
    ['NUMBER', new Sealed('1234567')],
    ['EMPTY', new Sealed('')],
  ]);
  return encryptWithSops(program, file, values, { cwd: folder, env: { PATH: process.env.PATH } });
};

const encrypted = 'ENC[AES256_GCM,data:Tr7o,iv:1=,tag:k=,type:str]';
const metadata = ['sops:', '    mac: ENC[AES256_GCM,data:abc,type:str]', '    version: 3.9.0'];

it.each([
  [
    'secrets.yaml',
    [`KEY: ${encrypted}`, `TEXT: ${encrypted}`, `WORD: ${encrypted}`, "EMPTY: ''", ...metadata],
  ],
  [
    'secrets.json',
    [JSON.stringify({ KEY: encrypted, TEXT: encrypted, sops: { version: '3.9.0' } }, null, '\t')],
  ],
  ['secrets.env', [`KEY=${encrypted}`, `TEXT=${encrypted}`, 'sops_version=3.9.0']],
  ['secrets.ini', ['[DEFAULT]', `KEY = ${encrypted}`, '[sops]', 'version = 3.9.0']],
])('accepts %s with nothing in clear text', async (file, lines) => {
  expect(await printed(file, lines)).toBe(lines.join('\n'));
});

it.each([
  [
    'a block',
    'secrets.yaml',
    [
      'KEY: |',
      ...privateKey
        .trimEnd()
        .split('\n')
        .map((line) => `    ${line}`),
      ...metadata,
    ],
  ],
  ['escapes in YAML', 'secrets.yaml', [`KEY: ${JSON.stringify(privateKey)}`, ...metadata]],
  [
    'a folded text',
    'secrets.yaml',
    [
      'TEXT: >-',
      '    a canary sentence that is long enough',
      '    to be folded, with "quotes" and a \\ in it',
      ...metadata,
    ],
  ],
  ['a deep place', 'secrets.yaml', ['a:', '    - b: { c: "x version y" }', ...metadata]],
  ['a short text', 'secrets.yaml', ["PIN: '0123'", ...metadata]],
  ['a number', 'secrets.yaml', ['NUMBER: 1234567', ...metadata]],
  ['escapes in JSON', 'secrets.json', [JSON.stringify({ KEY: privateKey })]],
  ['quotes in JSON', 'secrets.json', [JSON.stringify({ TEXT: sentence })]],
  ['escapes in dotenv', 'secrets.env', [`KEY=${privateKey.replaceAll('\n', '\\n')}`, 'sops_version=3.9.0']],
  ['several lines in INI', 'secrets.ini', ['[DEFAULT]', `KEY = """${privateKey}"""`, '[sops]', 'mac = x']],
  ['a text that is no YAML', 'secrets.yaml', ['{{{', sentence]],
])('refuses a secret in clear text, as %s', async (_, file, lines) => {
  expect(await printed(file, lines)).toMatchObject({
    code: 'sops/clear',
    message: expect.stringContaining(`left values of ${file} unencrypted`),
  });
});
