import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { otherSwitches } from '../../providers/hosting/twin/index.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { a, aaaa, alias, caa, cname, https, mx, ns, srv, txt } from './records.ts';
import { stored, type Wanted, Zone, zoneName, zoneYaml } from './zone.ts';

const story = oneStoryIn(3);

/** TXT records of somebody else, at names that ours may be at too. */
const theirs = [txt('', 'theirs', { ttl: 77, comment: 'not yours' }), txt('www', 'theirs too')];
const exclusive = '$existing: true\n    $exclusive: [records]';

/** More for a longer search: TRUEUP_RUNS=1000. */
const times = runs(Number(process.env.TRUEUP_RUNS ?? 60));
const other = `other-${zoneName}`;

let zone: Zone;
let atFirst: { records: Zone['records']; ledger: Zone['world']['ledger'] };
beforeAll(async () => {
  zone = await Zone.start({ records: theirs, switches: otherSwitches, pageSize: 4 });
  atFirst = structuredClone({ records: all(), ledger: zone.world.ledger });
});
afterAll(() => zone.stop());

const all = () => zone.world.twin.account.domains[0]!.records;
const reset = () => {
  all().splice(0, Number.POSITIVE_INFINITY, ...structuredClone(atFirst.records));
  zone.world.ledger = structuredClone(atFirst.ledger);
};
const isFromTheStart = ({ id }: { id: string }) => atFirst.records.some((record) => record.id === id);
const ours = () => all().filter((record) => !isFromTheStart(record));

const members: Record<string, (name: string) => Wanted[]> = {
  A: (name) => ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((value) => a(name, value)),
  AAAA: (name) => ['2001:db8::1', '2001:db8::2'].map((value) => aaaa(name, value)),
  ALIAS: (name) => ['edge.example.net.', 'edge2.example.net.'].map((value) => alias(name, value)),
  CAA: (name) => ['0 issue "ca.example.net"', '0 issue "ca.example.org"'].map((value) => caa(name, value)),
  CNAME: (name) => ['edge.example.net.', 'edge2.example.net.'].map((value) => cname(name, value)),
  HTTPS: (name) => ['1 .', '1 . alpn=h3', '2 edge.example.net.'].map((text) => https(name, text)),
  MX: (name) => [1, 2].flatMap((n) => ['mx1', 'mx2'].map((host) => mx(name, n, `${host}.example.net.`))),
  NS: (name) => ['ns1.example.net.', 'ns2.example.net.'].map((value) => ns(name, value)),
  SRV: (name) => ['1 1 1 .', '1 1 2 edge.example.net.'].map((text) => srv(name, text)),
  TXT: (name) => ['one', '"one"', 'two '].map((value) => txt(name, value)),
};

const record = fc
  .record({
    type: fc.constantFrom(...Object.keys(members)),
    name: fc.constantFrom('@', 'www', 'a', '*'),
    pick: fc.nat(11),
    ttl: fc.option(fc.constantFrom(60, 300), { nil: undefined }),
    comment: fc.option(fc.constantFrom('', 'x'), { nil: undefined }),
  })
  .map(({ type, name, pick, ttl, comment }): Wanted => {
    const choice = members[type]!(name);
    return {
      ...choice[pick % choice.length]!,
      ...(ttl === undefined ? {} : { ttl }),
      ...(comment === undefined ? {} : { comment }),
    };
  });

const contentOf = (text: string) => JSON.stringify(JSON.parse(text).slice(0, 6));

/** A zone that the platform allows; `free` tells where a CNAME may stand, as far as others are concerned. */
const zoneOf = (free: (name: string) => boolean) =>
  fc.uniqueArray(record, { maxLength: 14, selector: (one) => contentOf(stored(one)) }).map((records) => {
    const alone = new Map<string, Wanted>();
    for (const one of records) {
      const first = alone.get(one.name);
      if (one.type === 'CNAME' && free(one.name) && !first) alone.set(one.name, one);
    }
    return records.filter((one) =>
      alone.has(one.name)
        ? alone.get(one.name) === one
        : one.type !== 'CNAME' && !(one.type === 'NS' && one.name === '@'),
    );
  });

