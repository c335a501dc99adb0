import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { Firewall } from './fixture.ts';

const story = oneStoryIn(3);

let firewall: Firewall;
beforeAll(async () => {
  firewall = await Firewall.start();
});
afterAll(() => firewall.stop());

/** What is said about a block, as `code line:column`; and where the arrow in it points. */
async function read(block: string) {
  const yaml = firewall.yaml(block);
  const header = 2;
  const places = yaml
    .split('\n')
    .flatMap((line, index) => (line.includes('→') ? [`${index + 1 + header}:${line.indexOf('→') + 1}`] : []));
  const { diagnostics } = await firewall.world.configure(yaml.replaceAll('→', ''));
  const said = diagnostics.map(({ severity, code, at }) => `${severity} ${code} ${at?.line}:${at?.column}`);
  return { said, places };
}

const match = 'conditionGroup: [{ conditions: [{ type: path, op: pre, value: / }] }]';
const deny = 'action: { mitigate: { action: deny } }';
const aRule = (members: string) => `rules: [{ ${members} }]`;
const ofAction = (mitigate: string) =>
  aRule(`name: a, active: true, ${match}, action: { mitigate: ${mitigate} }`);
const condition = (members: string) =>
  aRule(`name: a, active: true, conditionGroup: [{ conditions: [${members}] }], ${deny}`);
const rateLimit = (members: string) => ofAction(`{ action: rate_limit, rateLimit: ${members} }`);
const ip = (members: string) => `ips: [{ ${members} }]`;

