import { afterEach, expect, test } from 'vitest';
import type { Switches } from '../../providers/hosting/twin/index.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { a, aaaa, caa, cname, mx, srv, txt } from './records.ts';
import { type StepOptions, type Wanted, Zone, zoneYaml } from './zone.ts';

const story = oneStoryIn(7);

let zone: Zone;
const start = async (records: Wanted[] = [], switches: Partial<Switches> = {}) => {
  zone = await Zone.start({ records, switches });
};
afterEach(() => zone.stop());

const style = styleFor({ color: false, width: 200 });
const exclusive = '$existing: true\n    $exclusive: [records]';
const codes = async (records: Wanted[], meta?: string) => {
  const { plan } = await zone.world.plan(zoneYaml(records, meta));
  return plan.diagnostics.map(({ code }) => code);
};
const changeOf = async (records: Wanted[], name: string) => {
  const { plan } = await zone.world.plan(zoneYaml(records));
  return plan.changes.find(({ address }) => address === `domains/example.com/records/${name}`)!;
};
const causes = async (records: Wanted[], name: string) =>
  (await changeOf(records, name)).fields.map(({ cause }) => cause);
/** Somebody else changes a record. */
const edit = (value: string, changes: object) =>
  Object.assign(zone.records.find((record) => record.value === value)!, changes);
/** Somebody else's record, beside what is there. */
const addOutside = (record: Wanted) =>
  zone.world.twin.account.domains[0]!.records.push({
    id: `rec_of_somebody_${zone.records.length}`,
    ttl: 60,
    comment: '',
    creator: 'somebody',
    createdAt: 1,
    updatedAt: null,
    ...record,
  } as never);
const removeOutside = (value: string) => {
  const { records } = zone.world.twin.account.domains[0]!;
  records.splice(
    records.findIndex((record) => record.value === value),
    1,
  );
};
const bodies = () =>
  zone.world.twin.requests.filter(({ method }) => method !== 'GET').map(({ method, body }) => [method, body]);

/* What is in the zone already */

story('an existing zone is adopted without a write, in whatever words it is declared', async () => {
  await start([
    a('www', '192.0.2.1'),
    a('www', '192.0.2.2', { ttl: 3600, comment: 'second' }),
    cname('blog', 'edge.example.net.'),
    mx('', 10, 'mx.example.net.'),
    srv('_sip._tcp', '1 2 3 sip.example.net.'),
    txt('', 'v=spf1 -all'),
    caa('', '0 issue "ca.example.net"'),
  ]);
  const plan = await zone.step(
    [
      a('www', '192.0.2.2'),
      a('WWW', '192.0.2.1'),
      cname('blog', 'Edge.example.net'),
      mx('@', 10, 'mx.example.net'),
      srv('_sip._tcp', '1 2 3 sip.example.net'),
      txt('@', 'v=spf1 -all'),
      caa('@', '0 issue ca.example.net'),
    ],
    { sends: [], inZone: zone.records as Wanted[] },
  );
  expect(new Set(plan.changes.map(({ action }) => action))).toEqual(new Set(['noop', 'adopt']));
});

story('what is adopted is ours from then on', async () => {
  await start([a('www', '192.0.2.1'), a('www', '192.0.2.2')]);
  await zone.step([a('www', '192.0.2.1'), a('www', '192.0.2.2')], {
    sends: [],
    inZone: zone.records as Wanted[],
  });
  await zone.step([a('www', '192.0.2.3')], { sends: ['PATCH', 'DELETE'] });
  await zone.step([], { sends: ['DELETE'] });
});

test('a member of a declared set that nobody declared stops the plan', async () => {
  await start([a('www', '192.0.2.1'), a('www', '192.0.2.2'), mx('', 5, 'old.example.net.')]);
  expect(await codes([a('www', '192.0.2.1')])).toEqual(['dns/undeclared-members']);
  expect(await codes([a('www', '192.0.2.3'), mx('@', 10, 'old.example.net.')])).toEqual([
    'dns/undeclared-members',
    'dns/undeclared-members',
  ]);
  // Another type at the name is another set.
  expect(await codes([aaaa('www', '2001:db8::1')])).toEqual([]);
});

