import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { meaning } from '../../providers/hosting/meaning/index.ts';
import { checksumOf } from '../../src/approval/parse-saved-plan.ts';
import type { Trace, VisitorRequest } from '../../src/model/trace.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { viewOf } from '../support/view-of.ts';

const story = oneStoryIn(4);

const site = `
projects:
  web:
    domains:
      shop.example.com: {}
      example.com: { redirect: shop.example.com, redirectStatusCode: 308 }
    bulkRedirects: { /old: /new, /gone: { destination: "https://archive.example.org/", statusCode: 301 } }
    routes:
      - { name: docs, srcSyntax: equals, route: { src: /docs, dest: "https://docs.example.org/", status: 307 } }
      - { name: beta, srcSyntax: equals, route: { src: /beta, dest: /v2, status: 307, has: [{ type: cookie, key: beta, value: "1" }] } }
    firewall:
      firewallEnabled: true
      ips: [{ hostname: shop.example.com, ip: 198.51.100.0/24, action: deny }]
      rules:
        - { name: health, active: true, action: { mitigate: { action: bypass } }, conditionGroup: [{ conditions: [{ type: path, op: eq, value: /health }] }] }
        - { name: office, active: true, action: { mitigate: { action: deny } }, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }, { type: ip_address, op: neq, value: 203.0.113.9 }] }] }
        - { name: bots, active: true, action: { mitigate: { action: deny } }, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /feed }, { type: bot_category, op: eq, value: ai_crawler }] }] }
        - { name: off, active: false, action: { mitigate: { action: deny } }, conditionGroup: [{ conditions: [{ type: path, op: pre, value: / }] }] }`;

const view = await viewOf(site);
const trace = await meaning.loadTrace();

/** Returns the trace of a GET request to the site. */
const traceOf = (
  url: string,
  { headers = {}, ...request }: { ip?: string; headers?: Record<string, string> } = {},
): Trace =>
  trace(view, {
    method: 'GET',
    url: new URL(url),
    headers: new Map(Object.entries(headers)),
    ...request,
  } satisfies VisitorRequest);

const shop = 'https://shop.example.com';
const office = { ip: '203.0.113.9' };

describe('the trace of a request', () => {
  it.each([
    ['that nothing stops', `${shop}/about`, office, 'served by projects/web'],
    ['that a rule lets through', `${shop}/health`, office, 'served by projects/web'],
    [
      'that a rule denies',
      `${shop}/admin/x`,
      { ip: '192.0.2.1' },
      'projects/web/firewall/rules/office denies the request',
    ],
    ['from the office', `${shop}/admin/x`, office, 'served by projects/web'],
    [
      'from a denied range',
      `${shop}/`,
      { ip: '198.51.100.7' },
      'projects/web/firewall/ips/shop.example.com/198.51.100.0%2F24 denies the request',
    ],
    [
      'from a denied range, which no rule sees',
      `${shop}/admin/x`,
      { ip: '198.51.100.7' },
      'projects/web/firewall/ips/shop.example.com/198.51.100.0%2F24 denies the request',
    ],
    [
      'to an old path',
      `${shop}/old`,
      office,
      'projects/web/bulkRedirects/%2Fold redirects to https://shop.example.com/new',
    ],
    [
      'to another site',
      `${shop}/gone`,
      office,
      'projects/web/bulkRedirects/%2Fgone redirects to https://archive.example.org/ (301)',
    ],
    [
      'to a route',
      `${shop}/docs`,
      office,
      'projects/web/routes/docs redirects to https://docs.example.org/ (307)',
    ],
    [
      'to a route whose condition holds',
      `${shop}/beta`,
      { ...office, headers: { cookie: 'a=b; beta=1' } },
      'projects/web/routes/beta redirects to https://shop.example.com/v2 (307)',
    ],
    [
      'to a route whose condition fails',
      `${shop}/beta`,
      { ...office, headers: { cookie: 'beta=0' } },
      'served by projects/web',
    ],
  ])('%s is certain', (_, url, request, outcome) => {
    expect(traceOf(url, request)).toMatchObject({ outcome, doubts: [] });
  });

  it.each([
    [
      'the address of the visitor is not known',
      `${shop}/admin`,
      {},
      'projects/web/firewall/rules/office may decide first: deny',
    ],
    [
      'a condition judges more than the request',
      `${shop}/feed`,
      office,
      'projects/web/firewall/rules/bots may decide first: deny',
    ],
    [
      'no source states the order of two layers',
      `${shop}/old`,
      { ip: '198.51.100.7' },
      ', if bulk redirects come first: no source states the order',
    ],
    [
      'a cookie that a route asks for was not passed',
      `${shop}/beta`,
      office,
      'projects/web/routes/beta redirects to https://shop.example.com/v2 (307), if it matches',
    ],
    [
      'no declared project serves the host',
      'https://other.example.com/',
      office,
      'other.example.com may be a domain of a project that is not declared here',
    ],
  ])('is not certain if %s', (_, url, request, doubt) => {
    expect(traceOf(url, request).doubts.join('\n')).toContain(doubt);
  });

  it.each([
    ['a pattern', '(a{1,100}){1,100}'],
    ['a list of alternatives', Array.from({ length: 2_000 }, (_, i) => `x${i}`).join('|')],
  ])('does not claim that %s matches if it is too large to compare', async (_, pattern) => {
    const large = await viewOf(`
projects:
  web:
    domains: { shop.example.com: {} }
    firewall:
      firewallEnabled: true
      rules: [{ name: r, active: true, action: { mitigate: { action: deny } }, conditionGroup: [{ conditions: [{ type: path, op: re, value: "${pattern}" }] }] }]`);
    const request = { method: 'GET', url: new URL(`${shop}/bc`), headers: new Map<string, string>() };
    expect(trace(large, request)).toMatchObject({
      outcome: 'served by projects/web',
      doubts: ['projects/web/firewall/rules/r may decide first: deny'],
    });
  });

  it('does not take a route with a hidden destination for a page', async () => {
    const hidden = await viewOf(`secrets: { place: {} }
projects:
  web:
    domains: { shop.example.com: {} }
    routes: [{ name: r, srcSyntax: equals, route: { src: /r, dest: "/t-\${secret.place}", status: 308 } }]`);
    const request = { method: 'GET', url: new URL(`${shop}/r`), headers: new Map<string, string>() };
    expect(trace(hidden, request).outcome).toBe(
      'projects/web/routes/r matches, but what it does is not known',
    );
  });

  it('says which condition decides', () => {
    const { steps } = traceOf(`${shop}/admin`, { ip: '192.0.2.1' });
    const rule = steps.find(({ address }) => address.endsWith('/office'));
    expect(rule).toMatchObject({ matches: 'yes', effect: 'deny' });
    expect(rule?.conditions.map(({ text, verdict }) => `${verdict} ${text}`)).toEqual([
      'yes path starts with "/admin"',
      'yes ip address does not equal "203.0.113.9"',
    ]);
    // Inactive rules and rules below the one that decides see nothing of it.
    expect(steps.map(({ address }) => address.split('/').at(-1))).not.toContain('off');
  });
});

