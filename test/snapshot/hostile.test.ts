import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { EmbeddedConfiguration } from '../../src/snapshot/anonymous/embedded.ts';
import type { AccountSnapshot } from '../../src/snapshot/snapshot.ts';
import { Shell } from '../support/cli.ts';
import { sweepOnly } from '../support/sweep.ts';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const part = (text: string) => `"stacks":{"":{${text},`;

/** Changes of the text of a snapshot. Each makes another member one that nothing may rely on. */
const changes: [string, (text: string) => string][] = [
  ['deeply nested', (text) => text.replace('"answer":{"items":[', `"answer":{"items":[${nested(100_000)},`)],
  [
    'nested a little too deep',
    (text) => text.replace('"answer":{"items":[', `"answer":{"items":[${nested(400)},`),
  ],
  ['no stacks', (text) => text.replace('"stacks":', '"stakcs":')],
  ['a prototype in place of a part', (text) => text.replace('"stacks":{"":', '"stacks":{"__proto__":')],
  ['a ledger that is a list', (text) => text.replace('"ledger":{', '"ledger":[],"x":{')],
  ['a ledger entry that is a text', (text) => text.replace('"entries":{', '"entries":{"projects/web":"x",')],
  ['reads that are an object', (text) => text.replace('"reads":[', '"reads":{},"x":[')],
  ['a read that writes', (text) => text.replace('"endpoint":"GET ', '"endpoint":"POST ')],
  [
    'digests without a salt',
    (text) => text.replace('"digests":[', '"digests":[{"key":"k","value":"","digest":"d"},'),
  ],
  [
    'a time that no clock has',
    (text) => text.replace('"stacks":{"":{', part('"time":1e300')).replace(/"time":1\d+,/, ''),
  ],
  ['an owner without facts', (text) => text.replace('"facts":', '"fatcs":')],
  ['a key of a number', (text) => text.replace('"keyIds":{', '"keyIds":{"previous":5,"x":{},')],
  ['the counts of pages', (text) => text.replace('"counts":[', '"counts":[-1,')],
];

/** Changes of the configuration in an anonymous snapshot, by their names. */
const configurationChanges: [string, (configuration: EmbeddedConfiguration) => void][] = [
  ['a stack without a name', ({ desired }) => Object.assign(desired, { stack: 5 })],
  ['a resource that is a text', ({ desired }) => desired.resources.push('x' as never)],
  ['a file of many bytes', ({ desired }) => desired.contents.push({ value: 'x', type: 'y', length: 1e12 })],
  ['problems that are a text', (configuration) => Object.assign(configuration, { diagnostics: 'x' })],
  ['a source that is a number', (configuration) => Object.assign(configuration, { origins: [['x', 5]] })],
  ['waiting for a text', (configuration) => Object.assign(configuration, { waitsFor: 'x' })],
  ['a target that is a number', ({ options }) => Object.assign(options, { target: 5 })],
  ['a program that judges plans', ({ options }) => Object.assign(options, { check: ['touch ran'] })],
  ['a file with a token', ({ options }) => Object.assign(options, { tokenFile: '/etc/passwd' })],
];