test('`$exclusive: [records]` deletes what is not declared, and never makes it into something else', async () => {
  await start([
    a('www', '192.0.2.1'),
    a('www', '192.0.2.2'),
    txt('', 'theirs'),
    cname('x', 'theirs.example.net.'),
  ]);
  await zone.step([a('www', '192.0.2.1'), a('www', '192.0.2.3'), txt('@', 'ours')], {
    meta: exclusive,
  });
  expect(bodies().map(([method]) => method)).not.toContain('PATCH');
  // Also where a name has one of ours and one of theirs.
  addOutside(txt('', 'theirs again'));
  await zone.step([a('www', '192.0.2.3')], { meta: exclusive });
});

test('under `$exclusive`, a CNAME of somebody else makes room before ours is created', async () => {
  await start([cname('x', 'theirs.example.net.')]);
  const plan = await zone.step([cname('x', 'ours.example.net.')], {
    meta: exclusive,
    sends: ['DELETE', 'POST'],
  });
  expect(plan.changes.find(({ address }) => address.endsWith('x/CNAME'))).toMatchObject({
    grade: 'disruptive',
  });
});

test("somebody else's TXT records are left alone, whatever becomes of ours", async () => {
  const theirs = [txt('', 'google-site-verification=1', { ttl: 77, comment: 'theirs' }), txt('', 'ms=2')];
  await start(theirs);
  const before = JSON.stringify(zone.records);
  const untouched = () => JSON.stringify(zone.records.filter(({ value }) => /^(google|ms)/.test(value!)));
  const step = async (records: Wanted[], options: StepOptions = {}) => {
    await zone.step(records, { ...options, inZone: [...records, ...theirs] });
    expect(untouched()).toBe(before);
  };
  await step([txt('@', 'v=spf1 -all')], { sends: ['POST'] });
  await step([txt('@', 'v=spf1 ~all'), txt('@', 'ours')], { sends: ['PATCH', 'POST'] });
  await step([txt('@', 'ours')], { sends: ['DELETE'] });
  await step([txt('@', 'ours', { ttl: 900 })], { sends: ['PATCH'] });
  // Declaring one of theirs makes it ours.
  await zone.step([txt('@', 'ours', { ttl: 900 }), txt('@', 'ms=2')], {
    sends: [],
    inZone: [txt('@', 'ours', { ttl: 900 }), ...theirs],
  });
  await zone.step([], { sends: ['DELETE', 'DELETE'], inZone: theirs.slice(0, 1) });
});

test('a TXT record of somebody else is not managed, and counted as such', async () => {
  await start([txt('', 'theirs')]);
  const { plan } = await zone.world.plan(zoneYaml([txt('@', 'ours')]));
  expect(plan.unmanaged.map(({ address }) => address)).toEqual(['domains/example.com/records/@/TXT']);
  expect(plan.changes.find(({ address }) => address.endsWith('@/TXT'))).toMatchObject({ action: 'create' });
});

/* Drift, edit, conflict */

story('drift is repaired, and shown as drift', async () => {
  await start();
  const wanted = [a('www', '192.0.2.1', { ttl: 300 }), a('www', '192.0.2.2', { ttl: 300 }), mx('@', 1, 'mx')];
  await zone.step(wanted);
  edit('192.0.2.1', { ttl: 999 });
  expect(await causes(wanted, 'www/A')).toEqual(['drift']);
  await zone.step(wanted, { sends: ['PATCH'] });
  edit('192.0.2.1', { value: '203.0.113.1' });
  expect(await causes(wanted, 'www/A')).toEqual(['drift']);
  await zone.step(wanted, { sends: ['PATCH'] });
  removeOutside('192.0.2.2');
  expect(await causes(wanted, 'www/A')).toEqual(['drift']);
  await zone.step(wanted, { sends: ['POST'] });
  removeOutside('mx.example.com.');
  expect(await changeOf(wanted, '@/MX')).toMatchObject({ action: 'create', reason: 'deleted outside' });
  await zone.step(wanted, { sends: ['POST'] });
});

