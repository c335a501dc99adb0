/*
 * Checks of firewalls whose rules come from several configurations or from the account.
 */
import { expect, it } from 'vitest';
import { firewallChecks } from '../../providers/hosting/meaning/firewall/index.ts';
import { traceIpEntries } from '../../providers/hosting/meaning/trace/trace-ip-entries.ts';
import type { View, ViewedObject } from '../../src/kind/meaning.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { viewOf } from '../support/view-of.ts';
import { ruleOf } from './firewall-lines.ts';
import { findingsFor, shortFinding } from './firewall-view.ts';

const story = oneStoryIn(3);

const firewall = 'projects/web/firewall';

/** Returns the findings about rules of one firewall. `configuration`: which one each rule is from. */
function find(
  lines: readonly string[],
  configuration: (line: number) => number | undefined,
  ips: object[] = [],
) {
  const objectOf = (kind: string, name: string, fields: object, line?: number): ViewedObject => ({
    address: `${firewall}/${name}`,
    kind,
    parent: firewall,
    fields: fields as ViewedObject['fields'],
    isDeclared: true,
    configuration: line === undefined ? undefined : configuration(line),
  });
  const rules = lines.map((line, i) => {
    const rule = ruleOf(line);
    return objectOf('firewallRule', `rules/${rule.name}`, rule, i);
  });
  const entries = ips.map((entry, i) => objectOf('firewallIp', `ips/${i}`, entry));
  const view: View = {
    ofKind: (kind) => (kind === 'firewallRule' ? rules : []),
    under: (_, kind) => (kind === 'firewallIp' ? entries : []),
    at: () => undefined,
    knows: () => 'declared',
  };
  return firewallChecks.flatMap((check) => [...check.find(view)].map(shortFinding));
}

const hiding = ['all deny: path pre /', 'health bypass: path eq /health'];

it('rules of several configurations have no known order', () => {
  expect(find(hiding, () => undefined)).toEqual([
    'warning unreachable health < all',
    'note matches-everything all',
  ]);
  expect(find(hiding, () => 1)).toEqual(['warning unreachable health < all', 'note matches-everything all']);
  expect(find(hiding, (line) => line)).toEqual([]);
  expect(find(['all deny: path pre /', 'x deny: path eq /x'], (line) => line)).toEqual([
    'warning matches-everything all',
  ]);
  expect(find(['a deny: path eq /x', 'b deny: path eq /x'], (line) => line)).toEqual([]);
});

it('rules of several stacks of a workspace have no known order', async () => {
  const [all, health] = hiding.map(ruleOf);
  const yaml = (project: object, ...rules: unknown[]) =>
    `projects: ${JSON.stringify({ web: { ...project, firewall: { ...project, rules } } })}`;
  const findIn = (view: View) => firewallChecks.flatMap((check) => [...check.find(view)].map(shortFinding));
  expect(findIn(await viewOf(yaml({}, all, health)))).toEqual([
    'warning unreachable health < all',
    'note matches-everything all',
  ]);
  expect(findIn(await viewOf(yaml({}, all), yaml({ $existing: true }, health)))).toEqual([]);
});

it('an address that may pass makes a deny-all a list of exceptions', () => {
  const ips = [{ hostname: 'www.example.com', ip: '192.0.2.7', action: 'bypass' }];
  expect(find(['all deny: path pre /'], () => undefined, ips)).toEqual([]);
  expect(find(['all bypass: path pre /'], () => undefined, ips)).toEqual(['warning matches-everything all']);
});

it('an IP entry that denies comes before all rules', () => {
  const rules = ['office bypass: ip_address eq 192.0.2.7 & host eq www.example.com', 'x deny: path eq /x'];
  const entry = { hostname: 'www.example.com', ip: '192.0.2.0/24', action: 'deny' };
  const findWith = (...ips: object[]) => find(rules, () => undefined, ips);
  expect(findWith(entry)).toEqual(['warning unreachable office < 0']);
  expect(findWith({ ...entry, hostname: '*', ip: '192.0.2.7' })).toEqual(['warning unreachable office < 0']);
  expect(findWith({ ...entry, hostname: 'example.com' })).toEqual([]);
  expect(findWith({ ...entry, hostname: '*.example.com' })).toEqual([]);
  expect(findWith({ ...entry, ip: '192.0.3.0/24' })).toEqual([]);
  expect(findWith({ ...entry, ip: '2001:db8::/48' })).toEqual([]);
  expect(findWith({ ...entry, action: 'log' })).toEqual([]);
  expect(findWith(entry, { ...entry, ip: '192.0.2.7', action: 'bypass' })).toEqual([]);
});