describe('a file that somebody else made', () => {
  it('gives one clear error if the configuration in an anonymous snapshot has another form', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': 'stack: shop\nplatform: { team: acme }\nprojects: { web: {} }\n',
    });
    await shell.withTwin({ team: { slug: 'acme' }, projects: [{ name: 'web' }] });
    const options = ['--exclude', 'projects/web', '--max-deletions', '3', '--allow', 'cost', '--no-actions'];
    const saved = await shell.run(['plan', '--snapshot', 'account.snapshot', '--anonymous', ...options]);
    expect(saved.status, saved.all).toBe(0);
    expect((await shell.run(['plan', '--from', 'account.snapshot'])).status).toBe(0);
    const text = gunzipSync(readFileSync(join(shell.folder, 'account.snapshot'))).toString();
    for (const [name, change] of configurationChanges) {
      const changed: AccountSnapshot = JSON.parse(text);
      for (const { configuration } of Object.values(changed.stacks)) change(configuration!);
      await shell.write({ changed: gzipSync(JSON.stringify(changed)) });
      const { status, stderr } = await shell.run(['plan', '--from', 'changed']);
      expect([name, status, stderr]).toEqual([name, 1, expect.stringContaining('[snapshot/file]')]);
    }
  });

  it('says that an anonymous one has its own configuration, and refuses options that this leaves without effect', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': 'stack: shop\nplatform: { team: acme }\nprojects: { web: {} }\n',
      'guards.yaml': 'deny: [{ action: create, message: Ask. }]\n',
    });
    await shell.withTwin({ team: { slug: 'acme' } });
    const saved = await shell.run(['plan', '--snapshot', 'account.snapshot', '--anonymous']);
    expect(saved.status, saved.all).toBe(0);
    const planFrom = (name: string, ...options: string[]) => shell.run(['plan', '--from', name, ...options]);
    for (const format of [
      'text',
      'terraform-text',
      'json',
      'terraform',
      'html',
      'markdown',
      'gitlab',
      'sarif',
    ]) {
      const shown = await planFrom('account.snapshot', '--format', format);
      expect([format, shown.status, shown.stderr]).toEqual([
        format,
        0,
        expect.stringMatching(
          /^Planning from account.snapshot, with pseudonyms and the configuration in it.*\n$/,
        ),
      ]);
    }
    const text = gunzipSync(readFileSync(join(shell.folder, 'account.snapshot'))).toString();
    await shell.write({
      unmarked: gzipSync(text.replace('"anonymous":true', '"anonymous2":true')),
      bare: gzipSync(text.replace('"configuration":{', '"configuration2":{')),
    });
    for (const name of ['unmarked', 'bare'])
      expect([name, (await planFrom(name)).stderr]).toEqual([
        name,
        expect.stringContaining('[snapshot/file]'),
      ]);
    for (const options of [
      ['--guards', 'guards.yaml'],
      ['--check', 'true'],
      ['--file', 'trueup.yaml'],
      ['--stage', 'production'],
      ['--var', 'a=b'],
      ['--allow-env', 'A'],
    ])
      expect([options, (await planFrom('account.snapshot', ...options)).stderr]).toEqual([
        options,
        expect.stringContaining(`${options[0]} and an anonymous snapshot cannot be combined`),
      ]);
    shell.env = { ...shell.env, TRUEUP_GUARDS: 'guards.yaml' };
    expect((await planFrom('account.snapshot')).stderr).toContain('TRUEUP_GUARDS and an anonymous snapshot');
  });

  it('gives one clear error, and never a stack trace', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': 'stack: shop\nplatform: { team: acme }\nprojects: { web: {} }\n',
    });
    await shell.withTwin({ team: { slug: 'acme' }, projects: [{ name: 'web' }] });
    expect((await shell.run(['plan', '--snapshot', 'account.snapshot'])).status).toBe(0);
    const text = gunzipSync(readFileSync(join(shell.folder, 'account.snapshot'))).toString();
    for (const [name, change] of changes) {
      const changed = change(text);
      expect(changed, name).not.toBe(text);
      await shell.write({ changed: gzipSync(changed) });
      const { status, stderr } = await shell.run(['plan', '--from', 'changed']);
      expect(stderr, name).toMatch(/\[snapshot\/(?:file|stack)\]/);
      expect(stderr, name).not.toMatch(/\n\s+at |prototype/);
      expect(status, name).toBe(1);
    }
    await shell.write({ newer: gzipSync(text.replace('"formatVersion":2', '"formatVersion":99')) });
    expect((await shell.run(['plan', '--from', 'newer'])).stderr).toContain('[snapshot/version]');
  });

  sweepOnly('it takes a second to compress the file')(
    'a small file that becomes very large is refused',
    async () => {
      const shell = await new Shell().write({ bomb: gzipSync(Buffer.alloc((1 << 28) + 1, 32)) });
      expect((await shell.run(['plan', '--from', 'bomb'])).stderr).toContain('bomb is no snapshot');
    },
  );
});