story('what is not declared of a member may change outside', async () => {
  await start();
  const wanted = [a('www', '192.0.2.1'), a('www', '192.0.2.2', { comment: 'second' })];
  await zone.step(wanted);
  edit('192.0.2.1', { ttl: 999, comment: 'theirs' });
  expect(await causes(wanted, 'www/A')).toEqual([]);
  // It does not make our next edit a conflict either.
  const next = [a('www', '192.0.2.1'), a('www', '192.0.2.3', { comment: 'third' })];
  expect(await causes(next, 'www/A')).toEqual(['edit']);
  await zone.step(next, {
    sends: ['PATCH'],
    inZone: [
      a('www', '192.0.2.1', { ttl: 999, comment: 'theirs' }),
      a('www', '192.0.2.3', { comment: 'third' }),
    ],
  });
});

story('a change here and outside is a conflict', async () => {
  await start();
  await zone.step([a('www', '192.0.2.1'), a('www', '192.0.2.2')]);
  edit('192.0.2.2', { value: '203.0.113.1' });
  const wanted = [a('www', '192.0.2.1'), a('www', '192.0.2.3')];
  expect(await causes(wanted, 'www/A')).toEqual(['conflict']);
  expect(await codes(wanted)).toEqual(['guard/conflict']);
  await zone.step(wanted, { sends: ['PATCH'], overwriteConflicts: true });
});

oneRowIn(2)([{ ttl: 300 }, { comment: 'ours' }])(
  'a record removed outside is noticed although %o was added to it',
  async (added) => {
    await start();
    await zone.step([a('www', '192.0.2.1'), a('www', '192.0.2.2')]);
    removeOutside('192.0.2.2');
    expect(await causes([a('www', '192.0.2.1'), a('www', '192.0.2.2', added)], 'www/A')).toEqual([
      'conflict',
    ]);
  },
);

test('without a ledger the comparison is two-way: equal is adopted, a difference is not ours to judge', async () => {
  await start();
  const wanted = [a('www', '192.0.2.1'), a('www', '192.0.2.2'), txt('@', 'ours')];
  await zone.step(wanted);
  zone.world.ledger = { ...zone.world.ledger, entries: {} };
  await zone.step(wanted, { sends: [] });
  zone.world.ledger = { ...zone.world.ledger, entries: {} };
  expect(await causes([a('www', '192.0.2.1', { ttl: 300 }), a('www', '192.0.2.2')], 'www/A')).toEqual([
    'unknown',
  ]);
  await zone.step([a('www', '192.0.2.1', { ttl: 300 }), a('www', '192.0.2.2'), txt('@', 'ours')], {
    sends: ['PATCH'],
  });
  // Nothing is deleted that is not known to be ours.
  zone.world.ledger = { ...zone.world.ledger, entries: {} };
  await zone.step([], { sends: [], inZone: zone.records as Wanted[] });
  expect(await codes([a('www', '192.0.2.1')])).toEqual(['dns/undeclared-members']);
});

