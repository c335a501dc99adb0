import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { bodyOf, casesOf, withoutKind } from '../support/field-cases.ts';
import { putPictures } from '../support/pictures.ts';
import { RecordedSite } from '../support/recorded-site.ts';
import { bought } from '../support/sample.ts';
import { type Block, sampleSeed } from '../support/samples.ts';
import { sampled } from '../support/sweep.ts';

interface Planned {
  changes: { address: string; kind: string; action: string; undo: string }[];
  diagnostics: { severity: string; code: string; message: string; address?: string }[];
}

const allowed = ['--allow', 'cost', '--allow', 'remove-access', '--max-deletions', '1000'];

async function configure(site: RecordedSite, body: Block): Promise<void> {
  const text = stringify(body);
  await putPictures(site.folder, text);
  const has = new Set(site.twin.account.domains.map(({ name }) => name));
  const names = new Set([...text.matchAll(/[\w.-]+/g)].map(([name]) => name));
  const missing = [...names].filter((name) => name.endsWith(`.${bought}`) && !has.has(name));
  if (missing.length > 0) site.twin.add({ domains: missing.map((name) => ({ name, boughtAt: 1 })) });
  site.commit(text);
}

async function planned(site: RecordedSite): Promise<Planned> {
  const { stdout, all } = await site.run(['plan', '--json', ...allowed]);
  try {
    return JSON.parse(stdout) as Planned;
  } catch {
    throw new Error(all);
  }
}

const changed = ({ changes }: Planned) => changes.filter(({ action }) => action !== 'noop');

/** Applies what is there, and gives back what was said before. */
async function applied(site: RecordedSite): Promise<Planned> {
  const plan = await planned(site);
  await site.apply(...allowed);
  return plan;
}

/** Takes a run back; gives back the addresses of which was said that something of them does not come back. */
async function undone(site: RecordedSite, run: number, { changes }: Planned): Promise<Set<string>> {
  const said = new Set(changes.filter(({ undo }) => undo !== 'wholly').map(({ address }) => address));
  const ran = await site.run(['undo', `${run}`, '--auto-approve', '--settle', '0', ...allowed]);
  for (const [, address] of ran.all.matchAll(/Warning: (\S+): .*\n? *\(?.*undo\//g)) said.add(address!);
  // Equal warnings are one, which names the first three: the others are of the same kind.
  for (const [, first] of ran.all.matchAll(/Warning: [^\n]* times, for (\S+?),? [^\n]*\[undo\//g)) {
    const kind = changes.find(({ address }) => address === first)?.kind;
    for (const change of changes) if (change.kind === kind) said.add(change.address);
  }
  // The created objects with contents that stay have a line each, with which the user can delete them.
  for (const [, address] of ran.all.matchAll(/- \{ at: "?([^,"]+)"?, delete: true/g)) said.add(address!);
  // What the platform refused is named in the end.
  const refused = [...ran.all.matchAll(/^(?:failed (\S+)|(\S+): failed )/gm)].map(
    ([, inSummary, inProgress]) => (inSummary ?? inProgress)!,
  );
  for (const address of refused) said.add(address);
  if (ran.status !== 0 && refused.length === 0) throw new Error(`undo failed:\n${ran.all}`);
  return said;
}

async function play(kind: Kind): Promise<void> {
  const site = await RecordedSite.open('file', sampleSeed);
  const cases = casesOf(kind);
  const bodies = [withoutKind(bodyOf(kind, cases, 0), kind), bodyOf(kind, cases, 0), bodyOf(kind, cases, 1)];
  const runs: Planned[] = [];
  for (const body of bodies) {
    await configure(site, body);
    runs.push(await applied(site));
  }
  const isRun = runs.map((plan) => changed(plan).length > 0);
  for (const at of [2, 1]) {
    if (!isRun[at]) continue;
    const run = isRun.slice(0, at + 1).filter(Boolean).length;
    const said = await undone(site, run, runs[at]!);
    await configure(site, bodies[at - 1]!);
    const left = changed(await planned(site)).filter(
      ({ address }) => ![...said].some((one) => address === one || address.startsWith(`${one}/`)),
    );
    expect(left, `${kind.name}: after run ${run} was undone`).toEqual([]);
    // Whatever did not come back by itself is set again, so that the next undo begins where it would.
    if (said.size > 0) return;
  }
}

/** What is deleted comes back, with what nobody declared of it, and the plan of the configuration before is empty. */
async function playDeletion(kind: Kind): Promise<void> {
  const site = await RecordedSite.open('file', sampleSeed);
  const body = bodyOf(kind, casesOf(kind), 0);
  await configure(site, body);
  await applied(site);
  await configure(site, withoutKind(body, kind));
  const plan = await applied(site);
  if (changed(plan).length === 0) return;
  const said = await undone(site, 2, plan);
  await configure(site, body);
  const left = changed(await planned(site)).filter(
    ({ address }) => ![...said].some((one) => address === one || address.startsWith(`${one}/`)),
  );
  expect(left, `${kind.name}: after its deletion was undone`).toEqual([]);
}

describe('a run that is undone leaves what the configuration before it says', () => {
  it.each(sampled(allKinds, 1).map((kind) => [kind.name, kind] as const))('%s', (_, kind) => play(kind));
  it.each(sampled(allKinds, 1).map((kind) => [kind.name, kind] as const))('%s, deleted', (_, kind) =>
    playDeletion(kind),
  );
});
