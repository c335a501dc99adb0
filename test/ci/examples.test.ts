import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

const sample = `stack: site
platform: { team: acme }
secrets: { database: {} }
projects: { web: { framework: nextjs, env: { DATABASE: "\${secret.database}" } } }
`;

it('the examples are what init --ci writes for a repository with one stack', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': sample });
  execFileSync('git', ['init', '--quiet', '-b', 'main'], { cwd: shell.folder });
  const ran = await shell.run(['init', '--ci', 'github']);
  expect(ran.all, ran.all).toContain('Wrote:');
  for (const name of ['validate', 'plan', 'apply', 'drift', 'sign'])
    expect(readFileSync(join(shell.folder, `.github/workflows/trueup-${name}.yml`), 'utf8')).toBe(
      readFileSync(`examples/ci/github/${name}.yml`, 'utf8'),
    );
});
