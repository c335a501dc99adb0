import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { harOf, type Recorded } from '../doctor/recording.ts';
import { Shell } from '../support/cli.ts';
import { inFront } from '../support/in-front.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

const yaml = `stack: shop
platform: { team: acme }
projects:
  web:
    framework: nextjs
    env: { LOG_LEVEL: info, TOKEN: { value: "\${secret.token}", type: sensitive, target: [production] } }
    domains: { shop.example.com: {} }
secrets: { token: {} }
`;

/** A stack with a project, variables and a domain, in a folder of its own with a twin as its platform. */
async function shop() {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin({ team: { slug: 'acme' } });
  shell.env.TRUEUP_SECRET_token = 'a-token-that-nobody-may-see';
  return { shell, twin };
}

story(
  'a plan that the twin accepts rehearses green, and changes neither the account nor the ledger',
  async () => {
    const { shell, twin } = await shop();
    const before = structuredClone(twin.account);
    const ran = await shell.run(['plan', '--rehearse', '--crash-points', '0', '--format', 'markdown']);
    expect(ran.stdout).toContain(
      '<details><summary>Rehearsal on a twin: the plan would be applied completely.</summary>',
    );
    expect(ran.stdout).toContain('- `A second plan is empty.`');
    expect(ran.status).toBe(0);
    expect(twin.account).toEqual(before);
  },
);

story('a rehearsal says for how long documented rate limits make an apply wait', async () => {
  const domains = Array.from({ length: 101 }, (_, index) => `www${index}.example.com: {}`).join(', ');
  const { shell } = await shop();
  await shell.write({ 'trueup.yaml': yaml.replace('shop.example.com: {}', domains) });
  const ran = await shell.run(['plan', '--rehearse', '--crash-points', '0']);
  expect(ran.all).toContain('because of 101 project domain writes: 100 a minute are allowed.');
});

story('an edit of an applied stack rehearses green', async () => {
  const { shell, twin } = await shop();
  expect((await shell.run(['apply', '--auto-approve'])).all).toContain('Verified');
  await shell.write({ 'trueup.yaml': yaml.replace('info', 'debug').replace('nextjs', 'astro') });
  const before = structuredClone(twin.account);
  const ran = await shell.run(['plan', '--rehearse']);
  expect(ran.all).toContain('Rehearsal on a twin: the plan would be applied completely.');
  expect(ran.all).toContain('the next run always finishes the plan, without duplicates.');
  expect(ran.all).not.toContain('Not modelled');
  expect(ran.status).toBe(0);
  expect(twin.account).toEqual(before);
});

story('of an incomplete plan, only what was read is rehearsed', async () => {
  const domains = Array.from({ length: 11 }, (_, index) => `www${index}.example.com: {}`).join(', ');
  const { shell, twin } = await shop();
  await shell.write({ 'trueup.yaml': yaml.replace('shop.example.com: {}', domains) });
  let isPoor = false;
  const front = await inFront(
    () => twin.url,
    async ({ path }, pass) =>
      isPoor && path.includes('/domains')
        ? { status: 403, body: Buffer.from('{"error":{"code":"forbidden","message":"Not yours."}}') }
        : pass(),
  );
  onTestFinished(front.close);
  shell.env.TRUEUP_BASE_URL = front.url;
  expect((await shell.run(['apply', '--auto-approve'])).all).toContain('Verified');
  isPoor = true;
  await shell.write({
    'trueup.yaml': yaml.replace('shop.example.com: {}', domains).replace('info', 'debug'),
  });
  const ran = await shell.run(['plan', '--rehearse', '--allow-incomplete']);
  expect(ran.stdout).toContain('Accepted: 1 of 1 change,');
  expect(ran.stdout).toMatch(
    /projects\/web\/domains\/www0\.example\.com.* and 8 more: the plan could not compare this with the account/,
  );
  expect(ran.status).toBe(2);
});

