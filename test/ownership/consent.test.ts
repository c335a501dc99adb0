import { describe, expect, it } from 'vitest';
import { load } from '../../src/config/load.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { LedgerEntry, OtherStack } from '../../src/model/ledger.ts';
import { createConsentTest } from '../../src/plan/consent.ts';
import type { SiblingStack } from '../../src/plan/input.ts';
import { kinds } from '../support/world.ts';

/* Every state of the owner's ledger with every state of its configuration: who consents to a take-over. */

const key = ledgerKeyFrom('a key for tests, long enough');
const address = 'projects/site';
const file = '/one/trueup.yaml';
const hook = (label: string) =>
  `webhooks: { ${label}: { url: https://a.example.com, events: [domain.created], $secretTo: discard } }`;

/** The configuration of a stack, as if it had been read from a file. */
async function configured(stack: string, body: string, input = file): Promise<SiblingStack> {
  const text = `stack: ${stack}\nplatform: { team: acme }\n${body}\n`;
  const { desired, diagnostics } = await load({ kinds, cwd: '/', env: {}, text });
  return { desired: { ...desired, inputs: [input], folders: [] }, isBroken: hasErrors(diagnostics) };
}

const entryOf = (kind: string, ids: string[]): LedgerEntry => ({
  ...{ kind, ids, origin: 'created', salt: 's', form: 1, fields: { name: 'd' }, secrets: {} },
});

const ledgers = {
  'signed with another key': { isVerified: false },
  'without a handover': {},
  'handed over to the taker': { handover: 'two' },
  'handed over to another stack': { handover: 'three' },
};

const configurations: Record<string, SiblingStack | undefined> = {
  'not in this checkout': undefined,
  'with errors': await configured('one', 'projects: { own: {} }\nwhat: 1'),
  'of other files': await configured('one', 'projects: { own: {} }', '/fake/trueup.yaml'),
  'without the object': await configured('one', 'projects: { own: {} }'),
  'with `$existing`': await configured('one', 'projects: { site: { $existing: true } }'),
  'with the object': await configured('one', 'projects: { site: {} }'),
  'with the object renamed': await configured('one', 'projects: { shop: { $was: site } }'),
  'with the object by its id': await configured('one', 'projects: { shop: { $id: p1 } }'),
  'with `$handover` to the taker': await configured('one', 'projects: { site: { $handover: two } }'),
  'with `$handover` to another stack': await configured('one', 'projects: { site: { $handover: three } }'),
};

/** The configurations by which the owner speaks; the others leave it to the ledger. */
const spoken: Record<string, boolean> = {
  'with the object': false,
  'with the object renamed': false,
  'with the object by its id': false,
  'with `$handover` to the taker': true,
  'with `$handover` to another stack': false,
};

const isExpected = (ledger: string, configuration: string): boolean => {
  if (ledger === 'signed with another key') return false;
  if (configuration in spoken) return spoken[configuration]!;
  if (ledger === 'handed over to the taker') return true;
  if (ledger === 'handed over to another stack') return false;
  return configuration === 'without the object' || configuration === 'with `$existing`';
};

const two = await configured('two', 'projects: { site: { $from: one } }');

/** The owner with one entry. */
const ownerOf = (at: string, entry: LedgerEntry, more: Partial<OtherStack> = {}): OtherStack => ({
  ...{ stack: 'one', entries: { [at]: entry }, inputs: [file], isVerified: true, isWellFormed: true },
  ...more,
});

const test = (siblings: SiblingStack[], by: OtherStack, at = address, takenAs = at) =>
  createConsentTest({ desired: two.desired, kinds, key, options: { siblings } })(
    { owner: by, address: at, entry: by.entries[at]! },
    takenAs,
  );

describe.each(Object.entries(ledgers))(
  'a ledger %s',
  (ledger, { isVerified = true, ...mark }: object & { isVerified?: boolean }) => {
    it.each(Object.entries(configurations))('and a configuration %s', (configuration, sibling) => {
      const by = ownerOf(address, { ...entryOf('project', ['p1']), ...mark }, { isVerified });
      expect(test(sibling ? [sibling] : [], by).isGiven).toBe(isExpected(ledger, configuration));
    });
  },
);

it('an object without a name is declared by any label that its stack has not applied', async () => {
  const by = ownerOf('webhooks/a', entryOf('webhook', ['h1']));
  const consent = (labels: string[], entries: OtherStack['entries'] = {}) => {
    const all = labels.map((label) => hook(label).slice('webhooks: { '.length, -2));
    return configured('one', `webhooks: { ${all.join(', ')} }`).then(
      (sibling) =>
        test([sibling], { ...by, entries: { ...by.entries, ...entries } }, 'webhooks/a', 'webhooks/x')
          .isGiven,
    );
  };
  expect(await consent(['b'])).toBe(false);
  expect(await consent(['b'], { 'webhooks/b': entryOf('webhook', ['h2']) })).toBe(true);
  expect(await consent(['a', 'b'], { 'webhooks/b': entryOf('webhook', ['h2']) })).toBe(false);
});

it('a domain that moves to another project of its stack is still declared', async () => {
  const at = 'projects/site/domains/a.example.org';
  const by = ownerOf(at, entryOf('projectDomain', ['a.example.org']));
  const moved = await configured('one', 'projects: { shop: { domains: { a.example.org: {} } } }');
  const gone = await configured('one', 'projects: { shop: { domains: { b.example.org: {} } } }');
  expect([test([moved], by, at).isGiven, test([gone], by, at).isGiven]).toEqual([false, true]);
});
