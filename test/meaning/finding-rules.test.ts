import { describe, expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { load } from '../../src/config/load.ts';
import { findInConfigurations } from '../../src/meaning/find.ts';
import { applyFindingRules } from '../../src/meaning/finding-rules.ts';
import { problem } from '../../src/model/diagnostic.ts';
import type { FindingRule } from '../../src/model/resource.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';

const story = oneStoryIn(4);

/** A key in a variable that browsers see, in two projects. */
const harmful = `
projects:
  web: { env: { NEXT_PUBLIC_KEY: sk_live_abcdefghijklmnopqrstuvwx } }
  api: { env: { NEXT_PUBLIC_KEY: sk_live_abcdefghijklmnopqrstuvwx } }`;
const header = 'stack: shop\nplatform: { team: acme }\n';
const rule = (members: string) => `findings: [{ ${members} }]\n`;

/** Returns the severities of the findings by address, and the addresses of suppressed ones. */
async function judge(findings: string) {
  const text = header + findings + harmful;
  const { desired, diagnostics } = await load({ kinds, cwd: '/', text, env: {} });
  expect(diagnostics).toEqual([]);
  const { shown, suppressed } = await findInConfigurations(await hosting.meaning(), [{ desired }]);
  return {
    shown: Object.fromEntries(shown.map(({ address = '', code, severity }) => [address || code, severity])),
    suppressed: suppressed.map(({ address }) => address),
  };
}

describe('rules of `findings:`', () => {
  it('leave findings alone without a rule that fits', async () => {
    const { shown, suppressed } = await judge(
      rule('code: env/*, at: "projects/other/**", severity: off, reason: x'),
    );
    expect(Object.values(shown)).toEqual(['warning', 'warning']);
    expect(suppressed).toEqual([]);
  });

  it.each([
    ['a code everywhere', 'code: env/public-secret', 2],
    ['a glob of codes', 'code: "env/*"', 2],
    ['a glob of codes across the slash, as in guards', 'code: "*public*"', 2],
    ['a list of codes', 'code: [env/public-secret]', 2],
    ['an address', 'code: "env/*", at: "projects/web/env/NEXT_PUBLIC_KEY"', 1],
    ['a glob of addresses', 'code: "**", at: ["projects/api/**"]', 1],
  ])('turn findings off for %s', async (_, members, count) => {
    const { shown, suppressed } = await judge(rule(`${members}, severity: off, reason: x`));
    expect(suppressed).toHaveLength(count);
    expect(Object.keys(shown)).toHaveLength(2 - count);
  });

  it('set another severity, and the first rule that fits decides', async () => {
    const { shown } = await judge(
      'findings:\n- { code: env/*, at: "projects/web/**", severity: error, reason: x }\n- { code: env/*, severity: note, reason: x }\n',
    );
    expect(
      Object.entries(shown).map(([address, severity]) => `${address.split('/')[1]} ${severity}`),
    ).toEqual(expect.arrayContaining(['web error', 'api note']));
  });

  it.each([
    ['to match their globs', `**/${'*a'.repeat(100)}`, 50_000],
    ['to compile them', `**/${'a'.repeat(10_000)}`, 100_000],
  ])('cover nothing and are an error if it takes too many steps %s', (_, glob, limit) => {
    const place = { file: 'trueup.yaml', line: 3, column: 5 };
    const findings = Array.from({ length: 100 }, (_finding, i) =>
      problem('env/public-secret', 'x', { address: `projects/${'ab'.repeat(i)}` }),
    );
    const quickRule = { codes: ['**'], addresses: ['**'], severity: 'off', reason: 'x', place } as const;
    const rules = [{ ...quickRule, codes: ['env/*'], addresses: [glob] }, quickRule] as FindingRule[];
    const { shown, suppressed } = applyFindingRules(findings, rules, limit);
    expect(shown[0]).toMatchObject({ code: 'config/too-large', severity: 'error', at: place });
    expect(shown.length + suppressed.length).toBe(101);
    expect(shown.length).toBeGreaterThan(1);
  });

  it('with a code that no finding has are an error', async () => {
    const { shown } = await judge(rule('code: env/pblic-secret, severity: off, reason: x'));
    expect(shown['config/findings']).toBe('error');
  });

  it.each([
    ['a text in place of the list', 'findings: off\n', '`findings` must be a list'],
    ['a text in place of a rule', 'findings: [off]\n', 'a rule of `findings` must be a map'],
    ['no code', rule('severity: off, reason: x'), '`code` must be a text or a list of texts'],
    [
      'an empty list of codes',
      rule('code: [], severity: off, reason: x'),
      '`code` must be a text or a list of texts',
    ],
    [
      'a map as address',
      rule('code: x, at: {}, severity: off, reason: x'),
      '`at` must be a text or a list of texts',
    ],
    ['no severity', rule('code: x, reason: x'), '`severity` must be one of off, note, warning, error'],
    [
      'an unknown severity',
      rule('code: x, severity: of, reason: x'),
      '`severity` must be one of off, note, warning, error',
    ],
    ['no reason', rule('code: x, severity: off'), 'this rule has no `reason`'],
    ['a blank reason', rule('code: x, severity: off, reason: " "'), 'this rule has no `reason`'],
    [
      'an unknown key',
      rule('code: x, severity: off, reason: x, adress: y'),
      'a rule of `findings` has no `adress`',
    ],
    ['a glob that is not valid', rule('code: "a(b|c)", severity: off, reason: x'), 'is not a valid glob'],
  ])('are refused with %s', async (_, findings, message) => {
    const { diagnostics } = await load({ kinds, cwd: '/', text: header + findings + harmful, env: {} });
    expect(diagnostics.map((diagnostic) => diagnostic.message).join('\n')).toContain(message);
  });

  it('say that they hide an error, because a reviewer has to know', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': `${header}${rule('code: "**", severity: off, reason: x')}
projects: { web: { domains: { shop.example.com: {} }, bulkRedirects: { /a: /b, /b: /a } } }`,
    });
    const { stdout } = await shell.run(['plan', '--twin']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Suppressed findings: 1 (redirect/loop 1). Without `findings:`, 1 error among them would stop the run.',
    );
  });

  it('may stand in the workspace, for all of its stacks, after the rules of a stack', async () => {
    const shell = await new Shell().write({
      'trueup.workspace.yaml': `stacks: [a, b]\nfindings: [{ code: env/public-secret, severity: off, reason: x }]\n`,
      'a/trueup.yaml': header + harmful,
      'b/trueup.yaml': `stack: other\nplatform: { team: acme }\n${rule('code: "env/*", severity: note, reason: x')}${harmful.replaceAll('web', 'blog').replaceAll('api', 'docs')}`,
    });
    const validated = await shell.run(['validate', '--all', '--format', 'json']);
    const { diagnostics, suppressedFindings, notes } = JSON.parse(validated.stdout);
    const severities = diagnostics.map(({ severity }: { severity: string }) => severity);
    expect([severities, notes, suppressedFindings.length]).toEqual([['note', 'note'], 2, 2]);
    const text = await shell.run(['validate', '--all']);
    expect(text.stderr).toContain('Suppressed findings: 2 (env/public-secret 2).');
  });

  story('mark findings as suppressed for code scanning', async () => {
    const shell = await new Shell().write({
      'trueup.yaml':
        header + rule('code: env/public-secret, at: "projects/web/**", severity: off, reason: x') + harmful,
    });
    for (const args of [['validate'], ['plan', '--twin']]) {
      const { stdout } = await shell.run([...args, '--format', 'sarif']);
      const { results } = JSON.parse(stdout).runs[0] as {
        results: { ruleId: string; suppressions?: object[] }[];
      };
      const found = results.filter(({ ruleId }) => ruleId === 'env/public-secret');
      expect(found.map(({ suppressions }) => suppressions)).toEqual([undefined, [{ kind: 'inSource' }]]);
    }
  });

  it('do not hide findings from guards', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': header + rule('code: env/public-secret, severity: off, reason: x') + harmful,
      'guards.yaml': 'deny: [{ finding: env/public-*, at: "projects/web/**", message: Ask security. }]',
      'typing-error.yaml': 'deny: [{ finding: env/pblic-secret, message: Ask security. }]',
    });
    const planned = await shell.run(['plan', '--twin', '--guards', 'guards.yaml']);
    expect(planned.stderr).toContain(
      'the guards refuse the finding env/public-secret of projects/web/env/NEXT_PUBLIC_KEY',
    );
    expect(planned.status).toBe(1);
    const misspelled = await shell.run(['plan', '--twin', '--guards', 'typing-error.yaml']);
    expect(misspelled.stderr).toContain('there is no finding `env/pblic-secret`');
  });
});
