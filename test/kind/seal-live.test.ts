import { describe, expect, it } from 'vitest';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { toWire } from '../../src/http/exchange.ts';
import { comparedFields } from '../../src/kind/compare.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { digestFields } from '../../src/kind/digests.ts';
import { isSealed, sealLive } from '../../src/kind/seal-live.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { LedgerEntry } from '../../src/model/ledger.ts';
import { emptyLive, type Resource } from '../../src/model/resource.ts';
import { revealed, Sealed } from '../../src/model/sealed.ts';
import type { Fields, Value } from '../../src/model/value.ts';
import { samples, withLeaf } from '../support/samples.ts';

const kinds = kindsOf(allKinds);
const key = ledgerKeyFrom('a key for tests, long enough');

interface Known {
  declared?: Fields;
  applied?: Fields;
  secrets?: string[];
  entry?: Partial<LedgerEntry>;
}

/** The fields of a live object as everything after `sealLive` sees them. */
function seen(
  kindName: string,
  fields: Fields,
  { declared, applied, secrets = [], entry }: Known = {},
): Fields {
  const kind = kinds.get(kindName)!;
  const live = emptyLive();
  live.resources.set('it', { address: 'it', kind: kindName, id: '1', ids: ['1'], fields, index: 0 });
  const want = {
    address: 'it',
    kind: kindName,
    fields: declared ?? {},
    meta: {},
    index: 0,
  } as unknown as Resource;
  const schemas = comparedFields(kind);
  const last: LedgerEntry | undefined = (applied ?? entry) && {
    ...{ kind: kindName, ids: ['1'], origin: 'created', salt: 'salt', form: kind.form ?? 1 },
    ...digestFields(schemas, applied ?? {}, new Set(Object.keys(schemas)), 'salt', key),
    ...entry,
  };
  const sealed = sealLive({
    desired: { resources: new Map(declared ? [['it', want]] : []) },
    live,
    ledger: { entries: last ? { it: last } : {} },
    kinds,
    key,
    secrets: new Map(secrets.map((text) => [text, new Sealed(text)])),
  });
  return sealed.live.resources.get('it')!.fields;
}

const project = (text: string, known?: Known) =>
  seen('project', { installCommand: text }, known).installCommand;
const [doubtful, plain] = ['npm i --token=hunter2', 'npm ci'];

