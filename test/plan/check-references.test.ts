import { expect, test } from 'vitest';
import { Reporter } from '../../src/model/diagnostic.ts';
import { emptyLedger, type LedgerEntry } from '../../src/model/ledger.ts';
import {
  emptyLive,
  type FieldReference,
  type LiveResource,
  type Resource,
} from '../../src/model/resource.ts';
import { Sealed } from '../../src/model/sealed.ts';
import type { Fields, Ref } from '../../src/model/value.ts';
import { checkReferences, markHiddenSecrets } from '../../src/plan/check-references.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { kinds } from '../config/kinds.ts';

const at = { file: 'trueup.yaml', line: 1, column: 1 };
const resource = (name: string, fields: Fields, meta: Resource['meta'] = {}): Resource => ({
  address: `sites/${name}`,
  kind: 'site',
  fields: { name, ...fields },
  meta,
  index: 0,
  at,
});
const found = (name: string, fields: Fields, id = `id-${name}`): LiveResource => ({
  address: `sites/${name}`,
  kind: 'site',
  id,
  ids: [id],
  fields: { name, ...fields },
  index: 0,
});
const entry = (id: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  kind: 'site',
  ids: [id],
  origin: 'created',
  salt: '',
  form: 1,
  fields: {},
  secrets: {},
  ...more,
});

/** A plan in which a field of sites/target takes `field` of sites/source, which exists and is ours. */
function inputWith(field = 'password', target = 'password'): PlanInput {
  const hole: Ref = { $ref: 'sites/source', attr: field };
  const secrecyOf = (name: string) => (name === 'password' ? ('readable' as const) : ('open' as const));
  const reference: FieldReference = {
    source: { address: 'sites/source', field, secrecy: secrecyOf(field), dependsOnMissingField: false, at },
    target: { address: 'sites/target', field: target, secrecy: secrecyOf(target), at },
    isLive: true,
  };
  const value = target === 'note' ? { $join: ['a ', hole] } : hole;
  return {
    desired: {
      stack: 'x',
      inputs: [],
      folders: [],
      references: [reference],
      resources: new Map([
        ['sites/source', resource('source', {})],
        ['sites/target', resource('target', { [target]: value })],
      ]),
    },
    live: {
      ...emptyLive(),
      resources: new Map([['sites/source', found('source', { password: new Sealed('canary') })]]),
    },
    ledger: { ...emptyLedger('', '', 'x'), entries: { 'sites/source': entry('id-source') } },
    kinds,
    secrets: new Map(),
    facts: {},
    now: 0,
  };
}

/** The codes of what is wrong with such a plan once `change` has changed it. */
function codes(change: (input: PlanInput) => Partial<PlanInput>, field?: string, target?: string) {
  const input = inputWith(field, target);
  const report = new Reporter([]);
  checkReferences({ ...input, ...change(input) }, report);
  for (const { message } of report.diagnostics) expect(message).not.toContain('canary');
  return report.diagnostics.map(({ code }) => code);
}

const withSource = (source: LiveResource) => ({
  live: { ...emptyLive(), resources: new Map([['sites/source', source]]) },
});
const declared = ({ desired }: PlanInput, meta: Resource['meta']) => ({
  desired: {
    ...desired,
    resources: new Map([...desired.resources, ['sites/source', resource('source', {}, meta)]]),
  },
});

test('a value that may be a secret is one, although its field is open', () => {
  const existing = (input: PlanInput): Partial<PlanInput> => ({
    ...withSource(found('source', { note: new Sealed('canary') })),
    ...declared(input, { existing: true }),
  });
  expect(codes(existing, 'note', 'note')).toEqual(['ref/secret']);
  expect(codes(existing, 'note', 'password')).toEqual(['ref/secret']);
  const allowed = (input: PlanInput) => ({
    ...existing(input),
    options: { allowLive: new Set(['sites/source']) },
  });
  expect(codes(allowed, 'note', 'note')).toEqual(['ref/secret']);
  expect(codes(allowed, 'note', 'password')).toEqual([]);
  const open = (input: PlanInput) => ({ ...existing(input), ...withSource(found('source', { note: 'x' })) });
  expect(codes(open, 'note', 'note')).toEqual([]);
});

