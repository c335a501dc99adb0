import { describe, expect, it } from 'vitest';
import type { Kind } from '../../src/kind/kind.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { acceptIn, fileOf, inWorld } from './accepted-text.ts';

const story = oneStoryIn(5);

const webhook = (host: string) =>
  `{ url: "https://${host}", events: [alerts.triggered], $secretTo: discard }`;
const rule =
  'type: built-in, ruleScope: { type: all }, triggers: { mode: all }, matchMinimumSeverityLevel: low';
const notified = (target: string) =>
  `alertRules: { calm: { ${rule}, notifications: { pager: { type: webhook, webhookId: "\${webhooks.${target}.id}" } } } }`;

/** Applies the first configuration, then the second one as somebody else would, and accepts the new objects of a kind, at most so many. */
const acceptNew = (ours: string, theirs: string, kindName: string, most = 9): Promise<string> =>
  inWorld(async (world) => {
    const files = fileOf(world, ours);
    await world.converge(files);
    const { ledger } = world;
    await world.converge(fileOf(world, theirs));
    world.ledger = ledger;
    const also = ({ name }: Kind) => name === kindName;
    const { plan } = await world.plan(files, {}, also);
    const additions = new Set(
      plan.unmanaged.flatMap(({ kind, address }) => (kind === kindName ? [address] : [])).slice(0, most),
    );
    const result = await acceptIn(world, files, { isChosen: () => false }, {}, additions, also);
    const { unplaced, wrong, after } = result;
    expect({ unplaced, wrong, operations: after.operations }).toEqual({
      unplaced: [],
      wrong: [],
      operations: [],
    });
    return Object.values(result.texts)[0]!;
  });

describe('a new object without a name of its own', () => {
  story('gets an `$id` if none of its fields identify it', async () => {
    const app = (secrets: string) => `oauthApps: { shop: { name: Shop${secrets} } }\n`;
    const text = await acceptNew(
      app(''),
      app(', clientSecrets: { web: { $secretTo: discard } }'),
      'oauthClientSecret',
    );
    expect(text).toMatch(/clientSecrets: *\{ clientSecrets: \{ \$id: \S+ \} \}/);
  });

  story('gets an `$id` if an object that stays undeclared is equal', async () => {
    const both = `webhooks: { a: ${webhook('a.example.com')}, b: ${webhook('a.example.com')} }\n`;
    const text = await acceptNew('projects: { web: {} }\n', both, 'webhook', 1);
    expect(text.match(/\$id:/g)).toHaveLength(1);
  });

  story('gets a label that the configuration does not have', async () => {
    const ours = `webhooks:\n  a.example.com: ${webhook('b.example.com')}\n`;
    const text = await acceptNew(ours, `${ours}  new: ${webhook('a.example.com')}\n`, 'webhook');
    expect(text).toContain(ours.trimEnd());
    expect(text).toContain('a.example.com-2:');
  });
});

describe('a new object that refers to an object without a name', () => {
  const ours = `webhooks: { pager: ${webhook('a.example.com')} }\nalertRules: { calm: { ${rule} } }\n`;

  story('uses the label that the configuration has', async () => {
    const theirs = `webhooks: { pager: ${webhook('a.example.com')} }\n${notified('pager')}\n`;
    const text = await acceptNew(ours, theirs, 'alertNotification');
    expect(text).toContain('${webhooks.pager.id}');
    expect(text).not.toContain('$existing');
  });

  story('declares it as existing by its id', async () => {
    const theirs = `webhooks: { pager: ${webhook('a.example.com')}, b: ${webhook('b.example.com')} }\n${notified('b')}\n`;
    const text = await acceptNew(ours, theirs, 'alertNotification');
    expect(text).toContain('${webhooks["b.example.com"].id}');
    expect(text).toMatch(/b\.example\.com: *\{ \$existing: true, \$id: \S+ \}/);
  });
});

describe('a new item of an ordered list', () => {
  const rules = (...names: string[]) =>
    names
      .map(
        (name) =>
          `        - { name: ${name}, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /${name} }] }], action: { mitigate: { action: deny } } }\n`,
      )
      .join('');
  const projects = (rulesOfApi: string, rulesOfWeb: string) =>
    `projects:\n  api:\n    firewall:\n      rules:\n${rulesOfApi}  web:\n    firewall:\n      rules:\n${rulesOfWeb}`;

  it('gets its place in the list of its own parent, although another list has an item of that name', async () => {
    const ours = projects(rules('one', 'two'), rules('one', 'two'));
    const theirs = projects(rules('new', 'one', 'two'), rules('one', 'two', 'new'));
    const namesIn = (text: string) => text.match(/name: \w+/g);
    expect(namesIn(await acceptNew(ours, theirs, 'firewallRule'))).toEqual(namesIn(theirs));
  });
});