test('a variable that only gets another name rehearses green, although the plan does not read its value', async () => {
  const shell = new Shell();
  const variable = 'target: [production, preview], type: encrypted, value: open';
  const withVariable = (block: string) => `stack: shop\nplatform: { team: acme }\nsharedEnv: { ${block} }\n`;
  await shell.write({ 'trueup.yaml': withVariable(`OLD: { ${variable} }`) });
  await shell.withTwin({ team: { slug: 'acme' } });
  await shell.run(['apply', '--auto-approve']);
  await shell.write({ 'trueup.yaml': withVariable(`NEW: { ${variable}, $was: OLD }`) });
  const ran = await shell.run(['plan', '--rehearse', '--crash-points', '0']);
  expect(ran.all).toContain('Rehearsal on a twin: the plan would be applied completely.');
});

story('the next run after a crash has the same --target, although its object may be gone', async () => {
  const shell = new Shell();
  const hooks = (body: string) => `stack: shop\nplatform: { team: acme }\nwebhooks: { ${body} }\n`;
  const hook = (url: string) => `{ url: "${url}", events: [deployment.created], $secretTo: discard }`;
  await shell.write({
    'trueup.yaml': hooks(`a: ${hook('https://a.example')}, b: ${hook('https://b.example')}`),
  });
  await shell.withTwin({ team: { slug: 'acme' } });
  await shell.run(['apply', '--auto-approve']);
  await shell.write({ 'trueup.yaml': hooks(`a: ${hook('https://a.example')}`) });
  const ran = await shell.run(['plan', '--target', 'webhooks/b', '--crash-points', 'all']);
  expect(ran.all).toContain('the next run always finishes the plan, without duplicates.');
});

story('a saved plan is rehearsed, unless the account needs another one by now', async () => {
  const { shell, twin } = await shop();
  await shell.run(['plan', '--out', 'plan.json']);
  const ran = await shell.run(['rehearse', 'plan.json', '--json', '--crash-points', '1']);
  expect(JSON.parse(ran.stdout).rehearsal).toMatchObject({
    verdict: 'green',
    changes: { rehearsed: 4, unknown: 0 },
    refused: [],
    remaining: [],
    crashes: { tried: 1, failures: [] },
  });
  expect(JSON.parse(ran.stdout).rehearsal.duration.limits).toContainEqual({
    what: 'project domain writes',
    requests: 1,
    allowed: 100,
    window: 60,
  });
  expect(ran.status).toBe(0);
  twin.add({ projects: [{ name: 'web' }] });
  const changed = await shell.run(['rehearse', 'plan.json']);
  expect(changed.status).toBe(1);
  expect(changed.stderr).toContain('plan.json');
  expect(changed.all).not.toContain('Rehearsal on a twin');
});

test('a plan that the platform refuses would fail, and the secret of a request stays hidden', async () => {
  const { shell } = await shop();
  await shell.write({
    'trueup.yaml': yaml.replace('shop.example.com: {}', 'shop.example.com: { redirect: www.example.org }'),
  });
  const ran = await shell.run(['plan', '--rehearse']);
  expect(ran.all).toContain('Rehearsal on a twin: the plan would fail.');
  expect(ran.all).toContain('Refused: projects/web/domains/shop.example.com');
  expect(ran.all).not.toContain('a-token-that-nobody-may-see');
  expect(ran.status).toBe(1);
});

test('names the rule behind each refusal, its source, and how well the rules of the changed kinds are known', async () => {
  const domains = '{ shop.vercel.app: {}, a.example.com: { redirect: b.example.com } }';
  const shell = await new Shell().write({
    'trueup.yaml': `stack: shop\nplatform: { team: acme }\nprojects: { web: { domains: ${domains} }, shop: {} }\n`,
  });
  await shell.withTwin({ team: { slug: 'acme' } });
  const { rehearsal } = JSON.parse((await shell.run(['plan', '--rehearse', '--json'])).stdout);
  expect(rehearsal.kinds).toEqual([
    { kind: 'project', basis: 'measured' },
    { kind: 'projectDomain', basis: 'measured' },
  ]);
  const byAddress = new Map<string, object>(
    rehearsal.refused.map((refused: { address: string }) => [refused.address, refused]),
  );
  expect(byAddress.get('projects/web/domains/shop.vercel.app')).toMatchObject({
    ...{ rule: 'PF39', basis: 'measured', source: 'vercel/vercel#15678' },
  });
  // No source says which redirect targets the platform refuses.
  const assumed = byAddress.get('projects/web/domains/a.example.com');
  expect(assumed).toMatchObject({ basis: 'inferred', code: 'bad_request' });
  expect(assumed).not.toHaveProperty('source');
});