test.each<[string, string[], Parameters<typeof codes>[0]]>([
  ['ours by the ledger', [], () => ({})],
  [
    'ours, but renamed here',
    [],
    ({ ledger }) => ({
      ledger: { ...ledger, entries: { 'sites/source': entry('id-source') } },
      identities: { recordedAddresses: new Map([['sites/source', 'sites/old']]) },
    }),
  ],
  ['to be created', [], ({ ledger }) => ({ live: emptyLive(), ledger: { ...ledger, entries: {} } })],
  ['deleted outside', [], () => ({ live: emptyLive() })],
  ['found, but not in the ledger', ['ref/secret'], ({ ledger }) => ({ ledger: { ...ledger, entries: {} } })],
  [
    'known to the ledger as existing',
    ['ref/secret'],
    ({ ledger }) => ({
      ledger: { ...ledger, entries: { 'sites/source': entry('id-source', { existing: true }) } },
    }),
  ],
  ['declared as existing', ['ref/secret'], (input) => declared(input, { existing: true })],
  [
    'declared as existing and absent',
    ['ref/secret'],
    (input) => ({ ...declared(input, { existing: true }), live: emptyLive() }),
  ],
  ['to be forgotten', ['ref/secret'], (input) => declared(input, { forget: true })],
  [
    'in a ledger that the key does not verify',
    ['ref/secret'],
    () => ({ unverifiedReason: 'it was changed' }),
  ],
  ['just taken over', ['ref/secret'], () => ({ identities: { takenOver: new Set(['sites/source']) } })],
  ['replaced outside', ['ref/secret'], () => withSource(found('source', {}, 'another'))],
  [
    'one of several of that name',
    ['ref/secret'],
    () =>
      withSource({ ...found('source', {}), alternatives: [found('source', {}), found('source', {}, 'b')] }),
  ],
  [
    'allowed by the operator',
    [],
    (input) => ({
      ...declared(input, { existing: true }),
      options: { allowLive: new Set(['sites/source']) },
    }),
  ],
  [
    'not what the operator allowed',
    ['ref/secret'],
    (input) => ({
      ...declared(input, { existing: true }),
      options: { allowLive: new Set(['sites/sourc', 'sites', 'sites/**']) },
    }),
  ],
  [
    'not read for these targets',
    [],
    ({ ledger, live }) => ({
      ledger: { ...ledger, entries: {} },
      live: { ...live, scope: new Set(['sites/target']) as never },
    }),
  ],
])('a secret of an object that is %s', (_, expected, change) => {
  expect(codes(change)).toEqual(expected);
});

test.each<[string, string[], Fields]>([
  ['a map in a text', ['ref/type'], { extra: { a: 1 } }],
  ['a list in a text', ['ref/type'], { extra: ['a'] }],
  ['null in a text', ['ref/type'], { extra: null }],
  ['a text in a text', [], { extra: 'a' }],
  ['a number in a text', [], { extra: 5 }],
  ['nothing yet', [], {}],
])('%s that only the account has', (_, expected, fields) => {
  expect(codes(() => withSource(found('source', fields)), 'extra', 'note')).toEqual(expected);
});

test('a secret that the platform does not return to this token is treated as one that is not available', () => {
  const passwordOf = ({ desired }: Pick<PlanInput, 'desired'>) =>
    desired.resources.get('sites/target')!.fields.password;
  const read = inputWith();
  expect(passwordOf(markHiddenSecrets(read))).toEqual({ $ref: 'sites/source', attr: 'password' });
  const unread = { ...read, ...withSource(found('source', {})) };
  expect(passwordOf(markHiddenSecrets(unread))).toEqual({ $secret: 'password of sites/source' });
  expect(passwordOf(markHiddenSecrets({ ...read, live: emptyLive() }))).toEqual(passwordOf(read));
});
