import { afterEach, expect, it } from 'vitest';
import { planText } from '../../src/report/plan-text.ts';
import { exported } from '../export/exported.ts';
import { plainStyle } from '../report/builders.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { World } from '../support/world.ts';

const story = oneStoryIn(3);

let world: World;
afterEach(() => world.stop());

const cns = ['example.com', '*.example.com'];
const wanted =
  'domains: { example.com: {} }\ncertificates: { all: { cns: [ "*.Example.com", example.com ] } }';
const start = async (...certificates: { id: string; cns: string[]; autoRenew?: boolean }[]) => {
  world = await World.start({ seed: { certificates } });
};
const errors = (plan: { diagnostics: { severity: string; code: string }[] }) =>
  plan.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
const line = (names: string) =>
  JSON.stringify(`-----BEGIN CERTIFICATE-----\nnames: ${names}\n-----END CERTIFICATE-----\n`);

it('is issued once its domain is there, and found by its names in any order', async () => {
  await start();
  await world.converge(wanted);
  expect(world.writes()).toEqual(['POST /v7/domains', 'POST /v8/certs']);
  world.ledger = { ...world.ledger, entries: {} };
  const since = world.twin.requests.length;
  await world.converge(wanted);
  expect(world.writes(since)).toEqual([]);
});

story(
  'is the same one when the platform has renewed it under another id, beside the old one or not',
  async () => {
    await start();
    await world.converge(wanted);
    const { certificates } = world.twin.account;
    const since = world.twin.requests.length;
    certificates.push({ ...certificates[0]!, id: 'cert_renewed', createdAt: certificates[0]!.createdAt + 1 });
    await world.converge(wanted);
    certificates.shift();
    await world.converge(wanted);
    expect(world.writes(since)).toEqual([]);
    expect(world.ledger.entries['certificates/all']!.ids).toEqual(['cert_renewed']);
  },
);

story('of two with the same names, `$id` has to say which one', async () => {
  await start({ id: 'cert_a', cns }, { id: 'cert_b', cns });
  expect(errors((await world.plan(wanted)).plan)).toHaveLength(1);
  const { yaml } = await exported(world);
  expect(yaml).toContain('$id: cert_a');
  await world.converge(wanted.replace('cns:', '$id: cert_b, cns:'));
  expect(world.ledger.entries['certificates/all']!.ids).toEqual(['cert_b']);
  expect(world.writes()).toEqual(['POST /v7/domains']);
});

it('one to upload is not taken for one that the platform issued; another key makes another, and then the old one goes', async () => {
  await start({ id: 'cert_issued', cns });
  const yaml = (key: string) =>
    `secrets: { key: { env: ${key} } }
certificates: { all: { cns: [${cns.map((name) => `"${name}"`)}], cert: ${line(cns.join(' '))}, ca: ca, key: "\${secret.key}", $replace: allow } }`;
  world.env = { ONE: 'canary-one', TWO: 'canary-two' };
  await world.converge(yaml('ONE'));
  expect(world.writes()).toEqual(['PUT /v8/certs']);
  const [, first] = world.twin.account.certificates;
  const since = world.twin.requests.length;
  const plan = await world.converge(yaml('TWO'));
  expect(world.writes(since)).toEqual(['PUT /v8/certs', `DELETE /v8/certs/${first!.id}`]);
  expect(world.twin.account.certificates).toHaveLength(2);
  expect(planText(plan, { style: plainStyle, requests: true, verbose: true })).not.toContain('canary');
  expect(JSON.stringify([plan, world.ledger])).not.toContain('canary');
});

it('one that was uploaded elsewhere is exported without what it was made of, and cannot be made again', async () => {
  await start({ id: 'cert_a', cns, autoRenew: false });
  const { yaml } = await exported(world);
  expect(yaml).toContain('autoRenew: false');
  await world.converge(yaml);
  world.twin.account.certificates.pop();
  expect(errors((await world.plan(yaml)).plan)).toEqual(['certificate/parts']);
});

it('the names beside a certificate to upload have to be those in it: otherwise the next plan says so, and changes nothing', async () => {
  await start();
  const yaml = `certificates: { all: { cns: [www.example.com], cert: ${line('example.com')}, ca: ca, key: key } }`;
  await world.apply(await world.plan(yaml));
  const since = world.twin.requests.length;
  const next = await world.plan(yaml);
  expect([errors(next.plan), next.plan.operations]).toEqual([['replace/refused'], []]);
  expect(world.writes(since)).toEqual([]);
});
