import { expect } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const rule = (name: string, path: string) =>
  `        - { name: ${name}, active: true, action: { mitigate: { action: deny } },
            conditionGroup: [{ conditions: [{ type: path, op: pre, value: ${path} }] }] }\n`;
const header = `stack: shop\nplatform: { team: acme }\nprojects:\n`;
const web = (...rules: string[]) =>
  `${header}  web:\n    firewall:\n      firewallEnabled: true\n      rules:\n${rules.join('')}`;

story('a finding is new, then unchanged, then fixed, in plans and saved plans', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': web(rule('all', '/'), rule('admin', '/admin')) });
  await shell.withTwin();
  const textOf = async (args: string[]) => {
    const ran = await shell.run(args);
    expect(ran.status, ran.all).toBe(0);
    // The reads of a plan are not saved.
    return ran.stdout.replace(/^Read with.*?\. /m, '').trimEnd();
  };
  const deniesAll = 'warning: firewall rule "all" of projects/web denies every request';
  const planned = await textOf(['plan', '--out', 'new.plan']);
  expect(planned).toContain(`# ${deniesAll}`);
  expect(planned).toMatch(/1 new warning, \d new note/);
  expect(await textOf(['show', 'new.plan'])).toBe(planned);
  await textOf(['apply', '--auto-approve']);

  const unchanged = await textOf(['plan']);
  expect(unchanged).toMatch(
    /Findings that this plan does not change: 2 \(.*\)\.\s`trueup plan --verbose`\slists\sthem\./,
  );
  expect(unchanged).not.toContain(deniesAll);
  expect(await textOf(['plan', '--verbose'])).toContain(`  ${deniesAll}`);

  await shell.write({ 'trueup.yaml': web(rule('all', '/old'), rule('admin', '/admin')) });
  const fixed = await textOf(['plan', '--out', 'fixed.plan']);
  expect(fixed).toContain('# fixes: firewall rule "all" of projects/web denies every request');
  expect(fixed).toContain('2 fixed findings.');
  expect(await textOf(['show', 'fixed.plan'])).toBe(fixed);
});

story('a finding about an object that nobody declares stands below the change that causes it', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `${header}  web: { bulkRedirects: { /old: /new } }\n`,
  });
  await shell.withTwin({
    projects: [{ name: 'web', bulkRedirects: [{ source: '/new', destination: '/old' }] }],
  });
  const { stdout } = await shell.run(['plan', '--format', 'json']);
  // The plan adopts the project of the undeclared redirect, which causes nothing.
  expect(JSON.parse(stdout).diagnostics).toMatchObject([
    {
      code: 'redirect/loop',
      address: 'projects/web/bulkRedirects/%2Fnew',
      finding: { causes: ['projects/web/bulkRedirects/%2Fold'] },
    },
  ]);
});
