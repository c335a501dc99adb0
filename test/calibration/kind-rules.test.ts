import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { defaultSwitches } from '../../providers/hosting/twin/index.ts';
import { basisOfFact, weakestBasis } from '../../src/calibration/kind-rules.ts';
import { openRuleBook } from '../../src/calibration/rule-book.ts';
import type { Evidence } from '../../src/kind/evidence.ts';
import { readReports } from '../facts/report-cases.ts';

const evidence = await hosting.evidence();
const kindNames = hosting.kinds.map(({ name }) => name);
/** Opens the rule book with other evidence than the provider's. */
const bookWith = (members: Partial<Evidence>) =>
  openRuleBook({ ...hosting, evidence: async () => ({ ...evidence, ...members }) });
const book = await openRuleBook(hosting);
const twinFolder = 'providers/hosting/twin';

it('says for each kind how its rules are known', () => {
  const namesWith = (basis: string) => kindNames.filter((name) => book.rulesOf(name).basis === basis);
  expect(namesWith('documented')).toEqual(['rollingRelease', 'teamMember', 'authToken']);
  expect(namesWith('measured')).toEqual([
    'project',
    'projectEnvVar',
    'sharedEnvVar',
    'domain',
    'dnsRecord',
    'projectDomain',
    'globalConfigItem',
  ]);
  for (const { basis, facts } of kindNames.map(book.rulesOf))
    expect(basis === 'inferred').toBe(facts.length === 0);
  expect(() => book.rulesOf('project2')).toThrow('there is no kind project2');
});

it('has an assumption for each switch of the twin, about kinds that exist', () => {
  expect(evidence.assumptions.map(({ id }) => id).toSorted()).toEqual(
    Object.keys(defaultSwitches).toSorted(),
  );
  for (const { kinds, statement } of evidence.assumptions) {
    expect(kinds.filter((kind) => !kindNames.includes(kind))).toEqual([]);
    expect(statement).toMatch(/^[A-Z].{15,}\.$/);
  }
});

it('calls no kind documented or measured once an account contradicts a fact about it', async () => {
  const contradicted = evidence.facts.map((fact) => ({ ...fact, contradictedBy: 'account-1.json' }));
  const { rulesOf } = await bookWith({ facts: contradicted });
  expect(new Set(kindNames.map((name) => rulesOf(name).basis))).toEqual(new Set(['inferred']));
  expect(basisOfFact({ confidence: 'documented', contradictedBy: 'account-1.json' })).toBe('inferred');
});

it('follows the reports about real accounts', async () => {
  const reports = [...readReports('test/facts')].filter(([name]) => name !== 'sample-report.json');
  const fitting = reports.flatMap(([, { kinds }]) =>
    kinds.flatMap(({ kind, result }) => (result === 'fits' ? [kind] : [])),
  );
  expect([...evidence.confirmedKinds].toSorted()).toEqual([...new Set(fitting)].toSorted());
  const { rulesOf } = await bookWith({ confirmedKinds: ['webhook'] });
  expect(rulesOf('webhook').basis).toBe('measured');
  const contradictedIds = reports.flatMap(([, { facts }]) =>
    facts.findings.flatMap(({ id, verdict }) => (verdict === 'contradicted' ? [id] : [])),
  );
  const marked = evidence.facts.filter(({ contradictedBy }) => contradictedBy !== undefined);
  expect(marked.map(({ id }) => id).toSorted()).toEqual([...new Set(contradictedIds)].toSorted());
});

it('combines bases to the weakest', () => {
  expect(weakestBasis(['documented', 'measured'])).toBe('measured');
  expect(weakestBasis(['documented', 'inferred', 'measured'])).toBe('inferred');
  expect(weakestBasis(['documented'])).toBe('documented');
  expect(weakestBasis([])).toBe('inferred');
});

it('finds the source of each rule that a refusal of the twin can name', () => {
  const sources = readdirSync(twinFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(twinFolder, name), 'utf8'))
    .join('\n');
  const named = [...sources.matchAll(/'(P[FT]\d+)'/g), ...sources.matchAll(/\.by\(\s*'(\w+)'/g)];
  expect(named.length).toBeGreaterThan(25);
  for (const [, rule] of named) expect(book.sourceOf(rule)).toMatchObject({ rule });
  expect(book.sourceOf('published')).toMatchObject({ basis: 'documented' });
  expect(book.sourceOf('limit:domain-create')).toMatchObject({ basis: 'documented' });
  expect(book.sourceOf('PF41')).toMatchObject({
    basis: 'measured',
    source: 'pulumiverse/pulumi-vercel#252',
  });
  expect(book.sourceOf('hostDot')).toMatchObject({ basis: 'inferred', rule: 'hostDot' });
  expect(book.sourceOf(undefined)).toEqual({
    basis: 'inferred',
    statement: 'The twin assumes that the platform refuses this.',
  });
});