describe('a live text', () => {
  it.each<[string, string, Known | undefined, boolean]>([
    ['that is ordinary is shown', plain, undefined, true],
    ['that may be a credential is hidden', doubtful, undefined, false],
    [
      'that may be a credential is shown if it was applied from clear text',
      doubtful,
      { applied: { installCommand: doubtful } },
      true,
    ],
    [
      'that may be a credential is shown if the configuration has it',
      doubtful,
      { declared: { installCommand: doubtful } },
      true,
    ],
    [
      'that may be a credential is hidden if another one was applied',
      doubtful,
      { applied: { installCommand: plain } },
      false,
    ],
    [
      'of another normal form proves nothing',
      doubtful,
      { applied: { installCommand: doubtful }, entry: { form: 0 } },
      false,
    ],
    [
      'where the ledger has a secret is hidden',
      plain,
      { applied: { installCommand: new Sealed('x') } },
      false,
    ],
    ['where the ledger once had a secret is hidden', plain, { entry: { hidden: ['installCommand'] } }, false],
    [
      'where the ledger has a secret in another form is hidden',
      plain,
      { entry: { form: 0, hidden: ['installCommand.part'] } },
      false,
    ],
    [
      'where the configuration has a secret is hidden',
      plain,
      { declared: { installCommand: new Sealed('x') } },
      false,
    ],
    ['that holds a secret of the run is hidden', 'echo long-enough', { secrets: ['long-enough'] }, false],
    [
      'that holds a secret of the run is hidden although it was applied',
      'echo long-enough',
      { secrets: ['long-enough'], applied: { installCommand: 'echo long-enough' } },
      false,
    ],
  ])('%s', (_, text, known, isShown) => {
    expect(project(text, known)).toEqual(isShown ? text : new Sealed(text));
  });

  it('inside of a value is hidden alone', () => {
    const value = { banner: 'Sale ends Sunday', hooks: [{ apiToken: 'abcdefgh' }, 'long-enough'], limit: 5 };
    expect(seen('globalConfigItem', { key: 'shop', value }, { secrets: ['long-enough'] })).toEqual({
      key: 'shop',
      value: {
        banner: 'Sale ends Sunday',
        hooks: [{ apiToken: new Sealed('abcdefgh') }, new Sealed('long-enough')],
        limit: 5,
      },
    });
  });

  it('is no text, but shows a secret of the run as a number or as the name of a member: then it is hidden, and can be sent back', () => {
    const named = { 'long-enough': 1, other: 'x' };
    const value = { deep: [named, { pin: 73519842, limit: 5 }] };
    const sealed = seen('globalConfigItem', { key: 'shop', value }, { secrets: ['long-enough', '73519842'] });
    const hidden = '(secret)';
    expect(JSON.parse(JSON.stringify(sealed.value))).toEqual({ deep: [hidden, { pin: hidden, limit: 5 }] });
    expect(revealed(sealed.value)).toEqual(value);
    expect(toWire(sealed).content).toBe(JSON.stringify({ key: 'shop', value }));
    const whole = seen('globalConfigItem', { key: 'shop', value: 73519842 }, { secrets: ['73519842'] });
    expect([String(whole.value), revealed(whole.value)]).toEqual([hidden, 73519842]);
  });

  it('is judged by the name beside it', () => {
    const variable = (name: string) =>
      seen('projectEnvVar', { key: name, target: 'preview', type: 'plain', value: 'abcdefgh' }).value;
    expect(variable('LOG_LEVEL')).toBe('abcdefgh');
    expect(variable('API_TOKEN')).toBeInstanceOf(Sealed);
  });

  it('that everybody gets to see is shown, although it looks like a credential', () => {
    const proof = 'google-site-verification=rXOxyZ8ounnZ2asA8Z7oaD3c14';
    const comment = 'token: hunter2';
    const record = (value: Value): Fields => ({ name: '@', type: 'TXT', records: [{ value, comment }] });
    const hiddenComment = new Sealed(comment);
    expect(seen('dnsRecord', record(proof)).records).toEqual([{ value: proof, comment: hiddenComment }]);
    expect(seen('dnsRecord', record(proof), { secrets: [proof] }).records).toEqual([
      { value: new Sealed(proof), comment: hiddenComment },
    ]);
    const variable = (name: string) =>
      seen('projectEnvVar', { key: name, target: 'preview', type: 'plain', value: 'G-1AB2CD3EF4' }).value;
    expect(variable('NEXT_PUBLIC_ANALYTICS_ID')).toBe('G-1AB2CD3EF4');
    expect(variable('ANALYTICS')).toBeInstanceOf(Sealed);
    expect(variable('NEXT_PUBLIC_API_TOKEN')).toBeInstanceOf(Sealed);
  });

  it('stays in the open fields of a row, even if a hidden field reads the same', () => {
    const fields: Fields = { key: 'AUTH', target: 'production', type: 'plain', value: 'production' };
    const row = { id: '1', fields: { ...fields, target: ['production', 'preview'], other: 'production' } };
    const live = emptyLive();
    live.resources.set('it', {
      ...{ address: 'it', kind: 'projectEnvVar', id: '1', ids: ['1'], index: 0 },
      fields,
      rows: [row],
    });
    const sealed = sealLive({ desired: { resources: new Map() }, live, ledger: { entries: {} }, kinds });
    const hidden = new Sealed('production');
    expect(sealed.live.resources.get('it')!.rows![0]!.fields).toEqual({
      ...row.fields,
      value: hidden,
      other: hidden,
    });
  });

  it('of a fixed set, in a name or in an address stays, even if a secret reads the same', () => {
    const fields: Fields = { key: 'encrypted', target: 'production', type: 'encrypted' };
    expect(seen('projectEnvVar', fields, { secrets: ['encrypted', 'production'] })).toEqual(fields);
  });
});

it('live objects count as sealed only for the configuration and the ledger for which they were sealed', () => {
  const input = { desired: { resources: new Map() }, live: emptyLive(), ledger: { entries: {} }, kinds };
  const sealed = sealLive(input);
  expect(isSealed(input)).toBe(false);
  expect(isSealed(sealed)).toBe(true);
  expect(isSealed({ ...sealed, desired: { resources: new Map() } })).toBe(false);
  expect(isSealed({ ...sealed, ledger: { entries: {} } })).toBe(false);
  expect(isSealed({ ...sealed, live: { ...sealed.live, resources: new Map(sealed.live.resources) } })).toBe(
    false,
  );
});

it('the values of an ordinary account are shown without a ledger', () => {
  const hidden = allKinds.flatMap((kind) =>
    Object.entries(samples[kind.name]!.leaves).flatMap(([path, values]) =>
      values.slice(0, 2).flatMap((value) => {
        const fields = withLeaf({}, path, value) as Fields;
        return JSON.stringify(seen(kind.name, fields)) === JSON.stringify(fields)
          ? []
          : `${kind.name} ${path}`;
      }),
    ),
  );
  // Secrets by their field, and a digest, which reads like a token.
  expect([...new Set(hidden)].sort()).toEqual([
    'connector icon',
    'drain delivery.secret',
    'project passwordProtection.password',
    'protectionBypass secret',
    'team defaultDeploymentProtection.passwordProtection.password',
  ]);
});
