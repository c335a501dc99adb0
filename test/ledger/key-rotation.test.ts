import { describe, expect, it } from 'vitest';
import { parseRandomBytes } from '../../src/ledger/key.ts';
import { type LedgerKey, ledgerKeyFrom, legacyKeyFrom } from '../../src/model/digest.ts';
import { keyText } from '../support/keys.ts';
import { actions, changeAt, codes, newWorld } from '../support/scene.ts';
import type { World } from '../support/world.ts';

const [a, b] = ['a'.repeat(32), 'b'.repeat(32)] as const;
const before = ledgerKeyFrom('the key of last year, long enough');
const now = ledgerKeyFrom('the key of this year, long enough');
const rotating: LedgerKey = { ...now, previous: before };

/** Secrets of every sort: readable, sensitive, write-only, the id of an object, and inside sets. */
const yaml = `
secrets: { one: { env: ONE }, bypass: { env: BYPASS } }
projects:
  web:
    passwordProtection: { deploymentType: all, password: "\${secret.one}" }
    env:
      READABLE: "\${secret.one}"
      SENSITIVE: { value: "\${secret.one}", type: sensitive, target: [production] }
    protectionBypass: { mine: { secret: "\${secret.bypass}" }, noted: { note: made by the platform } }
domains:
  example.com:
    records: [{ type: TXT, name: proof, value: "\${secret.one}" }, { type: TXT, name: proof, value: open }]
`;
const bypass = 'projects/web/protectionBypass';

/** An account that was applied under the key of before. */
async function applied(): Promise<World> {
  const world = await newWorld();
  world.env = { ONE: 'one', BYPASS: a };
  use(world, before);
  await world.converge(yaml);
  return world;
}
const use = (world: World, key: LedgerKey) => Object.assign(world, { key });
/** By id the keys that made what the ledger holds. */
const makers = ({ ledger }: World) =>
  new Set(
    Object.values(ledger.entries).flatMap(({ kind, ids, secrets }) => [
      ...Object.values(secrets).map(({ key }) => key),
      ...(kind === 'protectionBypass' ? ids.map((id) => id.split('.')[0]) : []),
    ]),
  );

describe('what versions before sub-keys left behind', () => {
  const text = keyText();
  const former = legacyKeyFrom(text);
  /** The key as those versions used it. */
  const asItWas: LedgerKey = { ...former, signing: ledgerKeyFrom(text).signing };
  const strong: LedgerKey = { ...ledgerKeyFrom(parseRandomBytes(text)!), legacyKey: former };
  const weak: LedgerKey = { ...now, previous: former };

  it.each([
    ['a strong key stays in use', strong],
    ['a weak one is good for comparing', weak],
  ])('%s: nothing is sent and nothing is unverified; its digests are made anew, once', async (_, key) => {
    const world = await newWorld();
    world.env = { ONE: 'one', BYPASS: a };
    use(world, asItWas);
    await world.converge(yaml);
    expect(makers(world)).toEqual(new Set([former.id]));
    use(world, key);
    const { plan } = await world.plan(yaml, { unattended: true });
    expect([plan.operations, plan.diagnostics]).toEqual([[], []]);
    const writes = world.writes().length;
    await world.converge(yaml);
    expect(world.writes()).toHaveLength(writes);
    expect(makers(world)).toEqual(new Set([key.id]));
  });
});