story('records that are gone, and not wanted any more, are forgotten', async () => {
  await start();
  await zone.step([a('www', '192.0.2.1'), a('api', '192.0.2.2'), cname('x', 'edge')]);
  removeOutside('192.0.2.1');
  removeOutside('edge.example.com.');
  await zone.step([a('api', '192.0.2.2'), a('new', '192.0.2.3')], { sends: ['POST'] });
  expect(Object.keys(zone.world.ledger.entries).filter((address) => /www|x\//.test(address))).toEqual([]);
});

/* CNAME */

story('a CNAME beside anything else is found while planning', async () => {
  await start([a('old', '192.0.2.1'), txt('mixed', 'theirs')]);
  expect(await codes([cname('w', 'edge'), a('w', '192.0.2.1')])).toEqual(['plan/clash']);
  expect(await codes([cname('w', 'edge'), cname('w', 'other')])).toEqual(['plan/clash']);
  // Also where the other one is not ours.
  expect(await codes([cname('old', 'edge')])).toEqual(['plan/clash']);
  expect(await codes([cname('old', 'edge')], exclusive)).toEqual([]);
  // The platform's own give way.
  expect(await codes([a('www', '192.0.2.1')])).toEqual([]);
  // Ours goes, but somebody else's text at the name stays.
  await zone.step([txt('mixed', 'ours')], {
    inZone: [a('old', '192.0.2.1'), txt('mixed', 'ours'), txt('mixed', 'theirs')],
  });
  expect(await codes([cname('mixed', 'edge')])).toEqual(['plan/clash']);
});

story('a CNAME that makes room, or takes it, is graded disruptive', async () => {
  await start();
  await zone.step([cname('w', 'edge')]);
  const there = await zone.step([a('w', '192.0.2.1')], { sends: ['DELETE', 'POST'] });
  const back = await zone.step([cname('w', 'edge')], { sends: ['DELETE', 'POST'] });
  for (const plan of [there, back])
    expect(plan.changes.find(({ action }) => action === 'create')).toMatchObject({ grade: 'disruptive' });
});

/* Requests */

test('a request has what changes, and no more', async () => {
  await start();
  const since = () => zone.world.twin.clearRequests();
  const first = [a('@', '192.0.2.1'), mx('m', 10, 'mx'), srv('_x._tcp', '1 2 3 sip')];
  await zone.step(first);
  expect(bodies()).toEqual(
    expect.arrayContaining([
      ['POST', { name: '', type: 'A', value: '192.0.2.1' }],
      ['POST', { name: 'm', type: 'MX', value: 'mx.example.com.', mxPriority: 10 }],
      [
        'POST',
        {
          name: '_x._tcp',
          type: 'SRV',
          srv: { priority: 1, weight: 2, port: 3, target: 'sip.example.com.' },
        },
      ],
    ]),
  );
  since();
  await zone.step([
    a('@', '192.0.2.1', { ttl: 300 }),
    mx('m', 20, 'mx'),
    srv('_x._tcp', '1 2 4 sip', { comment: 'moved' }),
  ]);
  expect(bodies()).toEqual(
    expect.arrayContaining([
      ['PATCH', { ttl: 300 }],
      ['PATCH', { value: 'mx.example.com.', mxPriority: 20 }],
      ['PATCH', { srv: { priority: 1, weight: 2, port: 4, target: 'sip.example.com.' }, comment: 'moved' }],
    ]),
  );
});

test('what is created comes before what is deleted', async () => {
  await start([a('www', '192.0.2.1'), a('www', '192.0.2.2')]);
  await zone.step([a('www', '192.0.2.3')], { meta: exclusive, sends: ['POST', 'DELETE', 'DELETE'] });
});

test('a record that only changes its priority stays the same record', async () => {
  await start();
  const idOf = (value: string) => zone.records.find((record) => record.value === value)?.id;
  await zone.step([mx('@', 10, 'b.example.net.'), mx('@', 20, 'a.example.net.')]);
  const id = idOf('a.example.net.');
  await zone.step([mx('@', 11, 'a.example.net.'), mx('@', 12, 'c.example.net.')], {
    sends: ['PATCH', 'PATCH'],
  });
  expect(idOf('a.example.net.')).toBe(id);
});

/* Failures on the way */

oneRowIn(4)([1, 2, 3, 4])('a set that stops after %i writes is finished by the next run', async (count) => {
  await start();
  await zone.step(['1', '2', '3', '4'].map((n) => a('pool', `192.0.2.${n}`)));
  const wanted = ['5', '6', '3', '7', '8', '9'].map((n) => a('pool', `192.0.2.${n}`, { ttl: 300 }));
  const { world } = zone;
  const planned = await world.plan(zoneYaml(wanted));
  let left = count;
  const { send } = world.connection;
  world.connection.send = (request) => {
    if (request.endpoint.startsWith('GET') || left-- > 0) return send(request);
    throw new Error('the network is gone');
  };
  const { outcome } = await world.apply(planned);
  world.connection.send = send;
  expect(outcome.failed).toHaveLength(1);
  // Half of it is no conflict, and none of it is a stranger.
  expect(await causes(wanted, 'pool/A')).toEqual(['edit']);
  await zone.step(wanted);
});

test('a record whose creation was not answered is not created twice', async () => {
  await start();
  const { world } = zone;
  const wanted = [a('pool', '192.0.2.1'), a('pool', '192.0.2.2')];
  const planned = await world.plan(zoneYaml(wanted));
  const { send } = world.connection;
  world.connection.send = async (request) => {
    const answer = await send(request);
    if (request.endpoint.startsWith('POST')) throw new Error('no answer');
    return answer;
  };
  await world.apply(planned);
  world.connection.send = send;
  await zone.step(wanted, { sends: ['POST'] });
});

/* Values that are not known while planning, or not to be told */

test('a secret in a TXT record converges, and is never told', async () => {
  await start([txt('', 'theirs')]);
  const { world } = zone;
  const canary = 'canary-7f3a9';
  const yaml = (records: string) =>
    `stack: test\nplatform: { team: ${world.twin.account.teams[0]!.slug} }\nsecrets: { token: { env: TOKEN } }\n${zoneYaml(
      [],
    )
      .replace(' []', '')
      .trimEnd()}\n${records}`;
  const secret =
    "      - { type: TXT, name: '@', value: '${secret.token}' }\n      - { type: TXT, name: '@', value: 'k=${secret.token}', ttl: 300 }\n";
  const told: string[] = [];
  const run = async (body: string) => {
    const planned = await world.plan(body);
    told.push(
      planText(planned.plan, { style, requests: true, verbose: true }),
      JSON.stringify(planJson(planned.plan)),
      JSON.stringify(planned.plan.diagnostics),
    );
    const { events, outcome } = await world.apply(planned);
    expect(outcome.failed).toEqual([]);
    told.push(JSON.stringify(events), JSON.stringify(world.ledger));
    return planned.plan;
  };
  for (const value of [canary, `${canary}-2`]) {
    world.env.TOKEN = value;
    expect((await run(yaml(secret))).operations).toHaveLength(1);
    expect(zone.contents().join()).toContain(`k=${value}`);
    expect((await run(yaml(secret))).operations).toHaveLength(0);
  }
  edit(`k=${canary}-2`, { value: `${canary}-drift` });
  expect((await run(yaml(secret))).operations).toHaveLength(1);
  await run(yaml(secret.split('\n')[0]!));
  await run(yaml("      - { type: A, name: '@', value: 192.0.2.1 }\n"));
  expect(zone.records.map(({ value }) => value).sort()).toEqual(['192.0.2.1', 'theirs']);
  expect(told.join('\n')).not.toContain('canary');
});

story('a value may refer to what does not exist yet', async () => {
  await start();
  const { world } = zone;
  const yaml = `projects: { web: {} }\n${zoneYaml([
    txt('@', 'project=@REF@'),
    cname('p', '@REF@.Example.net'),
  ]).replaceAll('@REF@', '${projects.web.id}')}`;
  await world.converge(yaml);
  const { id } = world.twin.account.projects[0]!;
  expect(zone.records.map(({ value }) => value).sort()).toEqual(
    [`project=${id}`, `${id.toLowerCase()}.example.net.`].sort(),
  );
  edit(`project=${id}`, { value: 'other' });
  await world.converge(yaml);
  expect(zone.records.map(({ value }) => value)).toContain(`project=${id}`);
});

/* The zone itself */

test('a zone may be written in unicode, and may be created with its records', async () => {
  await start();
  const { world } = zone;
  const records = [a('www', '192.0.2.1'), a('api.Bücher.example.', '192.0.2.2'), cname('shop', '@')];
  const yaml = zoneYaml(records, '$protect: true').replace('example.com:', 'Bücher.example:');
  await world.converge(yaml);
  const { name, records: found } = world.twin.account.domains.at(-1)!;
  expect(name).toBe('xn--bcher-kva.example');
  const own = found.filter(({ creator }) => creator !== 'system');
  expect(own.map((record) => [record.name, record.value]).sort()).toEqual([
    ['api', '192.0.2.2'],
    ['shop', 'xn--bcher-kva.example.'],
    ['www', '192.0.2.1'],
  ]);
});

story('a set that loses members is graded destructive, one that changes or grows is not', async () => {
  await start();
  const set = (...values: string[]) => values.map((value) => a('www', value));
  await zone.step(set('192.0.2.1', '192.0.2.2', '192.0.2.3'));
  const gradeOf = async (records: Wanted[]) => (await changeOf(records, 'www/A')).grade;
  expect(await gradeOf(set('192.0.2.1'))).toBe('destructive');
  expect(await gradeOf(set('192.0.2.1', '192.0.2.2', '192.0.2.9'))).toBe('safe');
  expect(await gradeOf(set('192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'))).toBe('safe');
  // Somebody else's text is not ours to lose.
  await zone.step([txt('www', 'mine')]);
  addOutside(txt('www', 'theirs'));
  expect((await changeOf([txt('www', 'changed')], 'www/TXT')).grade).toBe('safe');
});
