import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explanationOf, explanationsIn } from '../../src/manual/explanations.ts';
import { Shell } from '../support/cli.ts';

const explanations = explanationsIn(readFileSync('docs/troubleshooting.md', 'utf8'));

const sources = ['src', 'providers']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((name) => name.endsWith('.ts') && !name.startsWith('providers/hosting/twin/'))
  .map((name) => readFileSync(name, 'utf8'));

/** Looks like a code, and is none. */
const others = new Set([
  'list/inline',
  'application/json',
  'application/octet-stream',
  'image/jpeg',
  'image/png',
  'csv-parse/sync',
  'kms/key',
]);

const writtenOut = new Set(
  sources
    .map((text) => text.replace(/^\s*(\/\/|\/?\*).*$/gm, ''))
    .flatMap((text) =>
      [...text.matchAll(/'([a-z]+(?:-[a-z]+)*\/[a-z][a-z0-9-]*)'/g)].map(([, code]) => code!),
    )
    .filter((code) => !others.has(code)),
);

/** Codes whose end is put in at run time: each end stands somewhere in the source as a word of its own. */
const putTogether: Record<string, string[]> = {
  approval: ['judgement', 'problem'],
  http: ['*'],
  ledger: [
    'git-program',
    'git-repository',
    'git-embedded',
    'git-owner',
    'git-rejected',
    'git-denied',
    'store-failed',
    'unreachable',
  ],
  system: ['*'],
  undo: ['renamed', 'secret', 'not-kept', 'outside', 'stays'],
};

test('every code that is reported has an entry', () => {
  const missing = [...writtenOut].filter((code) => !explanations.some((one) => one.code === code));
  expect(missing).toEqual([]);
  expect(writtenOut.size).toBeGreaterThan(350);
});

test('every code that is put together at run time has an entry', () => {
  const families = new Set(
    sources.flatMap((text) => [...text.matchAll(/`([a-z]+)\/\$\{[^`]*`,?/g)].map(([, family]) => family!)),
  );
  for (const family of Object.keys(putTogether)) expect(families).toContain(family);
  for (const [family, ends] of Object.entries(putTogether))
    for (const end of ends) {
      expect(explanations.map(({ code }) => code)).toContain(`${family}/${end}`);
      if (end !== '*')
        expect(
          sources.some((text) => new RegExp(`'${end}'|\\b${end}: `).test(text)),
          end,
        ).toBe(true);
    }
  // Where a code is the first argument, or a member called `code`.
  const given = sources.flatMap((text) => [
    ...text.matchAll(
      /(?:problem|warning|error|raise)\(\s*`([a-z]+)\/\$\{|code(?: =|:)[^,\n]*`([a-z]+)\/\$\{/g,
    ),
  ]);
  for (const [, one, other] of given) expect(Object.keys(putTogether)).toContain(one ?? other);
  expect(given.length).toBeGreaterThan(5);
});

test('every entry is of a code that is reported, has a text, and stands once', () => {
  const known = new Set([
    ...writtenOut,
    'internal',
    ...Object.entries(putTogether).flatMap(([family, ends]) => ends.map((end) => `${family}/${end}`)),
  ]);
  const codes = explanations.map(({ code }) => code);
  expect(codes.filter((code) => !known.has(code))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
  for (const { code, text } of explanations) expect(text.length, code).toBeGreaterThan(25);
});

test('explain prints the entry of a code, also as an error ends with it, and of a code that stands for several', async () => {
  const shell = new Shell();
  const told = await shell.run(['explain', 'ledger/unsigned']);
  expect(told).toMatchObject({ status: 0 });
  expect(told.stdout).toContain('ledger/unsigned');
  expect(told.stdout).toContain('trueup ledger sign');
  expect((await shell.run(['explain', '[ledger/unsigned]'])).stdout).toBe(told.stdout);
  expect((await shell.run(['explain', 'http/409'])).stdout).toContain('409: the name is taken');
  expect(explanationOf(explanations, 'http/no-response')!.text).toContain('did not respond in time');
});

test('explain takes the codes of earlier versions, which no error has any more', async () => {
  const former = explanations.flatMap(({ text }) =>
    [...(/^Formerly (.*)\.$/m.exec(text)?.[1]?.matchAll(/`([^`]+)`/g) ?? [])].map(([, code]) => code!),
  );
  expect(former.length).toBeGreaterThan(30);
  expect(former.filter((code) => writtenOut.has(code))).toEqual([]);
  expect((await new Shell().run(['explain', 'var/cycle'])).stdout).toMatch(/^config\/cycle\n/);
});

test('explain asks what was meant, and lists all without a code', async () => {
  const shell = new Shell();
  const wrong = await shell.run(['explain', 'ledger/unsinged']);
  expect(wrong.status).toBe(1);
  expect(wrong.all).toContain('did you mean `ledger/unsigned`?');
  expect((await shell.run(['explain', 'unsigned'])).all).toContain('did you mean `ledger/unsigned`?');
  const all = await shell.run(['explain']);
  for (const { code } of explanations) expect(all.stdout).toContain(code);
  for (const line of all.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  const json = JSON.parse((await shell.run(['explain', '--json'])).stdout) as { explanations: object[] };
  expect(json.explanations).toEqual(explanations);
});

test('codes are completed, without those that stand for several', async () => {
  const { stdout } = await new Shell().run(['__complete', 'code', '--', 'explain']);
  const own = explanations.map(({ code }) => code).filter((code) => !code.endsWith('*'));
  expect(stdout.trimEnd().split('\n')).toEqual(own);
});

test('an error ends with its code, and explain takes it', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: shop\nprojects:\n  web: { framwork: nextjs }\n',
  });
  const { all } = await shell.run(['validate']);
  const [, code] = /^Error: .* \[([a-z/-]+)\]$/m.exec(all)!;
  expect(code).toBe('config/unknown-key');
  expect((await shell.run(['explain', code!])).stdout).toContain('This key is not known here.');
});
