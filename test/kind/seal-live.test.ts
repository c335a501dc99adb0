import { describe, expect, it } from 'vitest';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { digestsOf } from '../../src/kind/digests.ts';
import { comparedFields } from '../../src/kind/leaves.ts';
import { sealLive } from '../../src/kind/seal-live.ts';
import type { LedgerEntry } from '../../src/model/ledger.ts';
import { ledgerKey } from '../../src/model/ledger-key.ts';
import { emptyLive, type Resource } from '../../src/model/resource.ts';
import { Sealed } from '../../src/model/sealed.ts';
import type { Fields } from '../../src/model/value.ts';
import { samples, withLeaf } from '../support/samples.ts';

const kinds = kindsOf(allKinds);
const key = ledgerKey('a key for tests, long enough');

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
    ...digestsOf(schemas, applied ?? {}, new Set(Object.keys(schemas)), 'salt', key),
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

it('content of a DNS record is shown although it looks like a credential, unless it is a secret', () => {
  const value = 'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GN';
  const shown = (record: Fields, known?: Known) =>
    JSON.stringify(seen('dnsRecord', { name: 'k1', type: 'TXT', records: [record] }, known)).includes(
      JSON.stringify(Object.values(record)[0]),
    );
  expect(shown({ value })).toBe(true);
  expect(shown({ value }, { secrets: ['MIGfMA0GCSqGSIb3DQEBAQUAA4GN'] })).toBe(false);
  expect(shown({ value }, { entry: { secrets: { records: 'a keyed digest' } } })).toBe(false);
  expect(shown({ comment: doubtful })).toBe(false);
});

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

  it('is judged by the name beside it', () => {
    const variable = (name: string) =>
      seen('projectEnvVar', { key: name, target: 'preview', type: 'plain', value: 'abcdefgh' }).value;
    expect(variable('LOG_LEVEL')).toBe('abcdefgh');
    expect(variable('API_TOKEN')).toBeInstanceOf(Sealed);
  });

  it('of a fixed set, in a name or in an address stays, even if a secret reads the same', () => {
    const fields: Fields = { key: 'encrypted', target: 'production', type: 'encrypted' };
    expect(seen('projectEnvVar', fields, { secrets: ['encrypted', 'production'] })).toEqual(fields);
  });
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