it('an IP entry for all hosts is traced on each', () => {
  const entry: ViewedObject = {
    address: `${firewall}/ips/0`,
    kind: 'firewallIp',
    parent: firewall,
    fields: { hostname: '*', ip: '192.0.2.0/24', action: 'deny' },
    isDeclared: true,
  };
  const request = {
    method: 'GET',
    url: new URL('https://www.example.com/'),
    ip: '192.0.2.7',
    headers: new Map(),
  };
  expect(traceIpEntries([entry], request)).toMatchObject([{ matches: 'yes', effect: 'deny' }]);
});

it.each([
  ['192.0.2.0/23', '192.0.3.1', '192.0.4.1'],
  ['192.0.2.77/26', '192.0.2.127', '192.0.2.128'],
  ['192.0.0.0/16', '192.0.200.1', '192.1.0.0'],
  ['192.0.2.9/32', '192.0.2.9', '192.0.2.90'],
  ['192.0.2.1', '192.0.2.1', '192.0.2.10'],
])('an IP entry for %s is for %s and not for %s', (ip, inside, outside) => {
  const entry = { hostname: '*', ip, action: 'deny' };
  const findWith = (address: string) =>
    find([`office bypass: ip_address eq ${address}`], () => undefined, [entry]);
  expect(findWith(inside)).toEqual(['warning unreachable office < 0']);
  expect(findWith(outside)).toEqual([]);
});

story('a firewall that is off denies nothing', async () => {
  const everything = ['all deny: path pre /'];
  expect(await findingsFor(firewallChecks, everything, { firewallEnabled: false })).toEqual([
    'note off firewall < all',
  ]);
  expect(await findingsFor(firewallChecks, ['all deny off: path pre /'], { firewallEnabled: false })).toEqual(
    [],
  );
  expect(await findingsFor(firewallChecks, everything, { firewallEnabled: true })).toEqual([
    'warning matches-everything all',
  ]);
});

it('values that are not known yet match nothing for sure', () => {
  const rule = (name: string, action: string, value: unknown) => ({
    ...ruleOf(`${name} ${action}: path eq /`),
    conditionGroup: [{ conditions: [{ type: 'path', op: 'pre', value }] }],
  });
  const hole = { $secret: 'path' };
  const objects = (rules: { name: string | undefined }[]): View => ({
    ofKind: (kind) =>
      kind === 'firewallRule'
        ? rules.map((fields) => ({
            address: `${firewall}/rules/${fields.name}`,
            kind,
            parent: firewall,
            fields: fields as ViewedObject['fields'],
            isDeclared: true,
          }))
        : [],
    under: () => [],
    at: () => undefined,
    knows: () => 'all',
  });
  const inView = (view: View) => firewallChecks.flatMap((check) => [...check.find(view)].map(shortFinding));
  expect(inView(objects([rule('a', 'deny', hole), rule('b', 'bypass', hole)]))).toEqual([]);
  expect(inView(objects([rule('a', 'deny', '/'), rule('b', 'bypass', hole)]))).toEqual([
    'warning unreachable b < a',
    'note matches-everything a',
  ]);
  const unknownAction = { ...rule('a', 'deny', '/'), action: { $secret: 'action' } };
  expect(inView(objects([unknownAction, rule('b', 'bypass', '/x')]))).toEqual([]);
  expect(
    inView(objects([{ ...rule('a', 'deny', '/'), active: hole as never }, rule('b', 'bypass', '/x')])),
  ).toEqual([]);
});

story('a thousand rules that have nothing to do with each other are compared with all others', () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `r${i} deny: path pre /x${i}/ & method eq POST`);
  expect(find([...lines, 'last bypass: path eq /x7/y & method eq post'], () => undefined)).toEqual([
    'warning unreachable last < r7',
  ]);
});