test('a kind is unknown if a recording shows that the platform has another rule than the twin', async () => {
  const { shell } = await shop();
  const refused: Recorded = {
    request: ['POST', '/v10/projects/web/domains?slug=acme', { name: 'old.example.com' }],
    status: 400,
    body: { error: { code: 'too_many_domains', message: 'Use fewer.' } },
  };
  const listed: Recorded = {
    request: ['GET', '/v9/projects/web/domains?slug=acme'],
    status: 200,
    body: { domains: [] },
  };
  writeFileSync(join(shell.folder, 'recording.har'), harOf([listed, refused]));
  const ran = await shell.run(['plan', '--crash-points', '0', '--recording', 'recording.har', '--json']);
  const { rehearsal } = JSON.parse(ran.stdout);
  expect(rehearsal).toMatchObject({ verdict: 'unknown', changes: { rehearsed: 3, unknown: 1 } });
  expect(rehearsal.kinds).toContainEqual({ kind: 'projectDomain', basis: 'inferred' });
  expect(rehearsal.notModelled).toEqual([
    {
      kind: 'projectDomain',
      address: 'projects/web/domains/shop.example.com',
      reason:
        'a real account has contradicted what the twin does (the recorded answer to POST /v10/projects/{idOrName}/domains)',
      concerned: true,
    },
  ]);
  expect(ran.status).toBe(2);
  const missing = await shell.run(['plan', '--rehearse', '--recording', 'missing.har']);
  expect(missing.all).toContain('the recording missing.har cannot be read');
});

test('a person whom the twin does not know leaves out only the changes that are about this person', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: shop
platform: { team: acme }
$allow: [cost]
projects: { web: { framework: nextjs } }
accessGroups: { Frontend: { projects: { web: { role: PROJECT_DEVELOPER } }, members: { user_grace: {} } } }
`,
  });
  const members = [{ uid: 'user_grace', email: 'grace@example.com' }];
  await shell.withTwin({ team: { slug: 'acme', members } });
  const ran = await shell.run(['plan', '--rehearse', '--crash-points', '0']);
  expect(ran.stdout).toContain('Accepted: 3 of 4 changes');
  expect(ran.stdout).toContain('accessGroups/Frontend/members/user_grace');
});

test('an example of a request shows no secret of a rule, and no guess in another rule is confirmed', async () => {
  const rules = (path: string, action: string) => `stack: shop
platform: { team: acme }
secrets: { path: {} }
projects: { web: { domains: { shop.vercel.app: {} }, firewall: { firewallEnabled: true, rules: [${[
    `{ name: first, active: true, conditionGroup: [{ conditions: [{ type: path, op: eq, value: "${path}" }] }], action: { mitigate: { action: bypass } } }`,
    `{ name: second, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /guess }] }], action: { mitigate: { action: ${action} } } }`,
  ]}] } } }
`;
  const shell = await new Shell().write({ 'trueup.yaml': rules('/other', 'challenge') });
  await shell.withTwin({ team: { slug: 'acme' } });
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  const visitorsWith = async (path: string, secret: string) => {
    shell.env.TRUEUP_SECRET_path = secret;
    await shell.write({ 'trueup.yaml': rules(path, 'deny') });
    const ran = await shell.run(['plan', '--rehearse', '--crash-points', '0', '--json']);
    return JSON.parse(ran.stdout).rehearsal.visitors;
  };
  expect((await visitorsWith('/guessed', 'x')).third).toHaveLength(1);
  const visitors = await visitorsWith('/${secret.path}', 'guessed-canary');
  expect(visitors).toMatchObject({ third: [], undecided: [{ part: 'projects/web/firewall' }] });
  expect(await visitorsWith('/${secret.path}', 'elsewhere')).toEqual(visitors);
});
