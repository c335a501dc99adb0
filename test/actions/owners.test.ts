import { expect, test } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { docOf } from '../../src/kind/traits.ts';
import { coverageOf, operationOf } from '../../src/manual/coverage.ts';
import { requestsOf } from '../../src/manual/kind-requests.ts';

/* Every operation of the catalog has one owner: a kind, every run, an action, a lookup, or `trueup api` with a reason. */

const actionsAndLookups = await hosting.actionsAndLookups();
const all = await hosting.operations();
const known = [...all, ...(await hosting.extraOperations())];
const kinds = hosting.kinds.map((kind) => ({ kind, requests: requestsOf(kind) }));
const { groups, total } = coverageOf(all, kinds, hosting.lookups, { actionsAndLookups });
const operations = groups.flatMap((group) => group.operations);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test('each of the 437 operations has one owner', () => {
  const owners = operations.map((one) => {
    const { claims, isLookup, actions = [], lookups = [], byApi } = one;
    const isKinds = claims.length > 0 || isLookup === true;
    // An action may call what is a kind's: redeploy is the deployment kind's creation.
    const others = isKinds ? [] : [...actions, ...lookups];
    return { name: nameOf(one), count: Number(isKinds) + others.length + Number(byApi !== undefined) };
  });
  expect(owners.filter(({ count }) => count !== 1)).toEqual([]);
  const byKind = operations.filter(({ claims, isLookup }) => claims.length > 0 || isLookup).length;
  const alone = (name: 'actions' | 'lookups') =>
    operations.filter(({ claims, isLookup, [name]: of }) => claims.length === 0 && !isLookup && of).length;
  const counts = {
    kinds: byKind,
    actions: alone('actions'),
    lookups: alone('lookups'),
    api: actionsAndLookups.byApi.length,
  };
  console.log(`operations by owner: ${JSON.stringify(counts)}, ${total} in all`);
  expect(Object.values(counts).reduce((sum, one) => sum + one)).toBe(437);
});

test('every endpoint of an action or a lookup is an operation that is listed, word by word but for its placeholders', () => {
  const endpoints = [
    ...[...actionsAndLookups.actions.values()].flatMap(({ name, endpoint, finds }) =>
      [endpoint, ...(finds ? [finds.endpoint] : [])].map((one) => [name, one]),
    ),
    ...[...actionsAndLookups.lookups.values()].flatMap(({ name, endpoint, single: one }) =>
      [endpoint, ...(one ? [one.endpoint] : [])].map((read) => [name, read]),
    ),
  ];
  const blank = (path: string) => path.replace(/\{\w+\}/g, '{}');
  for (const [name, endpoint] of endpoints as [string, string][]) {
    const operation = operationOf(endpoint, known);
    expect(operation, `${name}: ${endpoint}`).toBeDefined();
    expect(blank(nameOf(operation!)), name).toBe(blank(endpoint.split('?')[0]!));
  }
  for (const { operation } of actionsAndLookups.byApi) expect(all.map(nameOf)).toContain(operation);
});

test('what an action or a lookup says of itself goes together', () => {
  const names = new Set(hosting.kinds.map(({ name }) => name));
  const told = (of: { name: string; on?: string; endpoint: string; input: object }, found = false) => {
    if (of.on !== undefined) expect(names, of.name).toContain(of.on);
    const places = [...of.endpoint.matchAll(/\{(\w+)\}/g)].map(([, place]) => place!);
    const lineage = new Set<string>();
    for (let at = of.on; at !== undefined; at = hosting.kinds.find(({ name }) => name === at)?.parent)
      lineage.add(at);
    const unknown = places.filter(
      (place) => !lineage.has(place) && !Object.hasOwn(of.input, place) && place !== 'teamId',
    );
    if (!found) expect(unknown, `${of.name}: ${of.endpoint}`).toEqual([]);
  };
  for (const action of actionsAndLookups.actions.values()) {
    told(action);
    if (action.until)
      expect([...actionsAndLookups.lookups.keys()], action.name).toContain(action.until.lookup);
    if (action.effectSearch)
      expect([...actionsAndLookups.lookups.keys()], action.name).toContain(action.effectSearch.lookup);
  }
  for (const lookup of actionsAndLookups.lookups.values()) {
    told(lookup);
    const fields = Object.keys(lookup.output);
    for (const field of [...(lookup.columns ?? []), ...(lookup.end ? [lookup.end.field] : [])])
      expect(fields, lookup.name).toContain(field);
    if (lookup.key && lookup.items !== undefined) expect(fields, lookup.name).toContain(lookup.key);
    // A name says what it is once.
    expect(actionsAndLookups.actions.has(lookup.name), lookup.name).toBe(false);
  }
});

test('each field of an input or an answer has a sentence for people', () => {
  for (const one of [...actionsAndLookups.actions.values(), ...actionsAndLookups.lookups.values()])
    for (const [name, schema] of Object.entries({ ...one.output, ...one.input }))
      expect(docOf(schema) ?? '', `${one.name}: ${name}`).not.toBe('');
});