describe('limits that are known before anything is sent', () => {
  oneRowIn(5)([
    [
      'a name of 161 characters',
      aRule(`name: →${'x'.repeat(161)}, active: true, ${match}, ${deny}`),
      'value',
    ],
    ['an empty name', aRule(`name: →"", active: true, ${match}, ${deny}`), 'value'],
    [
      'a description of 257 characters',
      aRule(`name: a, description: →${'x'.repeat(257)}, active: true, ${match}, ${deny}`),
      'value',
    ],
    ['no name', `rules: [→{ active: true, ${match}, ${deny} }]`, 'missing'],
    ['no active', `rules: [→{ name: a, ${match}, ${deny} }]`, 'missing'],
    ['no conditionGroup', `rules: [→{ name: a, active: true, ${deny} }]`, 'missing'],
    ['no action', `rules: [→{ name: a, active: true, ${match} }]`, 'missing'],
    ['no mitigate', aRule(`name: a, active: true, ${match}, →action: {}`), 'missing'],
    ['no action in mitigate', aRule(`name: a, active: true, ${match}, action: { →mitigate: {} }`), 'missing'],
    ['no group of conditions', aRule(`name: a, active: true, conditionGroup: →[], ${deny}`), 'value'],
    [
      'no condition in a group',
      aRule(`name: a, active: true, conditionGroup: [{ conditions: →[] }], ${deny}`),
      'value',
    ],
    ['active as text', aRule(`name: a, active: →"yes", ${match}, ${deny}`), 'type'],
    [
      'a member that rules do not have',
      aRule(`name: a, active: true, →when: x, ${match}, ${deny}`),
      'unknown-key',
    ],
    [
      'an id, which the platform gives',
      aRule(`→id: rule_a, name: a, active: true, ${match}, ${deny}`),
      'unknown-key',
    ],
    ['no type of a condition', condition('→{ op: pre, value: / }'), 'missing'],
    ['no operator', condition('→{ type: path, value: / }'), 'missing'],
    ['no value', condition('→{ type: path, op: pre }'), 'missing'],
    ['a value for ex', condition('{ type: header, op: ex, key: a, value: →b }'), 'value'],
    ['one value for inc', condition('{ type: path, op: inc, value: →a }'), 'value'],
    ['several values for eq', condition('{ type: path, op: eq, value: →[a, b] }'), 'value'],
    ['no key of a header', condition('→{ type: header, op: eq, value: a }'), 'missing'],
    ['no key of a query', condition('→{ type: query, op: ex }'), 'missing'],
    ['no key of a cookie', condition('→{ type: cookie, op: ex }'), 'missing'],
    [
      'a member that conditions do not have',
      condition('{ type: path, op: pre, value: /, →not: true }'),
      'unknown-key',
    ],
    [
      'rate_limit without its limits',
      ofAction('{ action: rate_limit }').replace('mitigate', '→mitigate'),
      'missing',
    ],
    [
      'redirect without a target',
      ofAction('{ action: redirect }').replace('mitigate', '→mitigate'),
      'missing',
    ],
    ['redirect without permanent', ofAction('{ action: redirect, →redirect: { location: / } }'), 'missing'],
    [
      'no keys of a rate limit',
      rateLimit('{ algo: fixed_window, window: 60, limit: 1 }').replace('rateLimit', '→rateLimit'),
      'missing',
    ],
    ['a window of 9 seconds', rateLimit('{ algo: fixed_window, window: →9, limit: 1, keys: [ip] }'), 'value'],
    [
      'a window of 3601 seconds',
      rateLimit('{ algo: fixed_window, window: →3601, limit: 1, keys: [ip] }'),
      'value',
    ],
    ['a limit of 0', rateLimit('{ algo: fixed_window, window: 10, limit: →0, keys: [ip] }'), 'value'],
    [
      'a limit of 10000001',
      rateLimit('{ algo: fixed_window, window: 10, limit: →10000001, keys: [ip] }'),
      'value',
    ],
    ['no host of an IP rule', 'ips: [→{ ip: 192.0.2.1, action: deny }]', 'missing'],
    ['no address of an IP rule', 'ips: [→{ hostname: a, action: deny }]', 'missing'],
    ['no action of an IP rule', 'ips: [→{ hostname: a, ip: 192.0.2.1 }]', 'missing'],
    ['a host for an address', ip('hostname: a, ip: →example.com, action: deny'), 'value'],
    ['an IPv4 range wider than /16', ip('hostname: a, ip: →10.0.0.0/15, action: deny'), 'value'],
    ['all addresses', ip('hostname: a, ip: →0.0.0.0/0, action: deny'), 'value'],
    ['an IPv6 range wider than /48', ip('hostname: a, ip: →"2001:db8::/47", action: deny'), 'value'],
    ['a category of another rule set', 'crs: { →xyz: { active: true } }', 'value'],
    ['active of a category as text', 'crs: { xss: { active: →on } }', 'type'],
    [
      'no active of a group',
      'managedRules: { ai_bots: { groups: { →gptbot: { action: log } } } }',
      'missing',
    ],
    ['headers that are no list', 'logHeaders: →accept', 'value'],
    ['a switch that is no boolean', 'firewallEnabled: →1', 'type'],
    ['a setting that there is not', '→enabled: true', 'unknown-key'],
  ])('%s', async (_, block, code) => {
    const { said, places } = await read(block);
    expect(said).toEqual([`error config/${code} ${places[0]}`]);
  });

  story('what is just within them is fine, and taken by the platform', async () => {
    const block = `
      rules:
        - { name: ${'x'.repeat(160)}, description: ${'x'.repeat(256)}, active: true, ${match}, ${deny} }
        - { name: slow, active: true, ${match}, action: { mitigate: { action: rate_limit, rateLimit: { algo: token_bucket, window: 10, limit: 10000000, keys: [ip] } } } }
        - { name: slower, active: true, ${match}, action: { mitigate: { action: rate_limit, rateLimit: { algo: token_bucket, window: 3600, limit: 1, keys: [ip, ja4] } } } }
      ips:
        - { hostname: a, ip: 10.1.0.0/16, action: deny }
        - { hostname: a, ip: "2001:db8::/48", action: deny }
    `;
    expect((await read(block)).said).toEqual([]);
    await firewall.converge(block);
  });

  it('several are reported at once', async () => {
    const { said, places } = await read(`
      rules:
        - { name: →${'x'.repeat(161)}, active: true, ${match}, ${deny} }
        - { name: b, description: →${'x'.repeat(257)}, active: true, ${match}, ${deny} }
      ips:
        - →{ hostname: a, ip: 192.0.2.1 }
    `);
    expect(said.map((one) => one.split(' ').at(-1))).toEqual(places);
  });

  it('two of one name contradict each other', async () => {
    const one = `{ name: a, active: true, ${match}, ${deny} }`;
    const { said, places } = await read(`
      rules:
        - ${one}
        - →${one}
    `);
    expect(said).toEqual([`error config/duplicate ${places[0]}`]);
  });
});

describe('what the platform may have added since', () => {
  it.each([
    ['a type of condition', condition('{ type: →moon_phase, op: eq, value: full }')],
    ['an operator', condition('{ type: path, op: →like, value: a }')],
    ['an action', ofAction('{ action: →allow }')],
    ['an algorithm', rateLimit('{ algo: →leaky_bucket, window: 60, limit: 1, keys: [ip] }')],
    ['an action of an IP rule', ip('hostname: a, ip: 192.0.2.1, action: →tarpit')],
    ['a managed ruleset', 'managedRules: { →new_bots: { active: true } }'],
    ['an action of a managed ruleset', 'managedRules: { owasp: { action: →tarpit } }'],
    ['an action of a category', 'crs: { xss: { action: →challenge } }'],
  ])('%s is a warning', async (_, block) => {
    const { said, places } = await read(block);
    expect(said).toEqual([`warning config/unknown-value ${places[0]}`]);
  });

  story('a managed ruleset that was never touched is not in the answer, and can be set', async () => {
    const { plan } = await firewall.plan('managedRules: { new_bots: { active: true } }');
    expect(plan.operations.flatMap(({ requests }) => requests.map(({ body }) => body))).toContainEqual({
      action: 'managedRules.update',
      id: 'new_bots',
      value: { active: true },
    });
  });
});
