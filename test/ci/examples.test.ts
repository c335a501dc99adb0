import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { oneStack, repositoryWith, severalStacks } from './sample.ts';

const isWriting = process.env.TRUEUP_DOCS === 'write';

/** What each file of the examples is, where `init --ci` writes it; with several stacks it is `-stacks`. */
const github = ['validate', 'plan', 'apply', 'drift', 'sign'].map(
  (name) => [`.github/workflows/trueup-${name}.yml`, `github/${name}`] as const,
);

it('the examples are what init --ci writes', async () => {
  const written = new Map<string, string>();
  for (const [files, suffix] of [
    [oneStack, ''],
    [severalStacks, '-stacks'],
  ] as const) {
    const { init, read } = await repositoryWith(files);
    const ran = await init(['--ci', 'github']);
    expect(ran.status, ran.all).toBe(0);
    for (const [path, name] of github) written.set(`${name}${suffix}.yml`, read(path));
    const other = await init(['--ci', 'gitlab']);
    expect(other.status, other.all).toBe(0);
    written.set('gitlab-ci.yml', read('trueup-ci/gitlab-ci.yml'));
    if (suffix !== '') written.set('gitlab-stacks.yml', read('trueup-ci/gitlab-stacks.yml'));
  }
  for (const [name, text] of written) {
    // A job that hangs would otherwise hold its lease and the queue for six hours.
    const jobs = Object.values(parse(text).jobs ?? {}) as { 'timeout-minutes'?: number }[];
    for (const job of jobs) expect(job['timeout-minutes'], name).toBeGreaterThanOrEqual(10);
    if (isWriting) writeFileSync(`examples/ci/${name}`, text);
    expect(text, `${name}: write it anew with \`npm run docs\``).toBe(
      readFileSync(`examples/ci/${name}`, 'utf8'),
    );
  }
  const there = readdirSync('examples/ci', { recursive: true, encoding: 'utf8' });
  expect(there.filter((name) => name.endsWith('.yml')).sort()).toEqual([...written.keys()].sort());
});
