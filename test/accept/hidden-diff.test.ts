import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffHidden, type Mask } from '../../src/accept/hidden-diff.ts';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { runs } from '../support/sweep.ts';

/*
 * The diff that `remove`, `diff --promote` and `accept` show before they write files: no line shows a secret, and each changed file has a changed line.
 */

const header = 'stack: shop\nplatform: { team: acme }\n';

/** Runs a command in a repository with these files. */
async function run(files: Record<string, string>, ...command: string[]) {
  const shell = await new Shell().write(files);
  initRepository(shell.folder);
  execFileSync('git', ['add', '--all'], { cwd: shell.folder });
  const ran = await shell.run([...command, '--auto-approve']);
  expect(ran.status, ran.all).toBe(0);
  expect(ran.all).not.toContain('canary');
  return ran.stdout.split('\n').filter((line) => /^[-+ ]/.test(line) && !/^(---|\+\+\+)/.test(line));
}

test('a secret that nothing reads any more stays hidden, and its line is not shown as changed', async () => {
  const yaml = `${header}variables: { token: { default: canary-token } }
projects:
  web:
    env: { LEVEL: info, TOKEN: { value: "\${var.token}", type: sensitive, target: [production] } }
`;
  const lines = await run({ 'trueup.yaml': yaml }, 'remove', 'projects/web/env/TOKEN');
  expect(lines).toContain(' variables: { token: { default: (secret) } }');
  expect(lines.filter((line) => !line.startsWith(' '))).toEqual([
    '-    env: { LEVEL: info, TOKEN: { value: (secret), type: sensitive, target: [production] } }',
    '+    env: { LEVEL: info }',
  ]);
});

test('secrets of all stages are hidden, and texts that a stage reads openly are not', async () => {
  const yaml = `${header}variables: { token: {} }
projects:
  web:
    env: { TOKEN: { value: "\${var.token}", type: sensitive, target: [production] }, LEVEL: info, KIND: a }
stages:
  staging: { variables: { token: canary-staging } }
  production: { variables: { token: canary-production } }
patches:
  - { $at: projects/web/env/KIND, $when: { stage: production }, value: b }
`;
  const removed = await run({ 'trueup.yaml': yaml }, 'remove', 'projects/web/env/LEVEL');
  expect(removed.join('\n')).toContain('staging: { variables: { token: (secret) } }');
  const promoted = await run(
    { 'trueup.yaml': yaml },
    ...['diff', 'staging', 'production', '--promote', 'projects/web/env/KIND'],
  );
  expect(promoted).toContain('-  - { $at: projects/web/env/KIND, $when: { stage: production }, value: b }');
});

test('a change of hidden lines is shown as a change, and only the cells of a CSV file that are secret are hidden', async () => {
  const files = {
    'trueup.yaml': `${header}variables: { sites: { file: sites.csv } }
projects:
  \${each.key}:
    $each: "\${var.sites}"
    env: { TOKEN: { value: "\${each.value.token}", type: sensitive, target: [production] }, NOTE: "\${each.value.note}" }
`,
    'sites.csv': 'name,token,note\nweb,canary-web,first\nold,canary-old,"a, b"\nshop,canary-shop,third\n',
  };
  const lines = await run(files, 'remove', 'projects/old');
  expect(lines).toEqual(
    expect.arrayContaining([' web,(secret),first', '-old,(secret),"a, b"', ' shop,(secret),third']),
  );
  const host = `${header}stages:
  staging: { variables: { host: db-one } }
  production: { variables: { host: db-two } }
secrets: { password: {} }
variables: { host: {} }
projects: { web: { env: { URL: "postgres://app:\${secret.password}@\${var.host}" } } }
`;
  const promoted = await run(
    { 'trueup.yaml': host },
    ...['diff', 'staging', 'production', '--promote', 'projects/web/env/URL'],
  );
  expect(promoted.filter((line) => /^[-+]/.test(line)).map((line) => line[0])).toEqual(['-', '+']);
});

test('values that another one replaces are hidden if that one is a secret: of a patched field, a default, and another stage', async () => {
  const yaml = `${header}stages: { staging: { variables: { token: canary-staging } }, production: { variables: { token: canary-production, level: high } } }
variables: { token: { default: canary-default }, level: { default: open } }
projects:
  web:
    env: { KEY: { value: canary-base, type: sensitive, target: [production] }, TOKEN: { value: "\${var.token}", type: sensitive, target: [production] }, LEVEL: "\${var.level}" }
patches: [{ $at: projects/web/env/KEY, value: canary-patch }]
`;
  for (const command of [
    ['remove', 'projects/web/env/LEVEL'],
    ['diff', 'production', 'staging', '--promote', 'projects/web/env/LEVEL'],
  ]) {
    const lines = await run({ 'trueup.yaml': yaml }, ...command);
    expect(lines.join('\n')).toContain('level: { default: open }');
  }
  // Nor does a message quote them.
  const shell = await new Shell().write({ 'trueup.yaml': yaml.replace('TOKEN: {', 'TOKEN: { unknown: 1,') });
  const { all } = await shell.run(['validate', '--stage', 'production']);
  expect(all).toContain('unknown');
  expect(all).not.toContain('canary');
});

test('rows that `$when` skips and defaults of inputs are hidden if the values that count instead are secrets', async () => {
  const files = {
    'trueup.yaml': `${header}variables: { sites: { file: sites.csv } }
secrets: { token: {} }
templates:
  site:
    $kind: project
    $inputs: { token: { default: canary-default } }
    env: { TOKEN: { value: "\${input.token}", type: sensitive, target: [production] } }
projects:
  web: { $use: { site: { token: "\${secret.token}" } } }
  api: {}
  "\${each.key}":
    $each: "\${var.sites}"
    $when: { each.value.open: "yes" }
    env: { A: { value: "\${each.value.token}", type: sensitive, target: [production] } }
`,
    'sites.csv':
      'name,open,token\none,no,canary-one\ntwo,yes,canary-two\nthree,no,canary-three\nfour,yes,canary-four\n',
  };
  const row = await run(files, 'remove', 'projects/four');
  expect(row).toEqual(expect.arrayContaining([' three,no,(secret)', '-four,yes,(secret)']));
  const block = await run(files, 'remove', 'projects/web');
  expect(block).toContain('     $inputs: { token: { default: (secret) } }');
});

test('the new text shows no secret that has a mask in the old one, wherever it is', () => {
  const secrets = ['QQQQ', 'QQQQX', 'XQQQQ', 'QXQXQ', 'QQQQQQQ'];
  const lines = fc.array(fc.array(fc.constantFrom(...secrets, 'a ', 'b: ', '"'), { maxLength: 3 }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(lines, lines, (oldLines, newLines) => {
      let before = '';
      const masks: Mask[] = [];
      for (const line of oldLines) {
        for (const piece of line) {
          if (secrets.includes(piece)) masks.push([before.length, before.length + piece.length]);
          before += piece;
        }
        before += '\n';
      }
      const after = newLines.map((line) => `${line.join('')}\n`).join('');
      const diff = diffHidden({ name: 'a.yaml', before, after }, { before: masks, after: [] });
      for (const [start, end] of masks) expect(diff).not.toContain(before.slice(start, end));
    }),
    { numRuns: runs(10_000) },
  );
});