describe('with the previous key', () => {
  it('nothing is sent and nothing is unverified: what has secrets is recorded under the new one, once', async () => {
    const world = await applied();
    expect(makers(world)).toEqual(new Set([before.id]));
    use(world, rotating);
    const { plan } = await world.plan(yaml, { unattended: true });
    expect([plan.operations, plan.diagnostics]).toEqual([[], []]);
    expect(actions(plan)).toEqual([
      expect.stringContaining('adopt domains/example.com/records/proof'),
      'adopt projects/web',
      'adopt projects/web/env/READABLE@development',
      'adopt projects/web/env/READABLE@preview',
      'adopt projects/web/env/READABLE@production',
      'adopt projects/web/env/SENSITIVE@production',
      `adopt ${bypass}/mine`,
      `adopt ${bypass}/noted`,
    ]);
    const adopted = plan.changes.filter(({ action }) => action === 'adopt');
    expect(new Set(adopted.map(({ reason }) => reason))).toEqual(
      new Set(['its secrets are recorded again with the current ledger key']),
    );
    const writes = world.writes().length;
    await world.converge(yaml);
    expect(world.writes()).toHaveLength(writes);
    expect(makers(world)).toEqual(new Set([now.id]));
    use(world, now);
    const after = await world.plan(yaml);
    expect([actions(after.plan), after.plan.diagnostics]).toEqual([[], []]);
  });

  it('a secret that was changed meanwhile is sent once, and a conflict is still one', async () => {
    const world = await applied();
    use(world, rotating);
    world.env.ONE = 'two';
    world.twin.account.projects[0]!.env.find(({ key }) => key === 'READABLE')!.value = 'theirs';
    const { plan } = await world.plan(yaml);
    expect(changeAt(plan, 'projects/web/env/SENSITIVE@production')).toMatchObject({
      action: 'update',
      fields: [{ path: 'value', cause: 'edit' }],
    });
    expect(changeAt(plan, 'projects/web/env/READABLE@preview')!.fields).toMatchObject([
      { cause: 'conflict' },
    ]);
    await world.converge(yaml);
    expect(makers(world)).toEqual(new Set([now.id]));
    expect(world.twin.account.projects[0]!.env.map(({ value }) => value)).toEqual(['two', 'two']);
  });

  it('an id that is a secret is replaced and deleted as before', async () => {
    const world = await applied();
    use(world, rotating);
    world.env.BYPASS = b;
    const { plan } = await world.plan(yaml);
    expect(changeAt(plan, `${bypass}/mine`)!.action).toBe('replace');
    await world.converge(yaml);
    const { protectionBypass } = world.twin.account.projects[0]!;
    expect(Object.keys(protectionBypass!)).toHaveLength(2);
    expect(protectionBypass).toHaveProperty(b);
    expect(makers(world)).toEqual(new Set([now.id]));
  });

  it('an object that is not declared any more, or gone, is still known by its id', async () => {
    const world = await applied();
    use(world, rotating);
    const without = yaml.replace(', noted: { note: made by the platform }', '');
    expect(actions((await world.plan(without)).plan)).toContain(`delete ${bypass}/noted`);
    delete world.twin.account.projects[0]!.protectionBypass![a];
    const { plan } = await world.plan(without);
    expect(changeAt(plan, `${bypass}/mine`)).toMatchObject({ action: 'create', reason: 'deleted outside' });
    await world.converge(without);
    expect(makers(world)).toEqual(new Set([now.id]));
  });

  it('an `$id` that was written under it still chooses', async () => {
    const world = await newWorld({
      seed: { projects: [{ name: 'web', protectionBypasses: [{ note: 'twin' }, { note: 'twin' }] }] },
    });
    const block = (more = '') => `projects: { web: { protectionBypass: { mine: { note: twin${more} } } } }`;
    use(world, before);
    const { plan } = await world.plan(block());
    expect(codes(plan)).toEqual(['match/ambiguous']);
    const id = plan.diagnostics[0]!.message.split(/[ ,]+/).at(-1)!;
    use(world, rotating);
    const chosen = block(`, $id: ${id}`);
    await world.converge(chosen);
    expect(makers(world)).toEqual(new Set([now.id]));
    use(world, now);
    expect(actions((await world.plan(chosen)).plan)).toEqual([]);
  });
});

describe('a secret that is not available while the key is rotated', () => {
  it('stays under the previous key, says so, and is recorded by the next run that has it', async () => {
    const world = await applied();
    use(world, rotating);
    world.env = { BYPASS: a };
    const first = await world.plan(yaml);
    expect(first.plan.operations).toEqual([]);
    expect(
      first.plan.diagnostics
        .filter(({ code }) => code === 'secret/previous-key')
        .map(({ address }) => address),
    ).toEqual([
      expect.stringContaining('domains/example.com/records/proof'),
      'projects/web',
      'projects/web/env/READABLE@development',
      'projects/web/env/READABLE@preview',
      'projects/web/env/READABLE@production',
      'projects/web/env/SENSITIVE@production',
    ]);
    await world.apply(first);
    const { entries } = world.ledger;
    expect(entries['projects/web/env/SENSITIVE@production']!.secrets.value!.key).toBe(before.id);
    expect(entries[`${bypass}/mine`]!.secrets.secret!.key).toBe(now.id);
    expect(actions((await world.plan(yaml)).plan)).toEqual([]);
    world.env.ONE = 'one';
    await world.converge(yaml);
    expect(makers(world)).toEqual(new Set([now.id]));
    use(world, now);
    const { plan } = await world.plan(yaml);
    expect([actions(plan), plan.diagnostics]).toEqual([[], []]);
  });
});

it('without the previous key what cannot be read is unverified, and not sent', async () => {
  const world = await applied();
  use(world, now);
  const { plan } = await world.plan(yaml, { unattended: true });
  expect(plan.operations).toEqual([]);
  expect(codes(plan, 'warning')).toEqual(['secret/unverified', 'secret/unverified']);
});