/** What somebody else does to a record of ours. */
const drift = fc.record({ what: fc.constantFrom('ttl', 'comment', 'value', 'remove'), which: fc.nat(20) });
const suffer = ({ what, which }: { what: string; which: number }) => {
  const found = ours().at(which % Math.max(1, ours().length));
  if (!found) return;
  if (what === 'remove') all().splice(all().indexOf(found), 1);
  else if (what === 'ttl') found.ttl = 999;
  else if (what === 'comment') found.comment = 'changed outside';
  else if (found.type === 'A') found.value = `203.0.113.${which}`;
  else if (found.type === 'TXT') found.value = `changed outside ${which}`;
};

/** An apply that loses the network after some writes. */
async function interrupted(wanted: Wanted[], writes: number) {
  const { world } = zone;
  const planned = await world.plan(zoneYaml(wanted), options);
  const { send } = world.connection;
  let left = writes;
  world.connection.send = async (request) => {
    if (!request.endpoint.startsWith('GET') && left-- <= 0) throw new Error('the network is gone');
    return send(request);
  };
  await world.apply(planned);
  world.connection.send = send;
}

const options = { maxDeletions: 1000, overwriteConflicts: true };

function expectZone(wanted: Wanted[], found: Zone['records']) {
  expect(found.map((one) => contentOf(stored(one as Wanted))).sort()).toEqual(
    wanted.map((one) => contentOf(stored(one))).sort(),
  );
  for (const one of wanted) {
    const match = found.find((other) => contentOf(stored(other as Wanted)) === contentOf(stored(one)))!;
    if (one.ttl !== undefined) expect(match.ttl).toBe(one.ttl);
    if (one.comment !== undefined) expect(match.comment).toBe(one.comment);
  }
}

story('any zone becomes any other, through drift and interruptions; what is not ours stays', async () => {
  const isFree = (name: string) => name !== '@' && name !== 'www';
  const step = fc.record({
    drift: fc.array(drift, { maxLength: 2 }),
    first: fc.option(fc.record({ wanted: zoneOf(isFree), writes: fc.nat(5) }), { nil: undefined }),
    wanted: zoneOf(isFree),
  });
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (sequence) => {
      reset();
      for (const { drift, first, wanted } of sequence) {
        drift.forEach(suffer);
        if (first) await interrupted(first.wanted, first.writes);
        await zone.world.converge(zoneYaml(wanted), options);
        expectZone(wanted, ours());
        expect(all().filter(isFromTheStart)).toEqual(atFirst.records);
        steps++;
      }
    }),
    { numRuns: times },
  );
  console.log(`random DNS zones: ${times} sequences, ${steps} steps, each converged`);
});

story('under `$exclusive`, any zone of somebody else becomes any other', async () => {
  // The platform refuses a CNAME at the apex.
  const isBelowApex = (name: string) => name !== '@';
  await fc.assert(
    fc.asyncProperty(zoneOf(isBelowApex), zoneOf(isBelowApex), async (found, wanted) => {
      reset();
      all().splice(0, Number.POSITIVE_INFINITY, ...all().filter(({ creator }) => creator === 'system'));
      const before = JSON.stringify(all());
      zone.world.twin.add({ domains: [{ name: other, records: found as never }] });
      const { domains } = zone.world.twin.account;
      const added = domains.pop()!.records.filter(({ creator }) => creator !== 'system');
      all().push(...added);
      const since = zone.world.twin.requests.length;
      await zone.world.converge(zoneYaml(wanted, exclusive), options);
      expectZone(
        wanted,
        all().filter(({ creator }) => creator !== 'system'),
      );
      expect(JSON.stringify(all().filter(({ creator }) => creator === 'system'))).toBe(before);
      // A record of somebody else may get another ttl, but never becomes another one.
      for (const { method, body } of zone.world.twin.requests.slice(since))
        if (method === 'PATCH')
          expect(['ttl', 'comment']).toEqual(expect.arrayContaining(Object.keys(body as object)));
    }),
    { numRuns: times },
  );
});
