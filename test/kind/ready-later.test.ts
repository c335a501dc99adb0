import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import type { ApiObject } from '../../src/kind/read.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const later = kinds.filter(({ read }) => read.later !== undefined);
const pendingOf = (kind: string) => {
  const { pending } = (later.find(({ name }) => name === kind) as Kind).read.later!;
  return (object: ApiObject) => pending(object);
};

/** Answers that have the members that matter, of any form. */
const answers = fc.record(
  {
    status: fc.oneof(
      fc.string(),
      fc.constantFrom('ready', 'failed', 'rejected', 'constructor'),
      fc.anything(),
    ),
    statusMessage: fc.anything(),
    verified: fc.oneof(fc.boolean(), fc.anything()),
    verification: fc.oneof(
      fc.array(
        fc.oneof(
          fc.anything(),
          fc.record({ type: fc.anything(), domain: fc.anything(), value: fc.string({ maxLength: 2000 }) }),
        ),
      ),
      fc.anything(),
    ),
    intendedNameservers: fc.oneof(fc.array(fc.anything()), fc.anything()),
  },
  { requiredKeys: [] },
);

describe.each(later.map((kind) => [kind.name, kind] as const))('%s', (_, { read }) => {
  story('says of any answer that it is ready or why not, in one short line', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const pending = read.later!.pending(answer as ApiObject);
        if (pending === undefined) return;
        expect(pending.reason).toMatch(/^[^\n\r]{5,2500}$/);
        expect([undefined, true]).toContain(pending.failed);
      }),
    );
  });

  it('is ready where the answer does not say otherwise', () => {
    expect(read.later!.pending({})).toBeUndefined();
  });
});

describe('what an answer shows to wait for', () => {
  it.each([
    ['network', { status: 'ready' }, undefined],
    ['network', { status: 'create_in_progress' }, { reason: 'the platform is still setting it up' }],
    ['network', { status: 'error' }, { reason: 'the platform could not set it up', failed: true }],
    ['network', { status: 'resting' }, { reason: 'its status is "resting"' }],
    ['privateLink', { status: 'available' }, undefined],
    ['privateLink', { status: 'creating' }, { reason: 'the platform is still setting it up' }],
    [
      'privateLink',
      { status: 'pending-acceptance' },
      { reason: 'the owner of the service in AWS has not accepted it yet' },
    ],
    [
      'privateLink',
      { status: 'failed', statusMessage: 'No such service.' },
      { reason: 'the platform could not set it up: "No such service."', failed: true },
    ],
    ['projectDomain', { verified: true, verification: [] }, undefined],
    ['projectDomain', { verified: false }, { reason: 'the platform has not verified it yet' }],
    [
      'projectDomain',
      { verified: false, verification: [{ type: 'TXT', domain: '_vercel.a.com', value: 'vc=1' }] },
      { reason: 'the platform has not verified it yet: it needs "TXT" at "_vercel.a.com" with "vc=1"' },
    ],
    ['domain', { verified: true, nameservers: ['ns.elsewhere.example'] }, undefined],
    [
      'domain',
      { verified: false, intendedNameservers: ['ns1.a.example', 'ns2.a.example'] },
      {
        reason:
          'the platform has not verified yet that the domain is yours: its registrar must be set to the nameservers "ns1.a.example" and "ns2.a.example"',
      },
    ],
  ])('%s %o', (kind, answer, expected) => {
    expect(pendingOf(kind)(answer)).toEqual(expected);
  });
});

describe('whether the DNS of a domain points to the platform', () => {
  const { check } = (later.find(({ name }) => name === 'projectDomain') as Kind).read.later!;
  const pendingAt = (id: string, answer: object) =>
    check!.pending(answer as ApiObject, { id, facts: { apexName: 'example.com' } } as never);
  const recommended = {
    misconfigured: true,
    recommendedIPv4: [
      { rank: 2, value: ['192.0.2.9'] },
      { rank: 1, value: ['192.0.2.1', '192.0.2.2'] },
    ],
    recommendedCNAME: [
      { rank: 2, value: 'old.example.net.' },
      { rank: 1, value: 'new.example.net.' },
    ],
  };

  it.each([
    ['example.com', recommended, 'the DNS record A with "192.0.2.1" and "192.0.2.2"'],
    ['www.example.com', recommended, 'the DNS record CNAME with "new.example.net."'],
    ['www.example.com', { misconfigured: true }, 'a DNS record that points to the platform'],
    [
      'example.com',
      { misconfigured: true, recommendedIPv4: [null, { rank: 1, value: 1 }] },
      'a DNS record that points to the platform',
    ],
  ])('%s needs the recommended record of the first rank', (id, answer, what) => {
    expect(pendingAt(id, answer)!.needs!.what).toBe(what);
  });

  it('shows few of very many recommended values', () => {
    const value = Array.from({ length: 1000 }, (_, index) => `192.0.2.${index}`);
    const answer = { misconfigured: true, recommendedIPv4: [{ rank: 1, value }] };
    expect(pendingAt('example.com', answer)!.needs!.what.match(/192/g)).toHaveLength(8);
  });

  it('takes a declared record at its name, or at a wildcard above it', () => {
    const { from } = pendingAt('a.b.example.com', recommended)!.needs!;
    const addresses = from.map(({ address }) =>
      decodeURIComponent(address.slice('domains/example.com/records/'.length)),
    );
    expect([...new Set(addresses)].sort()).toEqual(
      ['*.b', '*', 'a.b'].flatMap((name) => ['A', 'ALIAS', 'CNAME'].map((type) => `${name}/${type}`)),
    );
    expect(pendingAt('example.com', recommended)!.needs!.from.map(({ value }) => value)).toEqual([
      ...['192.0.2.1', '192.0.2.2', 'new.example.net.', 'new.example.net.'],
    ]);
  });

  it('leaves it open if the answer does not say it', () => {
    expect(pendingAt('example.com', { misconfigured: false })).toBeUndefined();
    for (const answer of [{}, { misconfigured: 'yes' }])
      expect(() => pendingAt('example.com', answer)).toThrow();
  });
});
