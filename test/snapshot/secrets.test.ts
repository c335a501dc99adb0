import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

/** Secrets that are hard to find: short ones, a word of the platform, and ones with characters that JSON, URLs and files spell differently. */
const secrets = {
  SHORT: 'abc1',
  WORD: 'production',
  LINES: 'canary of two lines\nwith "quotes" and \\',
  PERCENT: 'p%40ss canary/é',
  URL: 'https://user:url-canary@db.example/x?y=z',
  JSON: '{"k":"json-canary-value"}',
};

/** Returns a text in percent encoding with small letters, as some programs write it: `%2f`. */
const withSmallEscapes = (text: string) =>
  encodeURIComponent(text).replace(/%../g, (digits) => digits.toLowerCase());

const configuration = `stack: shop
platform: { team: acme }
secrets:
${Object.keys(secrets)
  .map((name) => `  ${name.toLowerCase()}: { env: ${name} }\n`)
  .join('')}projects:
  web:
    env:
${Object.keys(secrets)
  .map((name) => `      ${name}: { value: '\${secret.${name.toLowerCase()}}', type: encrypted }\n`)
  .join('')}      JOINED: { value: 'Bearer \${secret.json}', type: encrypted }
`;

/** An account in which every secret stands at other places as well: in plain fields, in other spellings, and in a project that nobody declares. */
const seed = {
  team: { slug: 'acme' },
  projects: [
    {
      name: 'web',
      env: [
        { key: 'BASIC', value: Buffer.from(`user:${secrets.LINES}`).toString('base64'), type: 'plain' },
        { key: 'QUERY', value: encodeURIComponent(secrets.PERCENT), type: 'plain' },
        { key: 'LINK', value: `/?q=${withSmallEscapes(secrets.PERCENT)}`, type: 'plain' },
        { key: 'THEIRS', value: 'live-canary-77', type: 'encrypted' },
        { key: 'SHORT', value: 'xyz9', type: 'encrypted' },
      ],
    },
    { name: 'other', env: [{ key: 'A', value: 'unmanaged-canary-78', type: 'encrypted' }] },
  ],
};

/** Texts that prove that a secret is in a snapshot. `production` is none: it is also the name of a target. */
const canaries = [
  'abc1',
  'xyz9',
  'canary',
  encodeURIComponent(secrets.PERCENT),
  ...[0, 1, 2].map((offset) =>
    Buffer.from(' '.repeat(offset) + secrets.LINES)
      .toString('base64')
      .slice(4, -4),
  ),
];

describe('no snapshot has a secret', () => {
  it.each([
    ['after an apply', true],
    ['without ledger and key', false],
  ])('%s', async (_, isApplied) => {
    const shell = await new Shell().write({ 'trueup.yaml': configuration });
    await shell.withTwin(seed as never);
    shell.env = { ...shell.env, ...secrets, TRUEUP_ALLOW_ENV: Object.keys(secrets).join(',') };
    if (isApplied) expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
    const planned = await shell.run(['plan', '--json', '--snapshot', 'account.snapshot']);
    expect(planned.stderr).toContain('It is as confidential as the account');
    const text = gunzipSync(readFileSync(join(shell.folder, 'account.snapshot'))).toString();
    expect(canaries.filter((canary) => text.includes(canary))).toEqual([]);
    expect(text).not.toContain('"value":"production"');
    for (const name of [...Object.keys(secrets), 'TRUEUP_TOKEN']) delete shell.env[name];
    shell.env.TRUEUP_BASE_URL = 'http://127.0.0.1:1';
    const again = await shell.run(['plan', '--json', '--from', 'account.snapshot']);
    expect(again.stdout).toBe(planned.stdout);
  });
});