describe('`trueup trace`', () => {
  const written = { 'trueup.yaml': `stack: shop\nplatform: { team: acme }\n${site}` };

  it('prints the declared state without an account', async () => {
    const shell = await new Shell().write(written);
    const { stdout, status } = await shell.run(['trace', 'get', `${shop}/admin`, '--ip', '192.0.2.1']);
    expect(status).toBe(0);
    expect(stdout).toContain('Result: projects/web/firewall/rules/office denies the request');
  });

  it('shows no password of a URL, because no request has it', async () => {
    const shell = await new Shell().write(written);
    const { stdout } = await shell.run(['trace', 'GET', 'https://ada:not-shown@shop.example.com/admin']);
    expect(stdout).toContain('GET https://shop.example.com/admin');
    expect(stdout).not.toContain('not-shown');
  });

  story('rejects a plan file that is nested too deep, or whose operations have other changes', async () => {
    const shell = await new Shell().write(written);
    await shell.run(['plan', '--twin', '--out', 'plan.trueup']);
    const readPlan = () => JSON.parse(readFileSync(join(shell.folder, 'plan.trueup'), 'utf8'));
    const deep = readPlan();
    const change = deep.changes.find(({ fields }: { fields: unknown[] }) => fields.length > 0);
    change.fields[0].after = JSON.parse(`${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`);
    const other = readPlan();
    other.changes[0].address = 'projects/other';
    const files = { 'deep.trueup': deep, 'other.trueup': { ...other, checksum: checksumOf(other) } };
    for (const [name, plan] of Object.entries(files)) await shell.write({ [name]: JSON.stringify(plan) });
    const errors = await Promise.all(
      [
        ['trace', 'GET', `${shop}/`, '--plan', 'deep.trueup'],
        ['show', 'other.trueup'],
      ].map(async (args) => (await shell.run(args)).stderr),
    );
    expect(errors).toEqual([
      expect.stringContaining('nested too deep'),
      expect.stringContaining('an operation is about a change that the plan does not have'),
    ]);
  });

  story('shows a saved plan before and after it', async () => {
    const shell = await new Shell().write(written);
    await shell.run(['plan', '--twin', '--out', 'plan.trueup']);
    const { stdout } = await shell.run([
      'trace',
      'GET',
      `${shop}/old`,
      ...['--ip', '192.0.2.1', '--plan', 'plan.trueup', '--json'],
    ]);
    const { traces } = JSON.parse(stdout) as {
      traces: { state: string; outcome: string; isCertain: boolean }[];
    };
    expect(traces.map(({ state, outcome, isCertain }) => [state, outcome, isCertain])).toEqual([
      ['before', 'no project serves shop.example.com', false],
      ['after', 'projects/web/bulkRedirects/%2Fold redirects to https://shop.example.com/new', true],
    ]);
  });

  story(
    'reads the account with --live, and shows one trace if the plan changes nothing for the request',
    async () => {
      const shell = await new Shell().write(written);
      await shell.run(['apply', '--twin', '--auto-approve']);
      const { stdout } = await shell.run([
        'trace',
        'GET',
        `${shop}/docs`,
        '--twin',
        '--live',
        '--ip',
        '192.0.2.1',
      ]);
      expect(stdout).toContain('Before and after:');
      expect(stdout).toContain(
        'Result: projects/web/routes/docs redirects to https://docs.example.org/ (307)',
      );
    },
  );

  it.each([
    [['GET', 'shop.example.com'], 'It must be a URL'],
    [['G T', shop], 'It must be a method'],
    [['GET', shop, '--ip', '1.2.3'], 'It must be an IP address'],
    [['GET', shop, '--country', 'Germany'], 'It must have two letters'],
    [['GET', shop, '--header', 'cookie'], 'It must be NAME:VALUE'],
    [['GET', shop, '--live', '--plan', 'x'], '--live and --plan exclude each other'],
  ])('refuses %s', async (args, message) => {
    const shell = await new Shell().write(written);
    expect((await shell.run(['trace', ...args])).stderr).toContain(message);
  });
});
