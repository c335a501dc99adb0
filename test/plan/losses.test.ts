import { afterEach, beforeEach, expect, test } from 'vitest';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.start();
});
afterEach(() => world.stop());

const zone = (count: number, meta = '') =>
  `domains:\n  example.com:\n    records:\n${Array.from({ length: count }, (_, i) => `      - { type: A, name: www, value: 192.0.2.${i + 1}${meta} }\n`).join('')}`;
const errors = async (yaml: string) =>
  (await world.plan(yaml, { unattended: true })).plan.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code }) => code);

test('what is deleted inside a set counts against the budget, and is graded destructive', async () => {
  await world.converge(zone(14));
  expect(await errors(zone(1))).toContain('guard/deletions');
  expect(await errors(zone(10))).toEqual([]);
  const { plan } = await world.plan(zone(10));
  expect(plan.changes.find(({ fields }) => fields.length > 0)).toMatchObject({ grade: 'destructive' });
});

test('a protected set loses no member', async () => {
  await world.converge(zone(3, ', $protect: true'));
  expect(await errors(zone(1, ', $protect: true'))).toContain('guard/protected');
  expect(await errors(zone(4, ', $protect: true'))).toEqual([]);
});

test('a live value that a secret was put into is sealed, wherever it goes back to', async () => {
  world.env = { CANARY: 'canary-of-a-secret' };
  const rule = (active: boolean, more: string) => `
secrets: { s: { env: CANARY } }
projects:
  web:
    env: { PLAIN: { value: "\${secret.s}", type: plain, target: [production, preview] } }
    firewall:
      rules:
        - name: r
          active: ${active}
          conditionGroup: [{ conditions: [{ type: header, op: eq, key: x, value: "\${secret.s}" }] }]
          action: { mitigate: { action: deny } }
          ${more}
domains:
  example.com:
    records: [{ type: CNAME, name: a, value: "\${secret.s}.example.net" }]
`;
  await world.converge(rule(true, 'description: "${secret.s}"'));
  const seen: string[] = [];
  const look = async (yaml: string) => {
    const { plan } = await world.plan(yaml);
    const style = styleFor({ color: false, width: 200 });
    seen.push(
      JSON.stringify(planJson(plan)),
      planText(plan, { style, requests: true }),
      JSON.stringify(plan.diagnostics),
    );
    return plan;
  };
  // Let go, ignored, changed beside it.
  expect((await look(rule(false, ''))).operations).not.toEqual([]);
  await look(rule(false, '$ignore: [conditionGroup]'));
  // Made anew by somebody else: its value is told in a refusal.
  world.twin.account.domains[0]!.records[0]!.id = 'rec_other';
  await look(rule(false, ''));
  expect(seen.join('\n')).not.toContain('canary-of-a-secret');
  expect(seen.join('\n')).toContain('rules.update');
});

test('an answer that is no firewall configuration freezes the firewall', async () => {
  const yaml = 'projects: { web: { firewall: { firewallEnabled: true } } }';
  await world.converge(yaml);
  const { send } = world.connection;
  Object.assign(world.connection, {
    send: async (request: Parameters<typeof send>[0]) =>
      request.endpoint.includes('/firewall/') ? { message: 'temporarily unavailable' } : send(request),
  });
  const { plan } = await world.plan(yaml);
  expect(plan).toMatchObject({ complete: false, operations: [] });
  Object.assign(world.connection, { send });
});

test('a project that comes while another one is let go: perhaps it was renamed', async () => {
  await world.converge('projects: { web: { framework: nextjs } }');
  const { plan } = await world.plan('projects: { site: { framework: nextjs } }');
  expect(plan.diagnostics).toMatchObject([
    { severity: 'warning', code: 'was/proposed', address: 'projects/site' },
    {
      severity: 'warning',
      code: 'removed/released',
      address: 'projects/web',
      hint: expect.stringMatching(/^if it is not to be renamed with `\$was`: to delete it instead/),
    },
  ]);
  const renamed = await world.plan('projects: { site: { $was: web, framework: nextjs } }');
  expect(renamed.plan.diagnostics).toEqual([]);
});
